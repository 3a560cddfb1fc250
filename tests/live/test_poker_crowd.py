"""Many bots at a real poker room: their messages are searched for hidden cards, and all money is recomputed.

The room may be killed in between. Then interrupted hands are void, and published results are stored.
"""

import asyncio
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import socketio
from sqlalchemy import select

from casino.client.http_api import HttpApi, Member, open_http_api
from casino.client.poker import connection
from casino.client.poker.bots import PokerBotPool
from casino.client.poker.options import PokerOptions, PokerStrategy
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands
from tests.databases import PostgresServer
from tests.live.clients import RememberingClient
from tests.live.poker_secrets import Listener, stored_decks, verify_log, verify_rows
from tests.live.poker_service import started_poker
from tests.live.service import LiveService

SEED = int(os.environ.get("CASINO_TEST_SEED", "21"))
Frames = dict[str, list[list[str]]]
"""By the name of the player, those of each client."""


@pytest.fixture(params=["sqlite", "postgresql"])
def poker(request: pytest.FixtureRequest) -> Iterator[LiveService]:
    url = ""
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh_database()
    with started_poker(known=False, database=url, after_restart="3") as opened:
        yield opened


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> Frames:
    """Everything the clients of all bots receive."""
    received: Frames = defaultdict(list)
    opened = connection.PokerConnection.__init__

    def remember(self: connection.PokerConnection, gateway: HttpApi, member: Member) -> None:
        opened(self, gateway, member)
        client: Any = self._client
        assert isinstance(client, RememberingClient)
        received[member.name].append(client.frames)

    monkeypatch.setattr(socketio, "AsyncClient", RememberingClient)
    monkeypatch.setattr(connection.PokerConnection, "__init__", remember)
    return received


DECK = tuple(f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA")
"""Seats 1 to 3 with the button at 1: seat 2 has 2c 5c, seat 3 has 3c 6c, seat 1 has 4c 7c, and the flop is 8c 9c Tc."""
HAND: Any = {
    "hand_id": "t-1",
    "game": "nlhe",
    "positions": {"button": 1},
    "board": [],
    "seats": [{"seat_no": number, "cards": []} for number in (1, 2, 3)],
}
OWN = {"hand_id": "t-1", "seat_no": 2, "cards": ["2c", "5c"]}
FLOP = {"hand_id": "t-1", "kind": "board", "cards": ["8c", "9c", "Tc"]}
SHOWN = {"hand_id": "t-1", "kind": "shown", "seat": 3, "cards": ["3c", "6c"]}


def check(*events: tuple[str, object]) -> None:
    frames = [f"2/poker,{json.dumps([name, payload])}" for name, payload in events]
    Listener({"t-1": DECK}).check(frames)


@pytest.mark.parametrize(
    ("name", "leak"),
    [
        ("cards", {"hand_id": "t-1", "seat_no": 2, "cards": ["3c", "6c"]}),
        ("cards", OWN | {"hand": {"category": "pair", "cards": ["8c"]}}),
        ("step", FLOP | {"cards": ["8c", "9c", "Jc"]}),
        ("step", FLOP | {"next": "Jc"}),
        ("step", SHOWN | {"seat": 1}),
        ("hand_over", {"hand_id": "t-1", "net": 0, "proofs": [{"card": "4c"}]}),
        ("hand", HAND | {"seats": [*HAND["seats"][:2], {"seat_no": 3, "cards": ["4c", "7c"]}], "hand_id": "t-2"}),
        ("chat", {"text": "4c"} | {"cards": ["4c"]}),
    ],
)
def test_the_checker_finds_a_leaked_card(name: str, leak: object) -> None:
    """The search itself: honest events pass, and each leak fails."""
    over = {"hand_id": "t-1", "net": 0, "proofs": [{"card": card} for card in ("2c", "8c", "3c")]}
    check(("hand", HAND), ("cards", OWN), ("step", FLOP), ("step", SHOWN), ("hand_over", over))
    with pytest.raises((AssertionError, KeyError)):
        check(("hand", HAND), ("cards", OWN), (name, leak))


async def play(service: LiveService, options: PokerOptions, kills: int = 0) -> tuple[PokerBotPool, list[str]]:
    """The bots play; meanwhile the room is killed so many times and started again."""
    said: list[str] = []
    async with open_http_api(service.address) as gateway:
        crowd = PokerBotPool(gateway, options, said.append)
        playing = asyncio.create_task(crowd.play())
        chance, hands = Random(SEED), 0
        for _ in range(kills):
            hands = len(crowd.results.hands) + chance.randint(3, 12)
            while len(crowd.results.hands) < hands:
                assert not playing.done(), said
                await asyncio.sleep(0.05)
            await asyncio.sleep(chance.uniform(0, 0.3))
            await asyncio.to_thread(service.kill)
            await asyncio.to_thread(service.start)
        if kills:
            crowd.results.stop()
        await playing
    return crowd, said


async def count_again(service: LiveService, frames: Frames) -> Counter[str]:
    """Every player's money from the hands as they are stored, against the ledger and against what the player received.

    Returns how many hands were settled and void.
    """
    database = await Database.open(service.database)
    try:
        decks = await stored_decks(database, service)
        listeners = {name: Listener(decks) for name in frames}
        for name, listener in listeners.items():
            for received in frames[name]:
                listener.check(received)
        assert sum(listener.read for listener in listeners.values()) > 100
        assert await verify_rows(database) > 10
        async with database.reading() as reading:
            names = {row.id: row.name for row in await reading.execute(select(schema.users))}
            hands = (await reading.execute(select(poker_hands))).all()
            players = (await reading.execute(select(poker_hand_players))).all()
            accounts = (await reading.execute(select(schema.accounts))).all()
            credits_ = await reading.execute(
                select(schema.postings).where(schema.postings.c.source.in_(("house:FUN", "credit:FUN", "cashier:FUN")))
            )
            credited = Counter[str]()
            for row in credits_:
                credited[row.destination.split(":")[1]] += row.amount
    finally:
        await database.close()
    nets = {(row.hand_id, row.player_id): row.returned - row.staked for row in players}
    ids = {name: player_id for player_id, name in names.items()}
    for name, listener in listeners.items():
        for hand_id, net in listener.results.items():
            assert nets[hand_id, ids[name]] == net, "a published result is not the stored one"
    owned, won, rake = Counter[str](), Counter[str](), 0
    for account in accounts:
        if account.kind == "rake":
            rake += account.balance
        elif account.kind in ("player", "seat"):
            owned[account.id.split(":")[1 if account.kind == "player" else 2]] += account.balance
    for (_, player_id), net in nets.items():
        won[player_id] += net
    assert credited.keys() >= {ids[name] for name in frames}
    for player_id, credit in credited.items():
        assert owned[player_id] == credit + won[player_id], "a player's money is not what the hands say"
    assert rake == sum(hand.rake for hand in hands) == -sum(nets.values())
    return Counter(hand.status for hand in hands)


def verify_service(service: LiveService) -> None:
    service.verify()
    verify_log(service)
    assert not service.errors()


async def verify_crowd(service: LiveService, frames: Frames, bots: int, hands: int) -> None:
    options = PokerOptions(bots, PokerStrategy.RANDOM, ("t1", "t2", "t3"), hands=hands, seed=SEED)
    crowd, said = await play(service, options)
    assert crowd.results.faults == [], said
    counted = await count_again(service, frames)
    assert counted["settled"] >= hands
    verify_service(service)


@pytest.mark.req("RND-8")
@pytest.mark.req("LED-3")
async def test_every_card_and_cent_of_many_bots_is_accounted_for(poker: LiveService, frames: Frames) -> None:
    await verify_crowd(poker, frames, 12, 25)


@pytest.mark.deep
async def test_sixty_bots_over_a_thousand_hands(poker: LiveService, frames: Frames) -> None:
    await verify_crowd(poker, frames, 60, 1_000)


async def verify_killed(service: LiveService, frames: Frames, bots: int, kills: int) -> None:
    options = PokerOptions(bots, PokerStrategy.RANDOM, ("t1", "t2"), seed=SEED)
    await play(service, options, kills)
    counted = await count_again(service, frames)
    assert counted["settled"] >= kills
    assert counted["void"] >= kills, "every kill interrupts a hand, or spends the deck of the next one"
    verify_service(service)


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-8")
async def test_bots_go_on_after_the_room_was_killed(poker: LiveService, frames: Frames) -> None:
    await verify_killed(poker, frames, 9, 2)


@pytest.mark.deep
async def test_bots_go_on_after_twenty_five_kills(poker: LiveService, frames: Frames) -> None:
    await verify_killed(poker, frames, 24, 25)
