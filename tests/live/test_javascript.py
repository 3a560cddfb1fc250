"""The official JavaScript client plays a round at the real service."""

import asyncio
import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.live.clients import WAIT_SECONDS_MAX, Clients
from tests.live.frames import SHOWN

SCRIPT: Final = Path(__file__).with_name("player.mjs")
WEB: Final = Path(__file__).resolve().parents[2] / "web"


@pytest.mark.parametrize("transports", [["websocket"], ["polling"], None], ids=["websocket", "polling", "as it comes"])
async def test_the_javascript_client_plays_a_round(clients: Clients, transports: list[str] | None) -> None:
    """Also as it comes: by polling first, then upgraded to a WebSocket."""
    table_id, player = clients.service.table("machine"), await clients.player()
    arguments = [str(WEB), clients.service.address, player.signed_in["token"], table_id]
    arguments += [json.dumps(transports)] if transports else []
    process = await asyncio.create_subprocess_exec("node", str(SCRIPT), *arguments, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(2 * WAIT_SECONDS_MAX):
        output, _ = await process.communicate()
    happened: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines()]

    def all_of(what: str) -> list[Any]:
        return [one["data"] for one in happened if one["what"] == what]

    assert process.returncode == 0
    assert all(answer["ok"] for what in ("join", "bet", "decide", "leave") for answer in all_of(what))
    assert len(all_of("decide")) == 3
    (result,) = all_of("result")
    assert (result["staked"], result["status"]) == (1600, "settled")
    assert result["balance"] == 100_000 - 1600 + result["returned"]
    assert await player.money() == (result["balance"],) * 2
    numbers = [view["seq"] for view in all_of("round")]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    for view in all_of("round"):
        assert len(view["dealer_cards"]) <= SHOWN[view["phase"]][2][1]
    assert all_of("transport") == ["polling" if transports == ["polling"] else "websocket"]
