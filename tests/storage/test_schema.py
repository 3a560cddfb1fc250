"""Schema: the tables created by migrations match the declared ones, on both databases."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint, Connection, inspect

from casino.storage.database import Database
from casino.storage.schema import metadata

MONEY = {"accounts", "holds", "payments", "play_days", "postings", "settled_seats"} | {
    "poker_hand_players",
    "poker_hands",
    "poker_seats",
    "poker_sittings",
    "tournaments",
    "tournament_entries",
    "tickets",
}


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


def checks(connection: Connection) -> set[str]:
    tables = inspect(connection)
    return {str(check["name"]) for table in metadata.tables for check in tables.get_check_constraints(table)}


async def test_migrations_make_the_tables_that_the_code_uses(database: Database) -> None:
    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []


async def test_checks_are_those_of_the_code_and_on_sqlite_whole_numbers_besides(database: Database) -> None:
    declared = {
        str(constraint.name)
        for table in metadata.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, CheckConstraint)
    }
    if database.is_sqlite:
        declared |= {f"ck_{table}_whole_numbers" for table in MONEY}
    async with database.reading() as connection:
        assert await connection.run_sync(checks) == declared
