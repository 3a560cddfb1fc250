"""Profile settings: stored, validated, and sent to other devices at once."""

from typing import Any

import pytest

from tests.live.clients import Clients
from tests.live.service import LiveService

DEFAULTS = {
    "chat_shown": True,
    "video_quality": "auto",
    "voice": {"muted": False, "volume": 80},
    "sound": {"muted": False, "volume": 80},
    "view": "immersive",
    "language": None,
    "reduced_motion": False,
    "trainer": False,
    "decision_keys": False,
}
OTHER: dict[str, Any] = DEFAULTS | {"language": "fr", "view": "classic", "sound": {"muted": True, "volume": 0}}


async def test_settings_are_stored_and_reach_every_device_of_the_person_at_once(
    clients: Clients, service: LiveService
) -> None:
    signed_in = await clients.guest()
    token = signed_in["token"]
    assert await clients.ask("GET", "/api/settings", token) == (200, DEFAULTS)
    at_table, in_lobby = await clients.device(signed_in), await clients.device(signed_in)
    await at_table.join(service.table("lasting"))
    stranger = await clients.player()
    assert await clients.ask("PUT", "/api/settings", token, OTHER) == (200, OTHER)
    for device in (at_table, in_lobby):
        assert await device.until("settings") == OTHER
    assert await clients.ask("GET", "/api/settings", token) == (200, OTHER)
    partly = {"trainer": True}
    assert await clients.ask("PUT", "/api/settings", token, partly) == (200, DEFAULTS | partly)  # replaced, not mixed
    for device in (at_table, in_lobby):
        assert await device.until("settings", lambda settings: settings["trainer"]) == DEFAULTS | partly
    await stranger.ok("lobby", {})
    assert stranger.all("settings") == []


@pytest.mark.parametrize(
    "wrong",
    [[], "x", None, {"volume": 5}, {"voice": {"muted": False, "volume": 101}}, {"language": "de"}, {"trainer": 1}],
)
async def test_wrong_settings_are_refused_and_change_nothing(clients: Clients, wrong: object) -> None:
    token = (await clients.guest())["token"]
    status, answer = await clients.ask("PUT", "/api/settings", token, wrong)
    assert status in (400, 415)
    assert answer["error"]["code"] == "bad_request"
    assert await clients.ask("GET", "/api/settings", token) == (200, DEFAULTS)


async def test_settings_need_a_session(clients: Clients) -> None:
    assert (await clients.ask("GET", "/api/settings"))[0] == 401
    assert (await clients.ask("PUT", "/api/settings", None, DEFAULTS))[0] == 401
    assert (await clients.ask("GET", "/api/settings", (await clients.sign_in("paula"))["token"]))[0] == 200
