"""Adds reports of poker players, and the pause of a poker table, which a restart keeps."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"

Serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "poker_reports",
        sa.Column("id", Serial, sa.Identity(), nullable=False, autoincrement=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("author_id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("table_id", sa.String(30), nullable=False),
        sa.Column("hand_id", sa.String(40), nullable=False),
        sa.Column("seat_no", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_poker_reports"),
    )
    op.create_index("ix_poker_reports_author_id_at_ms", "poker_reports", ["author_id", "at_ms"])
    op.add_column("poker_tables", sa.Column("paused_reason", sa.String(300)))
    op.add_column("poker_tables", sa.Column("paused_ms", sa.BigInteger))
    op.add_column("poker_tables", sa.Column("incident_id", sa.String(20)))
