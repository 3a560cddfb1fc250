"""Running poker rooms for the tests of this folder."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from casino.storage.database import Database
from tests.poker_room.running_room import Opened, RunningRoom
from tests.poker_room.tournament_house import HouseOpened, TournamentHouse


@pytest.fixture
async def opened(database: Database) -> AsyncIterator[Opened]:
    """Opens a room; it is stopped after the test."""
    rooms: list[RunningRoom] = []

    async def open_room(*decks: str, **options: Any) -> RunningRoom:  # noqa: ANN401
        rooms.append(await RunningRoom.open(database, *decks, **options))
        return rooms[-1]

    yield open_room
    for room in rooms:
        await room.close()


@pytest.fixture
async def house(database: Database) -> AsyncIterator[HouseOpened]:
    """Opens a room with Sit & Gos; it is stopped after the test."""
    houses: list[TournamentHouse] = []

    async def open_house(players: int = 6, **options: Any) -> TournamentHouse:  # noqa: ANN401
        houses.append(await TournamentHouse.open(database, players, **options))
        return houses[-1]

    yield open_house
    for one in houses:
        await one.close()
