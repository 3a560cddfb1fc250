"""Multi-table tournaments of every kind, played out on virtual time: chips, places, prizes, moves and the books."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.finance.period import Period
from casino.finance.tournament_money import tournament_money
from casino.history.tickets import tickets_of
from casino.poker.betting import Action
from casino.poker.tournament.state import Status
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import ActInHand, Join, SitOut
from casino.poker_room.tournament.messages import BuyChips, RegisterEntry
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.storage.database import Database
from casino.storage.tournament_schema import tickets, tournament_entries, tournament_journal
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import PURSE, HouseOpened, TournamentHouse

KINDS: dict[str, dict[str, Any]] = {
    "freezeout": {"guarantee": 20_000, "structure": "hyper", "late_levels": 0},
    "progressive": {"bounty": {"kind": "progressive"}, "structure": "hyper", "late_levels": 0, "seats": 4},
    "satellite": {"satellite_to": "sunday-109", "total": 3000, "seats_guaranteed": 1, "late_levels": 0},
    "freeroll": {"total": 0, "added": 5000, "structure": "turbo", "late_levels": 0},
}


async def kinds_of_events(database: Database, tournament_id: str) -> list[str]:
    columns = tournament_journal.c
    query = select(columns.kind).where(columns.tournament_id == tournament_id).order_by(columns.seq)
    async with database.reading() as connection:
        return [str(kind) for kind in (await connection.execute(query)).scalars()]


async def places_of(database: Database, running: RunningTournament) -> list[int]:
    columns = tournament_entries.c
    query = select(columns.place).where(columns.tournament_id == running.tournament_id, columns.status == "ended")
    async with database.reading() as connection:
        return sorted(place for place in (await connection.execute(query)).scalars() if place is not None)


async def begin(house: TournamentHouse, players: int, **fields: Any) -> RunningTournament:  # noqa: ANN401
    running = await house.announce(**fields)
    await house.register(running, *(f"p{number}" for number in range(1, players + 1)))
    await house.advance(600_000)
    assert running.state.status is Status.RUNNING
    return running


@pytest.mark.parametrize("kind", KINDS)
async def test_fourteen_players_at_three_tables(house: HouseOpened, database: Database, kind: str) -> None:
    game = await house(14, seed=7)
    running = await begin(game, 14, **KINDS[kind])
    tables = len(running.tables)
    assert tables == (4 if kind == "progressive" else 3)
    state = await game.play_out(running)
    assert state.status is Status.FINISHED
    assert state.credited == sum(state.prizes) == state.pool + state.overlay + state.terms.added
    events = await kinds_of_events(database, running.tournament_id)
    assert events.count("table_closed") >= tables - 2
    assert "player_moved" in events
    balances = await game.checked()
    assert -balances["promo:EUR"] == state.overlay + state.terms.added
    async with database.reading() as connection:
        [money] = (await tournament_money(connection, Period(date(1970, 1, 1), date(9998, 12, 31))))["rows"]
    assert money["entries"] == 14 * state.terms.price.total
    assert (money["prizes"], money["paid_by_house"]) == (state.credited, state.overlay + state.terms.added)
    assert money["fees"] == state.fees == balances["fees:EUR"]
    assert money["entries"] + money["paid_by_house"] == money["prizes"] + money["bounties"] + money["fees"]
    if kind == "satellite":
        async with database.reading() as connection:
            values = (await connection.execute(select(tickets.c.value))).scalars().all()
            winner = await connection.scalar(select(tickets.c.player_id).limit(1))
            [own] = await tickets_of(connection, str(winner))
        assert (own["value"], own["status"], own["origin"]) == (10_900, "open", "satellite")
        assert values == [10_900] * len(values)
        assert balances["tickets:EUR"] == sum(values) > 0
    else:
        assert await places_of(database, running) == [*range(1, 15)]
    await game.verified()


async def test_moved_players_keep_chips_bank_and_connection(house: HouseOpened) -> None:
    game = await house(8, seed=3)
    running = await begin(game, 8, structure="hyper", late_levels=0, seats=4)
    await game.play(lambda: len(running.tables) < 2)
    moves = [
        payload
        for player in range(1, 9)
        for name, payload in game.sent.to_players[f"p{player}"]
        if name == "moved_table" and payload["reason"] == "balance"
    ]
    assert moves
    assert all(payload["from_table_id"] != payload["table_id"] for payload in moves)
    chips = sum(seat.stack for table in running.tables.values() for seat in table.seats.seats.values())
    assert chips == running.state.chips


async def test_a_late_entry_is_seated_at_once_and_a_busted_player_enters_again(house: HouseOpened) -> None:
    game = await house(8, seed=2)
    running = await begin(game, 5, structure="hyper", late_levels=6, reentries_max=1)
    await game.register(running, "p6")
    assert "p6" in running.seats["p6"].occupants
    await game.play(lambda: running.state.out > 0)
    out = next(entry.player_id for entry in running.state.entries.values() if entry.out_no is not None)
    if running.state.is_open:
        reply = await game.ask(RegisterEntry(sender(out), running.tournament_id, game.key()))
        assert running.state.entries[reply["entry_id"]].chips == running.state.terms.stack
        assert running.state.field_entries == 7
    await game.play_out(running)
    await game.checked()
    await game.verified()


async def test_rebuys_and_the_add_on_pause(house: HouseOpened) -> None:
    game = await house(6, seed=4)
    running = await begin(game, 6, structure="hyper", rebuy={"levels": 2}, addon={}, late_levels=0)
    offers: set[str] = set()

    def is_paused() -> bool:
        return running.state.pause is not None and running.state.pause.until_ms is not None

    def someone_busted() -> bool:
        return is_paused() or any(
            running.state.has_offer(entry.entry_id, game.clock()) for entry in running.state.entries.values()
        )

    while not is_paused() and running.state.is_open:
        await game.play(someone_busted)
        for entry in [*running.state.entries.values()]:
            if running.state.has_offer(entry.entry_id, game.clock()):
                message = BuyChips(sender(entry.player_id), running.tournament_id, game.key(), is_add_on=False)
                assert (await game.ask(message))["stack"] == running.state.terms.stack
                offers.add(entry.entry_id)
    if is_paused():
        player = next(iter(running.seats))
        message = BuyChips(sender(player), running.tournament_id, "add-on", is_add_on=True)
        first = await game.ask(message)
        assert await game.ask(message) == first, "the same key buys once"
        with pytest.raises(Refusal) as reused:
            await game.ask(BuyChips(sender(player), running.tournament_id, "add-on", is_add_on=False))
        assert reused.value.code is Code.KEY_REUSED
        assert running.entry_of(player).has_added_on  # type: ignore[union-attr]
    state = await game.play_out(running)
    assert state.pool == 900 * (6 + sum(entry.rebuys + entry.has_added_on for entry in state.entries.values()))
    assert offers or state.pool > 5400
    await game.checked()
    await game.verified()


async def test_too_few_entries_are_refunded(house: HouseOpened) -> None:
    game = await house(2)
    running = await game.announce(late_levels=0)
    await game.register(running, "p1", "p2")
    await game.advance(600_000)
    await game.settle()
    assert running.state.status is Status.CANCELLED
    balances = await game.checked()
    assert [balances[f"player:{player}:cash"] for player in ("p1", "p2")] == [PURSE, PURSE]
    assert len(game.announcements("p1", "cancelled")) == 1
    await game.verified()


async def test_a_break_waits_for_all_tables_and_holds_the_level_clock(house: HouseOpened, database: Database) -> None:
    game = await house(6, seed=5)
    wait_ms = (51 * 60_000 + 30_000 - game.clock()) % 3_600_000  # level 2 begins 30 seconds before the break
    running = await game.announce(structure="hyper", late_levels=0, wait_ms=wait_ms)
    await game.register(running, *(f"p{number}" for number in range(1, 7)))
    await game.advance(wait_ms)
    for player in range(1, 7):
        await game.ask(SitOut(sender(f"p{player}"), None, at_big_blind=False, is_on=True))
    for _ in range(1_000):
        if running.state.pause is not None and running.state.pause.until_ms is not None:
            break
        await game.step()
    pause = running.state.pause
    assert pause is not None
    assert pause.until_ms is not None
    assert (pause.until_ms - 300_000) % 3_600_000 >= 55 * 60_000
    clock = running.state.running_ms(game.clock())
    await game.advance(299_000)
    assert running.state.running_ms(game.clock()) == clock
    assert all(table.is_at_rest for table in running.tables.values())
    hands = running.tables[1].hand_no
    await game.advance(5_000)
    assert running.state.pause is None
    assert running.tables[1].hand_no > hands
    events = await kinds_of_events(database, running.tournament_id)
    assert events.index("pause_due") < events.index("pause_began") < events.index("pause_ended")


async def test_a_spectator_sees_a_table_and_no_hole_cards(house: HouseOpened) -> None:
    game = await house(7)
    running = await begin(game, 6, structure="hyper", late_levels=0)
    await game.play(lambda: running.tables[1].phase is Phase.PLAYING)
    table_id = running.tables[1].terms.table_id
    watching = sender("p7")
    assert watching.connection is not None
    snapshot = await game.ask(Join(watching, table_id))
    assert (snapshot["seat"], snapshot["cards"], snapshot["options"]) == (None, None, None)
    assert snapshot["hand"]["hand_id"] == running.tables[1].live.hand.hand_id  # type: ignore[union-attr]
    number = running.tables[1].hand_no
    await game.play(lambda: running.tables[1].hand_no > number + 1)
    heard = {name for name, _ in game.sent.received[watching.connection]}
    assert "step" in heard
    assert not {"cards", "options", "seat"} & heard
    live = running.tables[1].live
    assert live is not None
    with pytest.raises(Refusal) as refusal:
        await game.ask(ActInHand(watching, table_id, live.hand.hand_id, live.hand.turn, Action.FOLD))
    assert refusal.value.code is Code.NOT_IN_ROUND
