"""Profile settings: strict, complete, with defaults, stored in the profile, and sent in the order they were stored."""

import asyncio
import json
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import update

from casino.gateway.player_namespace import settings_view
from casino.storage.database import Database
from casino.storage.schema import profiles as table
from casino.users.profile import Loudness, PersonalSettings, Profiles
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.wire import events
from tests.wire.validation import holds

WRONG: list[dict[str, Any]] = [
    {"unknown": 1},
    {"chat_shown": "yes"},
    {"chat_shown": 1},
    {"chat_shown": None},
    {"video_quality": "4k"},
    {"voice": {"muted": False, "volume": 101}},
    {"voice": {"muted": False, "volume": -1}},
    {"voice": {"muted": False, "volume": 50.5}},
    {"voice": {"muted": False, "volume": "50"}},
    {"voice": {"volume": True}},
    {"voice": {"loud": True}},
    {"sound": 5},
    {"view": ""},
    {"language": "de"},
    {"language": "EN"},
    {"reduced_motion": 0},
    {"trainer": "on"},
]


async def ann(database: Database) -> str:
    async with database.writing() as connection:
        by = Actor("boss", "admin")
        return (await Users(connection).add("Ann", Role.PLAYER, "EUR", password_hash=None, by=by, at_ms=1)).id


@pytest.mark.parametrize("wrong", WRONG)
def test_setting_that_does_not_exist_or_is_of_another_kind_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PersonalSettings.model_validate_json(json.dumps(wrong))


def test_settings_view_has_every_setting() -> None:
    settings = PersonalSettings(language="da", sound=Loudness(muted=True, volume=5))
    assert list(settings_view(settings).items()) == list(settings.model_dump().items())
    holds(events.Settings, {**settings_view(settings)})


async def test_settings_are_those_stored_last_or_the_defaults(database: Database) -> None:
    profiles, user_id = Profiles(database), await ann(database)
    assert await profiles.settings_of(user_id) == PersonalSettings()
    for settings in (PersonalSettings(language="da", trainer=True), PersonalSettings(view="classic")):
        await profiles.change(user_id, settings)
        assert await Profiles(database).settings_of(user_id) == settings


async def test_settings_of_another_version_count_as_never_chosen(database: Database) -> None:
    profiles, user_id = Profiles(database), await ann(database)
    await profiles.change(user_id, PersonalSettings(trainer=True))
    async with database.writing() as connection:
        await connection.execute(update(table).values(settings='{"view":"holographic"}'))
    assert await profiles.settings_of(user_id) == PersonalSettings()


async def test_last_notification_has_the_last_stored_settings(database: Database) -> None:
    profiles, user_id = Profiles(database), await ann(database)
    notified: list[PersonalSettings] = []
    profiles.on_changed.append(lambda _, settings: notified.append(settings))
    volumes = [PersonalSettings(sound=Loudness(volume=volume)) for volume in range(20)]
    await asyncio.gather(*(profiles.change(user_id, settings) for settings in volumes))
    assert len(notified) == 20
    assert await profiles.settings_of(user_id) == notified[-1]
