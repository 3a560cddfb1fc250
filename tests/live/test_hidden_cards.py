"""Hidden cards: no message contains a card before its time. The messages of all live tests are searched, too."""

import json
from typing import Final

import pytest

from tests.live.clients import Clients
from tests.live.frames import verify_frames
from tests.live.hands import WINDOWS

DECK: Final = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


@pytest.mark.req("RND-8")
@pytest.mark.parametrize("kind", ["machine", "paced", "seven"])
async def test_machine_dealt_cards_are_hidden_until_dealt(clients: Clients, kind: str) -> None:
    """Players by WebSocket and by polling, one who only watches, one who comes later, and the consoles."""
    table_id = clients.service.table(kind)
    host, manager = await clients.host(), await clients.host("max")
    for console in (host, manager):
        await console.ok("watch", {"table_id": table_id})
    players = [await clients.player(), await clients.player(transports=["polling"])]
    watcher = await clients.player()
    for one in (*players, watcher):
        await one.join(table_id)
    round_id = (await watcher.phase(table_id, None, "betting"))["round_id"]
    for player in players:
        await player.bet(table_id, round_id, 500, 100)
    for window, action in zip(WINDOWS, ("check", "check", "play_1x"), strict=True):
        await watcher.phase(table_id, round_id, window)
        await (await clients.player()).join(table_id)
        await host.ok("watch", {"table_id": table_id})
        await players[0].refused("decide", {"table_id": table_id, "round_id": round_id, "action": "play_5x"})
        for player in players:
            await player.phase(table_id, round_id, window)
            await player.decide(table_id, round_id, action)
    settled = await watcher.phase(table_id, round_id, "settled")
    for player in players:
        await player.result(round_id)
    hands = [card for seat in settled.get("seats", []) for card in seat["player_cards"]]
    dealt = {*settled["player_cards"], *hands, *settled["board"], *settled["dealer_cards"]}
    undealt = set(DECK) - dealt
    everything = [frames for frames in clients.frames if frames]
    assert sum(verify_frames(frames) for frames in everything) > 100
    for frames in everything:
        for frame in frames:
            of_round = f'"{round_id}"' in frame
            is_shown = '"phase":"showdown"' in frame or '"phase":"settled"' in frame
            if of_round and not is_shown:
                assert not any(f'"{card}"' in frame for card in settled["dealer_cards"]), frame
            if of_round:
                assert not any(f'"{card}"' in frame for card in undealt), frame
    assert not [line for line in clients.service.logged() if any(f'"{card}"' in line for card in DECK)]


async def test_the_promise_is_published_before_the_first_bet(clients: Clients) -> None:
    table_id = clients.service.table("machine")
    player = await clients.player()
    await player.join(table_id)
    betting = await player.phase(table_id, None, "betting")
    assert betting["commitment"]
    joined = await player.join(table_id)
    assert joined["round"]["commitment"] == betting["commitment"]
    assert "deck" not in json.dumps(joined)
