"""Initial state of a simulation: tables with short windows, accounts with money, and signed-in users."""

import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.settings import ServiceSettings, Settings, TableSettings
from casino.settings.service import Sockets
from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.url import async_url
from casino.users.roles import Actor, Role
from casino.users.sessions import DAY_MS, Lifetime, Sessions
from casino.users.users import Users
from tests.databases import sqlite_url
from tests.simulation.loop import VirtualLoop
from tests.simulation.seeded_random import seeded_secrets
from tests.simulation.sqlite import share_compiled, sqlite_at_once

BEGIN_MS: Final = 1_790_000_000_000
LIFETIME: Final = Lifetime(unused_ms=30 * DAY_MS, all_ms=90 * DAY_MS)
PURSE: Final = 2_000_000
PLAYERS_MAX: Final = 30
SECONDS: Final = {
    "betting": 3.0,
    "decide_preflop": 2.0,
    "decide_flop": 2.0,
    "decide_river": 2.0,
    "between_rounds": 0.2,
    "round_min": 1.0,
    "card": 0.05,
    "confirm": 0.1,
    "resume_within": 60.0,
}
_MORE: Final[dict[str, dict[str, Any]]] = {
    "shared": {},
    "own": {"hands": "own", "seats": 7},
    "presenter": {"dealing": "presenter"},
}


@dataclass(frozen=True)
class Account:
    id: str
    token: str


@dataclass(frozen=True)
class People:
    players: Sequence[Account]
    presenter: Account
    manager: Account


def settings_of(kinds: Sequence[str]) -> Settings:
    tables = [
        TableSettings.model_validate({"id": kind, "name": f"Table {kind}", "seconds": SECONDS, **_MORE[kind]})
        for kind in kinds
    ]
    service = ServiceSettings().model_copy(update={"sockets": Sockets(ping_seconds=4.0, pong_seconds=2.0)})
    return Settings(service, tuple(tables))


def connected(url: str) -> Database:
    """As the service opens it, but for the migrations: they are done."""
    database = Database(engines_of(async_url(url), BUSY_SECONDS))
    if database.is_sqlite:
        share_compiled(database)
    return database


async def furnish(url: str) -> People:
    """Migrates, and adds all users; half of the players have play money."""
    database = await Database.open(url)
    sessions = Sessions(database, LIFETIME, lambda: BEGIN_MS)
    people = []
    with seeded_secrets(Random("people")):
        async with database.writing() as connection:
            by = Actor("simulation", "system")
            names = [("paula", Role.PRESENTER), ("max", Role.MANAGER)]
            names += [(f"player {number}", Role.PLAYER) for number in range(PLAYERS_MAX)]
            for number, (name, role) in enumerate(names):
                currency = "FUN" if number % 2 else "EUR"
                user = await Users(connection).add(name, role, currency, password_hash=None, by=by, at_ms=BEGIN_MS)
                people.append(Account(user.id, await sessions.begin(connection, user)))
                if role is Role.PLAYER:
                    book = Book(connection)
                    cashier, purse = accounts.cashier(currency), accounts.player_cash(user.id, currency)
                    await book.open_accounts([cashier])
                    credit = Operation(f"seed:{user.id}", "credit", (move(PURSE, cashier, purse),), "simulation")
                    await book.post(credit, BEGIN_MS)
    await database.close()
    presenter, manager, *players = people
    return People(players, presenter, manager)


@cache
def template(folder: Path) -> People:
    """A furnished SQLite file, made once and copied for every run."""
    loop = VirtualLoop()
    try:
        with sqlite_at_once():
            people = loop.run_until_complete(furnish(sqlite_url(folder)))
    finally:
        loop.close()
    raw = sqlite3.connect(folder / "casino.db")
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    return people


def copy_of(folder: Path, target: Path) -> str:
    shutil.copy(folder / "casino.db", target / "casino.db")
    return sqlite_url(target)
