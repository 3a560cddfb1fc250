"""Adds profile settings, chat mutes, and an index of an account's postings in order."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "profiles",
        sa.Column("user_id", sa.String(40), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_profiles"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_profiles_user_id_users"),
    )
    op.create_table(
        "mutes",
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("table_id", "player_id", name="pk_mutes"),
        sa.ForeignKeyConstraint(["player_id"], ["users.id"], name="fk_mutes_player_id_users"),
    )
    for side in ("source", "destination"):
        op.create_index(f"ix_postings_{side}_operation_id", "postings", [side, "operation_id"])
        op.drop_index(f"ix_postings_{side}", "postings")
