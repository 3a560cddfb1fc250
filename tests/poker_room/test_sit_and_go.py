"""Sit & Go: registration, play to the end, prizes and fees, on virtual time and a real database."""

import pytest
from sqlalchemy import select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from casino.errors import Code, Refusal
from casino.poker.tournament.state import Status
from casino.poker_room.tournament.messages import RegisterEntry, UnregisterEntry
from casino.storage.database import Database
from casino.storage.hash_chain import Head
from casino.storage.tournament_schema import tournament_entries
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import HouseOpened, TournamentHouse, purses_of

FIVE, TWO = "sng-5-1000-eur", "sng-2-1000-eur"
PLAYERS = ("p1", "p2", "p3", "p4", "p5")


async def refused(house: TournamentHouse, message: RegisterEntry | UnregisterEntry) -> Code:
    with pytest.raises(Refusal) as refusal:
        await house.ask(message)
    return refusal.value.code


async def test_five_players_play_and_two_are_paid(house: HouseOpened, database: Database) -> None:
    game = await house()
    running = game.sit_and_go(FIVE)
    await game.register(running, *PLAYERS)
    assert running.state.status is Status.RUNNING
    assert (await game.checked())[f"mtt:{running.tournament_id}:pool:EUR"] == 4750
    state = await game.play_out(running)
    assert state.status is Status.FINISHED
    balances = await game.checked()
    assert balances["fees:EUR"] == 250
    assert sorted(purses_of(balances, PLAYERS)) == [-1000, -1000, -1000, 1662 - 1000, 3088 - 1000]
    assert [len(game.announcements(player, "eliminated")) for player in PLAYERS].count(1) == 4
    async with database.reading() as connection:
        columns = tournament_entries.c
        query = select(columns.place, columns.paid, columns.won, columns.status).order_by(columns.place)
        rows = [tuple(row) for row in await connection.execute(query)]
    assert rows == [(place, 1000, won, "ended") for place, won in enumerate((3088, 1662, 0, 0, 0), 1)]
    await game.verified()


async def test_the_next_game_opens_when_one_starts(house: HouseOpened) -> None:
    game = await house()
    first = game.sit_and_go(TWO)
    await game.register(first, "p1", "p2")
    following = game.sit_and_go(TWO)
    assert following.tournament_id != first.tournament_id
    assert await refused(game, RegisterEntry(sender("p3"), first.tournament_id, "late")) is Code.REGISTRATION_CLOSED
    await game.register(following, "p1")


async def test_an_entry_comes_back_before_the_start_and_not_after(house: HouseOpened) -> None:
    game = await house()
    running = game.sit_and_go(TWO)
    [entry] = await game.register(running, "p1")
    again = UnregisterEntry(sender("p1"), entry, "back")
    assert (await game.ask(again))["available"] == (await game.ask(again))["available"] == 1_000_000
    assert (await game.checked())[f"mtt:{running.tournament_id}:pool:EUR"] == 0
    [first, second] = await game.register(running, "p1", "p2")
    assert await refused(game, UnregisterEntry(sender("p1"), first, "late")) is Code.TOO_LATE
    assert await refused(game, UnregisterEntry(sender("p1"), second, "not mine")) is Code.NOT_REGISTERED


async def test_a_repeated_key_is_one_entry(house: HouseOpened) -> None:
    game = await house()
    running = game.sit_and_go(FIVE)
    message = RegisterEntry(sender("p1"), running.tournament_id, "once")
    assert await game.ask(message) == await game.ask(message)
    other = game.sit_and_go(TWO)
    assert await refused(game, RegisterEntry(sender("p1"), other.tournament_id, "once")) is Code.KEY_REUSED
    assert await refused(game, RegisterEntry(sender("p1"), running.tournament_id, "two")) is Code.ALREADY_REGISTERED


async def test_entry_that_the_database_refuses_stops_no_tournament(
    house: HouseOpened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a value of one guest stops a tournament that others have paid for."""
    game = await house()
    running = game.sit_and_go(FIVE)
    await game.register(running, "p1")
    for failure, code in ((IntegrityError, Code.KEY_REUSED), (DataError, Code.INTERNAL)):

        async def refuse(_appended: object, failure: type[DBAPIError] = failure) -> Head:
            raise failure("INSERT", {}, Exception("refused"))

        monkeypatch.setattr(game.room.tournaments.journals, "append", refuse)
        assert await refused(game, RegisterEntry(sender("p2"), running.tournament_id, "a key")) is code
        monkeypatch.undo()
    await game.register(running, "p2")
    assert len(running.state.entries) == 2
    await game.checked()


async def test_players_without_money_or_with_another_currency_are_refused(house: HouseOpened) -> None:
    game = await house()
    running = game.sit_and_go(FIVE)
    message = RegisterEntry(sender("zoe", currency="FUN"), running.tournament_id, "fun")
    assert await refused(game, message) is Code.FORBIDDEN
    stranger = RegisterEntry(sender("nobody"), running.tournament_id, "poor")
    assert await refused(game, stranger) is Code.INSUFFICIENT_FUNDS
    invented = RegisterEntry(sender("p1"), running.tournament_id, "ticket", "sng-1-1")
    assert await refused(game, invented) is Code.TICKET_UNUSABLE
    assert not running.state.entries
    await game.register(running, "p1")  # a refusal stops nothing


async def test_absent_players_are_blinded_off(house: HouseOpened) -> None:
    """Nobody comes: the blinds decide."""
    game = await house()
    running = game.sit_and_go(TWO)
    await game.register(running, "p1", "p2")
    for _ in range(20_000):
        if running.tournament_id not in game.room.tournaments.running:
            break
        await game.step()
    assert running.state.status is Status.FINISHED
    assert sorted(purses_of(await game.checked(), ("p1", "p2"))) == [-1000, 920]
