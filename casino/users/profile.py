"""The settings of a person: stored in the profile, the same on every device.

Decides which there are and what they may be. What they look and sound like is the page's business.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.clock import Clock, wall_clock
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.storage.schema import profiles

Volume = Annotated[int, Field(ge=0, le=100)]

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


Changed = Callable[[str, PersonalSettings], None]
"""Told whose settings are now which."""


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
        """One after the other, so that what is told last is what was stored last."""
        row = (user_id, settings.model_dump_json(), self._clock())
        async with self._turn:
            async with self._database.writing() as connection:
                await insert_rows(connection, profiles, ("user_id", "settings", "changed_ms"), [row], or_else=_REPLACE)
            for told in self.on_changed:
                told(user_id, settings)


async def settings_in(connection: AsyncConnection, user_id: str) -> PersonalSettings:
    """What another version of the service stored, and this one does not understand, counts as never chosen."""
    query = select(profiles.c.settings).where(profiles.c.user_id == user_id)
    written = (await connection.execute(query)).scalar_one_or_none()
    try:
        return PersonalSettings.model_validate_json(written) if written else PersonalSettings()
    except ValidationError:
        return PersonalSettings()
