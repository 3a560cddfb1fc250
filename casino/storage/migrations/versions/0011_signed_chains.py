"""Adds signatures to the digests of chained rows, and a random id of the database.

Older rows have no signature, because a migration does not know the key. The audit log marks where signing begins.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    for table in ("journal", "audit", "chains"):
        op.add_column(table, sa.Column("signature", sa.String(100)))
    identity = op.create_table(
        "database_identity",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("served_file", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_database_identity"),
    )
    op.execute(identity.insert().values(id=secrets.token_hex(16)))
