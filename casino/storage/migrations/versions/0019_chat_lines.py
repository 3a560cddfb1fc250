"""Adds the chat archive. It is no book: retention deletes its rows."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "chat_lines",
        sa.Column("id", sa.String(60), nullable=False),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("player_id", sa.String(40)),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("code", sa.String(40)),
        sa.Column("blocked", sa.String(40)),
        sa.PrimaryKeyConstraint("id", name="pk_chat_lines"),
    )
    op.create_index("ix_chat_lines_table_id_at_ms", "chat_lines", ["table_id", "at_ms"])
    op.create_index("ix_chat_lines_player_id_at_ms", "chat_lines", ["player_id", "at_ms"])
    op.create_index("ix_chat_lines_at_ms", "chat_lines", ["at_ms"])
