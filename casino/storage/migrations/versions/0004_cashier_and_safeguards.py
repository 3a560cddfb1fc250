"""Adds payments and responsible gaming: limits, reality checks, exclusions, play time and losses."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    _payments()
    op.create_table(
        "safeguards",
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("period", sa.String(10), nullable=False),
        sa.Column("value", sa.BigInteger),
        sa.Column("next_value", sa.BigInteger),
        sa.Column("next_ms", sa.BigInteger),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.CheckConstraint(
            "kind IN ('deposit', 'loss', 'session', 'reality_check', 'time_out', 'self_exclusion')",
            name=op.f("ck_safeguards_kind_is_known"),
        ),
        sa.PrimaryKeyConstraint("player_id", "kind", "period", name="pk_safeguards"),
    )
    op.create_table(
        "play_days",
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("day_ms", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("staked", sa.BigInteger, nullable=False),
        sa.Column("returned", sa.BigInteger, nullable=False),
        *_whole_numbers("play_days", "staked", "returned"),
        sa.PrimaryKeyConstraint("player_id", "day_ms", name="pk_play_days"),
    )
    op.create_table(
        "visits",
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("from_ms", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "from_ms", name="pk_visits"),
    )
    op.create_index("ix_visits_player_id_until_ms", "visits", ["player_id", "until_ms"])
    op.add_column("holds", sa.Column("at_risk", sa.BigInteger, nullable=False, server_default="0"))


def _payments() -> None:
    op.create_table(
        "payments",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("reference", sa.String(120), nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("retry_ms", sa.BigInteger),
        sa.Column("balance", sa.BigInteger, nullable=False),
        sa.Column("available", sa.BigInteger, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_payments_amount_is_positive")),
        sa.CheckConstraint("kind IN ('deposit', 'withdrawal')", name=op.f("ck_payments_kind_is_known")),
        sa.CheckConstraint("status IN ('pending', 'succeeded', 'failed')", name=op.f("ck_payments_status_is_known")),
        sa.CheckConstraint(
            "(status = 'pending') = (ended_ms IS NULL) AND (status = 'pending') = (retry_ms IS NOT NULL)",
            name=op.f("ck_payments_only_the_pending_is_tried_again"),
        ),
        *_whole_numbers("payments", "amount"),
        sa.PrimaryKeyConstraint("id", name="pk_payments"),
        sa.UniqueConstraint("player_id", "key", name="uq_payments_player_id_key"),
        sa.ForeignKeyConstraint(["player_id"], ["users.id"], name="fk_payments_player_id_users"),
    )
    op.create_index("ix_payments_player_id_asked_ms_id", "payments", ["player_id", "asked_ms", "id"])
    op.create_index("ix_payments_retry_ms", "payments", ["retry_ms"])
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER payments_end_once BEFORE UPDATE ON payments WHEN OLD.status <> 'pending' "
            "BEGIN SELECT RAISE(ABORT, 'a payment ends once'); END"
        )
    else:
        op.execute(
            "CREATE TRIGGER payments_end_once BEFORE UPDATE ON payments FOR EACH ROW "
            "WHEN (OLD.status <> 'pending') EXECUTE FUNCTION refuse_change('a payment ends once')"
        )


def _whole_numbers(table: str, *columns: str) -> list[sa.CheckConstraint]:
    """SQLite would store 0.5 in an integer column; PostgreSQL refuses it by itself."""
    if op.get_bind().dialect.name != "sqlite":
        return []
    whole = " AND ".join(f"typeof({column}) = 'integer'" for column in columns)
    return [sa.CheckConstraint(whole, name=op.f(f"ck_{table}_whole_numbers"))]
