"""Kinds of money: stored with the account; a contradicting configuration keeps the service from starting."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from casino.settings import ConfigurationError, ServiceSettings
from casino.settings.service import Guests, Service
from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.schema import users
from casino.storage.url import async_url
from casino.users.guests import add_guest
from casino.users.money_kinds import verify_currencies
from casino.users.roles import Actor, Role
from casino.users.users import Users
from tests.service import CASINO
from tests.users.conftest import NOON_MS


async def people(database: Database) -> None:
    """Ann with euros and a guest with play money."""
    async with database.writing() as connection:
        by = Actor("Ann", Role.PLAYER)
        await Users(connection).add("Ann", Role.PLAYER, "EUR", password_hash="x", by=by, at_ms=NOON_MS)  # noqa: S106
    async with database.writing() as connection:
        await add_guest(connection, Guests(), NOON_MS)


def user_store(service: str, guests: str) -> ServiceSettings:
    changed = {"service": Service(currency=service), "guests": Guests(currency=guests)}
    return ServiceSettings().model_copy(update=changed)


@pytest.mark.parametrize(
    ("service", "guests", "key"),
    [
        ("EUR", "FUN", None),
        ("FUN", "PLY", "service.currency"),
        ("USD", "FUN", "service.currency"),
        ("EUR", "PLY", "guests.currency"),
        ("USD", "EUR", "guests.currency"),
    ],
)
async def test_configured_currencies_must_agree_with_the_accounts(
    database: Database, service: str, guests: str, key: str | None
) -> None:
    await people(database)
    async with database.reading() as connection:
        if key is None:
            await verify_currencies(connection, user_store(service, guests))
            return
        with pytest.raises(ConfigurationError) as refused:
            await verify_currencies(connection, user_store(service, guests))
    assert key in {fault.key for fault in refused.value.faults}


@pytest.mark.parametrize("service", ["EUR", "USD"])
async def test_second_currency_of_real_money_keeps_the_service_from_starting(database: Database, service: str) -> None:
    """Whichever of the two is configured: the other was made under a wrong configuration."""
    await people(database)
    async with database.writing() as connection:
        by = Actor("Carl", Role.PLAYER)
        await Users(connection).add("Carl", Role.PLAYER, "USD", password_hash="x", by=by, at_ms=NOON_MS)  # noqa: S106
    async with database.reading() as connection:
        with pytest.raises(ConfigurationError) as refused:
            await verify_currencies(connection, user_store(service, "FUN"))
    (fault,) = refused.value.faults
    assert fault.key == "service.currency"
    assert "EUR and USD" in fault.reason


async def test_empty_database_takes_any_currencies(database: Database) -> None:
    async with database.reading() as connection:
        await verify_currencies(connection, user_store("SEK", "TOY"))


async def test_kind_of_money_never_changes(database: Database) -> None:
    await people(database)
    for change in ("play_money = 0", "play_money = 1", "currency = 'SEK'"):
        with pytest.raises(DBAPIError, match="keeps its kind of money"):
            async with database.writing() as connection:
                await connection.execute(text(f"UPDATE users SET {change}"))  # noqa: S608


async def test_service_refuses_to_start_with_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/casino.db"
    database = await Database.open(url)
    await people(database)
    await database.close()
    config = tmp_path / "config"
    (config / "tables").mkdir(parents=True)
    (config / "casino.toml").write_text('[service]\ncurrency = "FUN"\n[guests]\ncurrency = "EUR"\n')
    command = [sys.executable, str(CASINO), "serve", "--config", str(config), "--database", url, "--port", "0"]
    process = await asyncio.create_subprocess_exec(*command, stderr=subprocess.PIPE)
    _, said = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert b"service.currency: accounts in this database hold play money in FUN" in said
    assert b"Traceback" not in said


async def test_migration_finds_guests_by_the_audit_log_and_not_by_their_currency(empty_database_url: str) -> None:
    database = Database(engines_of(async_url(empty_database_url), BUSY_SECONDS))
    async with database.writing() as connection:
        await migrate(connection, "0008")
        for name, actor, role in (("a", "guests", "system"), ("b", "guests", "player"), ("c", "root", "operator")):
            values = f"('{name}', '{name}', '{name}', 'player', NULL, 'EUR', 0, 1)"
            columns = "id, name, name_folded, role, password_hash, currency, disabled, created_ms"
            await connection.execute(text(f"INSERT INTO users ({columns}) VALUES {values}"))  # noqa: S608
            row = f"({ord(name)}, 1, '{actor}', '{role}', 'user_added', 'user {name}', '', '', '', '', '')"
            await connection.execute(text(f"INSERT INTO audit VALUES {row}"))  # noqa: S608
        await migrate(connection)
        found = await connection.execute(select(users.c.id).where(users.c.play_money == 1))
        assert found.scalars().all() == ["a"], "one who registered under the name guests holds real money"
    await database.close()
