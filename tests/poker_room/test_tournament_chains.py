"""Tournaments that lead to others: flights to a second phase, satellites to their target; tickets that expire."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select

from casino.history.tournament_results import results_page
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.poker.tournament.hexapro import draw_commitment
from casino.poker.tournament.state import Status
from casino.poker_room.tournament.messages import RegisterEntry, RegisterHexa, UnregisterEntry
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.staff_messages import ViewTournamentFloor
from casino.settings.poker.schedule import Schedule, TournamentRow
from casino.storage.database import Database
from casino.storage.tournament_schema import tickets, tournament_journal
from casino.users.credit import Credit
from casino.users.promotion_tickets import issue_ticket
from casino.users.roles import Actor, Role
from casino.users.users import User
from tests.poker_room.running_room import sender
from tests.poker_room.stored_tables import NOON_MS, SEAL
from tests.poker_room.test_multi_table import begin
from tests.poker_room.tournament_house import PURSE, HouseOpened, TournamentHouse, published

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS


def at(minutes: int) -> datetime:
    return datetime.fromtimestamp(NOON_MS / 1000 + 60 * minutes, UTC)


FLIGHTS = published(
    **{
        "schedule.toml": Schedule(
            tournament=[
                TournamentRow(id="final", name="The Final", at=at(60), total=0, phase_two=True, guarantee=20_000),
                *(
                    TournamentRow(
                        id=f"flight-{number}",
                        name=f"Flight {number}",
                        at=at(5 + number),
                        total=1000,
                        structure="hyper",
                        late_levels=1,
                        flight_of="final",
                        flight_ends_level=2,
                    )
                    for number in (1, 2)
                ),
            ]
        )
    }
)


def of(game: TournamentHouse, source: str) -> RunningTournament:
    return next(one for one in game.room.tournaments.running.values() if one.spec.source == source)


async def test_survivors_of_two_flights_play_for_the_whole_pool(house: HouseOpened) -> None:
    """Player 1 enters both and brings the larger stack only."""
    game = await house(9, settings=FLIGHTS)
    final, first, second = of(game, "final-eur"), of(game, "flight-1-eur"), of(game, "flight-2-eur")
    await game.register(first, "p1", "p2", "p3", "p4")
    await game.register(second, "p1", "p5", "p6", "p7")
    await game.play(lambda: first.state.status is second.state.status is Status.FINISHED)
    balances = await game.checked_with("final-eur")
    assert balances["mtt:final-eur:pool:EUR"] == 8 * 900
    await game.verified()
    game = await game.crash()
    final = of(game, "final-eur")
    await game.play(lambda: final.state.status is Status.RUNNING)
    stacks = {entry.player_id: entry.chips for entry in final.state.entries.values()}
    survivors = [entry for flight in (first, second) for entry in flight.state.entries.values() if entry.chips]
    assert stacks == {
        entry.player_id: max(one.chips for one in survivors if one.player_id == entry.player_id) for entry in survivors
    }
    assert (final.state.field_entries, final.state.pool, final.state.overlay) == (8, 7200, 12_800)
    state = await game.play_out(final)
    assert state.status is Status.FINISHED
    assert sum(state.prizes) == 20_000
    balances = await game.checked_with("final-eur")
    assert balances["mtt:final-eur:pool:EUR"] == balances["mtt:final-eur:fees:EUR"] == 0
    assert balances["fees:EUR"] == 800
    won = sum(balances[f"player:p{number}:cash"] - PURSE for number in range(1, 10))
    assert won == 20_000 - 8 * 1000
    await game.verified()
    await game.close()


async def test_a_second_phase_without_survivors_is_cancelled(house: HouseOpened) -> None:
    game = await house(2, settings=FLIGHTS)
    final = of(game, "final-eur")
    await game.advance(61 * MINUTE_MS)
    assert final.state.status is Status.CANCELLED
    await game.verified()


async def test_satellite_winners_are_entered_unless_they_are_in_already(house: HouseOpened, database: Database) -> None:
    target = TournamentRow(id="big", name="The Big One", at=at(600), total=2500)
    game = await house(6, seed=4, settings=published(**{"schedule.toml": Schedule(tournament=[target])}))
    big = of(game, "big-eur")
    await game.register(big, "p1")
    satellite = await begin(game, 6, structure="hyper", late_levels=0, satellite_to="big", total=1000)
    state = await game.play_out(satellite)
    assert state.tickets == 2
    await game.settle()
    async with database.reading() as connection:
        rows = (await connection.execute(select(tickets).order_by(tickets.c.id))).all()
    winners = {row.player_id: row for row in rows}
    assert len(winners) == 2
    for player_id, row in winners.items():
        is_in_by_money = player_id == "p1"
        assert row.status == ("open" if is_in_by_money else "used")
        assert player_id in big.state.latest
        if not is_in_by_money:
            [entered] = game.announcements(player_id, "entered")
            assert entered["tournament_id"] == big.tournament_id
            back = UnregisterEntry(sender(player_id), entered["entry_id"], "back")
            assert (await game.ask(back))["returned"] == "ticket"
            again = RegisterEntry(sender(player_id), big.tournament_id, "again", row.id)
            await game.ask(again)
    game = await game.crash()
    assert len(of(game, "big-eur").state.entries) == len({"p1", *winners})
    await game.verified()
    await game.close()


@pytest.mark.parametrize("origin", ["refund", "promotion"])
async def test_an_expired_ticket_is_money_only_if_players_paid_for_it(
    house: HouseOpened, database: Database, origin: str
) -> None:
    game = await house(2)
    ticket = {"id": "t1", "player_id": "p1", "value": 700, "currency": "EUR", "origin": origin, "status": "open"}
    times = {"issued_ms": game.clock() - 365 * DAY_MS, "expires_ms": game.clock() + MINUTE_MS}
    async with database.writing() as connection:
        book = Book(connection)
        await book.open_accounts([accounts.promo("EUR"), accounts.tickets("EUR")])
        granted = move(700, accounts.promo("EUR"), accounts.tickets("EUR"))
        if origin == "promotion":
            player = User("p1", "p1", Role.PLAYER, "EUR", is_disabled=False, created_ms=0)
            fay, issued_ms = Actor("Fay", "finance"), times["expires_ms"] - 365 * DAY_MS
            await issue_ticket(connection, player, Credit(700, "a prize", "t1"), fay, issued_ms)
        else:
            await book.post(Operation("granted", "ticket_granted", (granted,), "t1"), game.clock())
            await connection.execute(insert(tickets).values(ticket | times))
    await game.advance(2 * 60 * MINUTE_MS)
    balances = await game.checked()
    assert balances["player:p1:cash"] - PURSE == (700 if origin == "refund" else 0)
    assert (balances["tickets:EUR"], balances["promo:EUR"]) == (0, -700 if origin == "refund" else 0)
    await game.verified()


async def test_results_have_places_prizes_and_draws(house: HouseOpened, database: Database) -> None:

    game = await house()
    running = game.sit_and_go("sng-2-1000-eur")
    await game.register(running, "p1", "p2")
    await game.play_out(running)
    for player in ("p1", "p2", "p3"):
        await game.ask(RegisterHexa(sender(player), "classic", 100, 1, f"hexa-{player}"))
    await game.play(lambda: len([one for one in game.room.tournaments.running.values() if one.reveal]) == 0)
    async with database.reading() as connection:
        results, following = await results_page(connection, "p1", SEAL.open_text)
        [newest], after = await results_page(connection, "p1", SEAL.open_text, limit=1)
        older, _ = await results_page(connection, "p1", SEAL.open_text, limit=1, before=after)
        [hexa], _ = await results_page(connection, "p1", SEAL.open_text, kind="hexapro")
    assert following is None
    assert [newest, *older] == results
    assert [result["kind"] for result in results] == ["hexapro", "sng"]
    assert results[1]["place"] in (1, 2)
    assert results[1]["won"] == (1920 if results[1]["place"] == 1 else 0)
    draw = hexa["draw"]
    assert draw is not None

    assert draw["secret"] is not None
    assert draw_commitment(draw["secret"], draw["number"]) == draw["commitment"]


async def test_an_unreadable_tournament_is_shown_and_goes_to_charity_after_90_days(
    house: HouseOpened, database: Database
) -> None:
    game = await house()
    running = game.sit_and_go("sng-5-1000-eur")
    await game.register(running, "p1", "p2")
    event = '{"kind": "of a later version", "version": 9}'
    await _append_row(database, running, event)
    game = await game.crash()
    [kept] = (await game.ask(ViewTournamentFloor()))["unreadable"]
    assert (kept["tournament_id"], kept["entries"], kept["money"]) == (running.tournament_id, 2, 2000)
    game = await game.crash(after_ms=91 * DAY_MS)
    assert not (await game.ask(ViewTournamentFloor()))["unreadable"]
    balances = await game.checked()
    assert balances["charity:EUR"] == 2000
    assert balances[f"mtt:{running.tournament_id}:pool:EUR"] == 0
    await game.close()


async def _append_row(database: Database, running: RunningTournament, event: str) -> None:
    row = {
        "tournament_id": running.tournament_id,
        "seq": 1_000_000,
        "kind": "later",
        "at_ms": NOON_MS,
        "event": event,
        "digest": "0" * 64,
    }
    async with database.writing() as connection:
        await connection.execute(insert(tournament_journal).values(row))
