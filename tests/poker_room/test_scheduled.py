"""The schedule: tournaments are announced when their registration opens, once, and start on time."""

import pytest

from casino.errors import Code, Refusal
from casino.poker.tournament.state import Status
from casino.poker_room.tournament.messages import RegisterEntry
from casino.settings.poker.schedule import Schedule, TournamentRow
from casino.storage.database import Database
from casino.users.roles import Actor, Role
from casino.users.users import Users
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import HouseOpened, TournamentHouse, published

HOUR_MS = 3_600_000
ROWS = [
    TournamentRow(
        id="hourly", name="Hourly", every="hour :30", total=500, structure="hyper", registration_opens_minutes=90
    ),
    TournamentRow(
        id="free", name="Freeroll", every="hour :45", total=0, added=1000, requirements=["verified"],
        registration_opens_minutes=60,
    ),
]  # fmt: skip
SETTINGS = published(**{"schedule.toml": Schedule(tournament=ROWS)})


def starts_of(house: TournamentHouse, source: str) -> list[int]:
    """Minutes from now to the starts of what is announced."""
    found = (running for running in house.room.tournaments.running.values() if running.spec.source == source)
    return sorted((running.state.terms.starts_ms - house.clock()) // 60_000 for running in found)


async def test_tournaments_are_announced_when_registration_opens(house: HouseOpened) -> None:
    game = await house(settings=SETTINGS)  # at noon
    assert starts_of(game, "hourly-eur") == [30, 90]
    assert starts_of(game, "free-eur") == [45]
    await game.advance(HOUR_MS // 2 - 1)
    game = await game.crash()
    assert starts_of(game, "hourly-eur") == [0, 60]
    await game.advance(60_000)
    assert starts_of(game, "hourly-eur") == [59], "the first one had no players and is cancelled"
    await game.advance(HOUR_MS // 2)
    assert starts_of(game, "hourly-eur") == [29, 89]
    await game.verified()
    await game.close()


async def test_a_scheduled_tournament_starts_on_time(house: HouseOpened) -> None:
    game = await house(settings=SETTINGS)
    running = next(one for one in game.room.tournaments.running.values() if one.spec.source == "hourly-eur")
    await game.register(running, "p1", "p2", "p3")
    await game.advance(HOUR_MS // 2 - 1)
    assert not running.tables
    await game.advance(1)
    assert len(running.tables) == 1
    state = await game.play_out(running)
    assert state.status is Status.FINISHED
    await game.checked()


async def test_accounts_that_do_not_meet_the_requirements_are_refused(house: HouseOpened, database: Database) -> None:
    game = await house(settings=SETTINGS)
    running = next(one for one in game.room.tournaments.running.values() if one.spec.source == "free-eur")
    with pytest.raises(Refusal) as refusal:
        await game.ask(RegisterEntry(sender("p1"), running.tournament_id, "guest"))
    assert refusal.value.code is Code.REQUIREMENTS_NOT_MET
    assert not running.state.entries
    async with database.writing() as connection:
        boss = Actor("boss", "admin")
        user = await Users(connection).add("Ann", Role.PLAYER, "EUR", password_hash="-", by=boss, at_ms=1)  # noqa: S106
    await game.ask(RegisterEntry(sender(user.id), running.tournament_id, "account"))
    assert len(running.state.entries) == 1
