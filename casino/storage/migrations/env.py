"""Alembic environment: runs the migrations on the given connection."""

from alembic import context

from casino.storage.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
