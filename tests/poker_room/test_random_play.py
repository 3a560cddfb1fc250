"""Random messages and random time: chips are conserved, every hand ends, and no hidden card is sent."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from sqlalchemy import select

from casino.cards.card import DECK
from casino.errors import Refusal
from casino.poker.betting import Action, Options
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import (
    ActInHand,
    AutoTopUp,
    ConnectionLost,
    Join,
    JoinPool,
    Leave,
    LeavePool,
    Message,
    PreAct,
    Sit,
    SitOut,
    TopUp,
    WaitForBigBlind,
)
from casino.poker_room.pre_actions import Choice
from casino.poker_room.shoe import Shoe
from casino.poker_room.table import PokerTable
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands
from tests.poker_room.running_room import NAMES, RunningRoom, connection_of, sender
from tests.poker_room.stored_tables import balances_of

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
PURSE = 20_000


def shuffled(chance: random.Random) -> Shoe:
    return Shoe(chance.sample(DECK, len(DECK)), f"{chance.getrandbits(256):064x}")


def action(chance: random.Random, offered: Options) -> tuple[Action, int]:
    share = chance.random()
    if share < 0.15 and offered.sizes is not None:
        sizes = offered.sizes
        return Action.RAISE_TO, chance.choice(
            [sizes.smallest, sizes.largest, chance.randint(sizes.smallest, sizes.largest)]
        )
    if share < 0.3 and not offered.check:
        return Action.FOLD, 0
    return (Action.CHECK, 0) if offered.check else (Action.CALL, 0)


class Crowd:
    """Twelve players who do anything at any moment."""

    def __init__(self, room: RunningRoom, chance: random.Random, pool: str) -> None:
        self.room = room
        self.chance = chance
        self.pool = pool
        self.refused: dict[str, int] = {}

    def message(self) -> Message:
        chance, player_id = self.chance, self.chance.choice(NAMES)
        who = sender(player_id)
        tables = [table for table in self.room.room.tables if player_id in table.occupants]
        if not tables or chance.random() < 0.05:
            return self._without_table(player_id)
        table = chance.choice(tables)
        table_id, hand = table.terms.table_id, table.live.hand if table.live is not None else None
        hand_id = hand.hand_id if hand is not None else "none"
        messages: list[Message] = [
            Join(who, table_id),
            Join(who, table_id),
            Join(who, table_id),
            Leave(who, table_id),
            PreAct(who, table_id, hand_id, chance.choice([*Choice])),
            SitOut(who, chance.choice([None, table_id]), chance.random() < 0.5, chance.random() < 0.3),
            SitOut(who, None, at_big_blind=False, is_on=False),
            WaitForBigBlind(who, table_id, chance.random() < 0.5),
            AutoTopUp(who, table_id, chance.random() < 0.5),
            TopUp(who, table_id, chance.choice([1, 100, 500, 1000]), self.room.key()),
            ConnectionLost(player_id, connection_of(player_id), is_last=chance.random() < 0.2),
        ]
        return chance.choice(messages)

    def _without_table(self, player_id: str) -> Message:
        if self.chance.random() < 0.1:
            return LeavePool(sender(player_id), self.pool)
        host = self.room.room.tables.hosts[self.pool]
        reserved = host.pool_table_of(player_id)
        if reserved is not None and self.chance.random() < 0.8:
            amount = self.chance.choice([100, 500, 1000])
            return Sit(sender(player_id), reserved.table_id, amount, self.room.key())
        buy_in = self.chance.choice([0, 100, 500, 1000])
        return JoinPool(sender(player_id), self.pool, buy_in, self.room.key(), wait_for_bb=self.chance.random() < 0.5)

    async def do_something(self) -> None:
        playing = [table for table in self.room.room.tables if table.phase is Phase.PLAYING]
        if playing and self.chance.random() < 0.8:
            await self._act(self.chance.choice(playing))
        elif self.chance.random() < 0.6:
            await self._send(self.message())
        else:
            await self.room.advance(self.chance.choice([100, 1_000, 4_000, 16_000]))

    async def _act(self, table: PokerTable) -> None:
        live = table.live
        player_id = self.room.to_act(table)
        if live is None or player_id is None or live.options is None:
            await self.room.advance(1_000)
            return
        chosen, amount = action(self.chance, live.options)
        table_id = table.terms.table_id
        await self._send(Join(sender(player_id), table_id))
        await self._send(
            ActInHand(sender(player_id), table_id, live.hand.hand_id, live.hand.turn, chosen, amount), may_fail=False
        )

    async def _send(self, message: Message, *, may_fail: bool = True) -> None:
        try:
            await self.room.ask(message)
        except Refusal as refusal:
            assert may_fail, (message, refusal)
            assert refusal.code != "internal", (message, refusal)
            self.refused[refusal.code] = self.refused.get(refusal.code, 0) + 1


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    with structlog.testing.capture_logs() as lines:
        yield lines


@pytest.mark.parametrize(("seed", "pool"), [(1, "nl10:EUR"), (2, "pl10-short:EUR"), (3, "banzai-nl1:EUR")])
async def test_random_play_keeps_every_chip_and_every_secret(
    database: Database, logged: list[Any], seed: int, pool: str
) -> None:
    chance = random.Random(seed)
    room = await RunningRoom.open(database, new_shoe=lambda: shuffled(chance), draw=chance.randrange, purse=PURSE)
    secret = Secrets(room)
    crowd = Crowd(room, chance, pool)
    for number in range(900):
        await crowd.do_something()
        secret.check()
        if number % 150 == 149:
            await room.checked()
            assert not any(table.paused for table in room.room.tables)
        if number in {300, 600}:
            room = crowd.room = await room.crash()
            secret = Secrets(room)
            await room.checked()
    async with database.reading() as connection:
        hands = (await connection.execute(select(poker_hands))).all()
        players = (await connection.execute(select(poker_hand_players))).all()
    assert len([hand for hand in hands if hand.status == "settled"]) > 20
    assert sum(player.staked - player.returned for player in players) == sum(hand.rake for hand in hands)
    balances = await balances_of(database)
    assert balances["rake:EUR"] == sum(hand.rake for hand in hands)
    owned = sum(amount for id_, amount in balances.items() if id_.startswith(("player:", "seat:")) and "zoe" not in id_)
    assert owned + balances["rake:EUR"] == PURSE * len(NAMES)
    errors = [line for line in logged if line["log_level"] == "error"]
    assert not errors
    await room.close()


class Secrets:
    """Follows every hand: no event to a connection has a hole card of somebody else before it is shown."""

    def __init__(self, room: RunningRoom) -> None:
        self.room = room
        self.seen: dict[Any, int] = {}
        self.holes: dict[str, dict[str, set[str]]] = {}

    def check(self) -> None:
        for table in self.room.room.tables:
            if table.live is not None:
                hand = table.live.hand
                self.holes[hand.hand_id] = {seat.player_id: set(table.live.hole(seat.player_id)) for seat in hand.seats}
        for connection, events in self.room.sent.received.items():
            owner = connection.sid.partition("-")[0]
            shown: set[str] = set()
            for name, payload in events[self.seen.get(connection, 0) :]:
                holes = self.holes.get(payload.get("hand_id", ""), {})
                if name == "step" and payload["kind"] == "shown":
                    shown |= set(payload["cards"])
                if name in {"cards", "options"}:
                    others = {card for player, cards in holes.items() if player != owner for card in cards}
                    assert not others & set(payload.get("cards", ())), "somebody else's cards"
                elif name == "step" and payload["kind"] != "shown":
                    shown = set(payload.get("cards", ()))
                    assert not shown & {card for cards in holes.values() for card in cards}
            self.seen[connection] = len(events)
