"""Settings of a person: stored, strict, and on the other device at once."""

from typing import Any

import pytest

from tests.live.clients import Door
from tests.live.house import House

DEFAULTS = {
    "chat_shown": True,
    "video_quality": "auto",
    "voice": {"muted": False, "volume": 80},
    "sound": {"muted": False, "volume": 80},
    "view": "immersive",
    "language": None,
    "reduced_motion": False,
    "trainer": False,
}
OTHER: dict[str, Any] = DEFAULTS | {"language": "fr", "view": "classic", "sound": {"muted": True, "volume": 0}}


async def test_settings_are_stored_and_reach_every_device_of_the_person_at_once(door: Door, house: House) -> None:
    signed_in = await door.guest()
    token = signed_in["token"]
    assert await door.ask("GET", "/api/settings", token) == (200, DEFAULTS)
    at_table, in_lobby = await door.device(signed_in), await door.device(signed_in)
    await at_table.join(house.table("lasting"))
    stranger = await door.player()
    assert await door.ask("PUT", "/api/settings", token, OTHER) == (200, OTHER)
    for device in (at_table, in_lobby):
        assert await device.until("settings") == OTHER
    assert await door.ask("GET", "/api/settings", token) == (200, OTHER)
    partly = {"trainer": True}
    assert await door.ask("PUT", "/api/settings", token, partly) == (200, DEFAULTS | partly)  # replaced, not mixed
    for device in (at_table, in_lobby):
        assert await device.until("settings", lambda settings: settings["trainer"]) == DEFAULTS | partly
    await stranger.ok("lobby", {})
    assert stranger.all("settings") == []


@pytest.mark.parametrize(
    "wrong",
    [[], "x", None, {"volume": 5}, {"voice": {"muted": False, "volume": 101}}, {"language": "de"}, {"trainer": 1}],
)
async def test_wrong_settings_are_refused_and_change_nothing(door: Door, wrong: object) -> None:
    token = (await door.guest())["token"]
    status, answer = await door.ask("PUT", "/api/settings", token, wrong)
    assert status in (400, 415)
    assert answer["error"]["code"] == "bad_request"
    assert await door.ask("GET", "/api/settings", token) == (200, DEFAULTS)


async def test_settings_need_a_session(door: Door) -> None:
    assert (await door.ask("GET", "/api/settings"))[0] == 401
    assert (await door.ask("PUT", "/api/settings", None, DEFAULTS))[0] == 401
    assert (await door.ask("GET", "/api/settings", (await door.sign_in("paula"))["token"]))[0] == 200
