"""Planted faults: the simulation finds each of them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from casino.cards.card import Card
from casino.cards.seeded_shuffle import ServerSeed
from casino.cards.shuffle import new_server_seed
from casino.chat import tips
from casino.ledger import accounts
from casino.ledger.book import Book, Holds
from casino.ledger.posting import Operation, move
from casino.live_table import journal, recovery
from casino.live_table.actor import TableActor
from casino.live_table.attendance import Attendance
from casino.live_table.auto_dealer import AutoDealer
from casino.live_table.broadcaster import Broadcaster
from casino.live_table.messages import FromSeat, Message
from casino.live_table.recovery import Recovered, recover
from casino.storage.database import Database
from casino.storage.schema import holds as hold_rows
from casino.storage.schema import seats
from casino.uth.commands import PlaceBet
from casino.uth.events import BettingClosed, DecisionMade, Event
from casino.uth.state import Round
from casino.wire.outbound import Payload
from tests.simulation.plan import Disk, Net, Plan
from tests.simulation.run import run_seed
from tests.simulation.world import Broken

Plant = Callable[[pytest.MonkeyPatch], None]

HONEST = Plan(0, 4, ("shared",), 8, Disk(), Net(duplicate_rate=0.3), crashes=15, stops=0)
"""Nothing goes wrong but crashes, so that what is found is what was planted."""


def acknowledged_before_stored(bug: pytest.MonkeyPatch) -> None:
    post = TableActor.post

    def hasty(self: TableActor, message: Message, at_ms: int) -> "asyncio.Future[Payload]":
        stored = post(self, message, at_ms)
        if not isinstance(message, FromSeat) or not isinstance(bet := message.command, PlaceBet):
            return stored
        acknowledged: asyncio.Future[Payload] = asyncio.get_running_loop().create_future()
        acknowledged.set_result({"bets": {"ante": bet.ante}, "available": 0})
        return acknowledged

    bug.setattr(TableActor, "post", hasty)


def tips_without_their_key(bug: pytest.MonkeyPatch) -> None:
    number = iter(range(10**6))
    bug.setattr(tips.Tip, "operation_key", property(lambda tip: f"tip:{tip.player_id}:{tip.key}:{next(number)}"))


def paid_twice_by_recovery(bug: pytest.MonkeyPatch) -> None:
    async def generous(database: Database, within: Mapping[str, int], now_ms: int) -> Recovered:
        recovered = await recover(database, within, now_ms)
        for round_id in recovered.outcomes:
            async with database.writing() as connection:
                query = select(seats.c.player_id, seats.c.currency).where(seats.c.round_id == round_id)
                money = tuple(
                    move(100, accounts.house(currency), accounts.player_cash(player, currency))
                    for player, currency in await connection.execute(query)
                )
                if money:
                    again = Operation(f"{round_id}:again {now_ms}", "settlement", money, "system", round_id=round_id)
                    await Book(connection).post(again, now_ms)
        return recovered

    bug.setattr(recovery, "recover", generous)


def holds_never_released(bug: pytest.MonkeyPatch) -> None:
    async def forgetful(self: Holds) -> None:
        ended = update(hold_rows).where(hold_rows.c.round_id == self._round_id, hold_rows.c.status == "open")
        await self._connection.execute(ended.values(status="released"))

    bug.setattr(Holds, "release", forgetful)


def dealer_card_leaked(bug: pytest.MonkeyPatch) -> None:
    decks: dict[str, tuple[Card, ...]] = {}
    draw, tell = AutoDealer.card, Broadcaster.round_payload

    async def remember(self: AutoDealer, round_: Round) -> Card:
        drawn = await draw(self, round_)
        assert self._deck is not None
        decks[round_.round_id] = self._deck
        return drawn

    def leak(self: Broadcaster, round_: Round | None, now_ms: int) -> Payload:
        view = tell(self, round_, now_ms)
        deck = decks.get(view["round_id"] or "")
        return view | {"next": [deck[7]]} if deck and len(view["board"]) < 5 else view

    bug.setattr(AutoDealer, "card", remember)
    bug.setattr(Broadcaster, "round_payload", leak)


def another_shoe_after_a_crash(bug: pytest.MonkeyPatch) -> None:
    async def reshuffled(_self: AutoDealer, _round: Round) -> ServerSeed:
        return new_server_seed()

    bug.setattr(AutoDealer, "_stored_seed", reshuffled)


def contributed_seeds_not_written_down(bug: pytest.MonkeyPatch) -> None:
    stored = journal.stored

    def careless(events: Sequence[Event]) -> list[Event]:
        return [_without_seeds(event) if isinstance(event, BettingClosed) else event for event in stored(events)]

    bug.setattr(journal, "stored", careless)


def _without_seeds(event: BettingClosed) -> BettingClosed:
    return replace(event, stakes=tuple(stake._replace(seed=None) for stake in event.stakes))


def decisions_not_written_down(bug: pytest.MonkeyPatch) -> None:
    stored = journal.stored

    def careless(events: Sequence[Event]) -> list[Event]:
        kept = stored(events)
        return [event for event in kept if not isinstance(event, DecisionMade)] or kept[:0]

    bug.setattr(journal, "stored", careless)


def bets_of_departed_players_kept(bug: pytest.MonkeyPatch) -> None:
    async def keep(self: Attendance) -> None:
        self.departures.clear()

    bug.setattr(Attendance, "return_bets", keep)


PLANTS: dict[Plant, Plan] = {
    acknowledged_before_stored: HONEST,
    tips_without_their_key: replace(HONEST, tables=("presenter",), rounds=10, players=8, crashes=0),
    paid_twice_by_recovery: HONEST,
    holds_never_released: HONEST,
    dealer_card_leaked: HONEST,
    another_shoe_after_a_crash: HONEST,
    contributed_seeds_not_written_down: HONEST,
    decisions_not_written_down: HONEST,
    bets_of_departed_players_kept: replace(HONEST, net=Net(cuts=6), crashes=0),
}


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__)
def test_a_planted_fault_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Broken):
        run_seed(0, plan=PLANTS[plant])


@pytest.mark.parametrize("plan", set(map(repr, PLANTS.values())))
def test_the_same_evening_without_the_fault_passes(plan: str) -> None:
    run_seed(0, plan=next(planned for planned in PLANTS.values() if repr(planned) == plan))
