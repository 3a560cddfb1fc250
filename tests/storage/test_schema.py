"""The tables are what the statements believe, on both databases."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from casino.storage.database import Database
from casino.storage.schema import metadata


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


async def test_migrations_make_the_tables_that_the_code_uses(database: Database) -> None:
    async with database.reading() as connection:
        assert await connection.run_sync(differences) == []
