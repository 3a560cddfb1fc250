"""Profile settings of a person, the same on every device.

Defines the settings and their values. The pages decide how they look and sound.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.clock import Clock, wall_clock
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.storage.schema import profiles

Volume = Annotated[int, Field(ge=0, le=100)]

_SETTINGS: Final = select(profiles.c.settings).where(profiles.c.user_id == bindparam("user_id"))
_REPLACE: Final = "ON CONFLICT (user_id) DO UPDATE SET settings = excluded.settings, changed_ms = excluded.changed_ms"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Loudness(_Part):
    muted: bool = False
    volume: Volume = 80


class PersonalSettings(_Part):
    """`language` null means the language of the device; without `reduced_motion` the device decides about motion."""

    chat_shown: bool = True
    video_quality: Literal["auto", "high", "medium", "low"] = "auto"
    voice: Loudness = Loudness()
    sound: Loudness = Loudness()
    view: Literal["immersive", "classic"] = "immersive"
    language: Literal["en", "da", "fr"] | None = None
    reduced_motion: bool = False
    trainer: bool = False
    decision_keys: bool = False


Changed = Callable[[str, PersonalSettings], None]
"""Called with a user and the new settings."""


class Profiles:
    def __init__(self, database: Database, clock: Clock = wall_clock) -> None:
        self._database = database
        self._clock = clock
        self._turn = asyncio.Lock()
        self.on_changed: list[Changed] = []

    async def settings_of(self, user_id: str) -> PersonalSettings:
        async with self._database.reading() as connection:
            return await settings_in(connection, user_id)

    async def change(self, user_id: str, settings: PersonalSettings) -> None:
        """Changes are serialized, so that the last notification matches what is stored."""
        row = (user_id, settings.model_dump_json(), self._clock())
        async with self._turn:
            async with self._database.writing() as connection:
                await insert_rows(connection, profiles, ("user_id", "settings", "changed_ms"), [row], or_else=_REPLACE)
            for notify in self.on_changed:
                notify(user_id, settings)


async def settings_in(connection: AsyncConnection, user_id: str) -> PersonalSettings:
    """Settings stored by another version and not understood count as unset."""
    written = (await connection.execute(_SETTINGS, {"user_id": user_id})).scalar_one_or_none()
    try:
        return PersonalSettings.model_validate_json(written) if written else PersonalSettings()
    except ValidationError:
        return PersonalSettings()
