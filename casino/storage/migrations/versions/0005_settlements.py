"""Adds settlements as finance exports them: the round, its hands, and the stakes and returns of each seat."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

Serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

AMOUNTS = ("ante", "trips", "play", "ante_returned", "blind_returned", "trips_returned", "play_returned")
APPEND_ONLY = ("settlements", "settled_hands", "settled_seats")


def upgrade() -> None:
    _settlements()
    _seats()
    for table in APPEND_ONLY:
        _guard(table)


def _settlements() -> None:
    op.create_table(
        "settlements",
        sa.Column("operation_id", Serial, nullable=False, autoincrement=False),
        sa.Column("round_id", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("game_number", sa.String(8), nullable=False),
        sa.Column("presenter", sa.String(40)),
        sa.Column("board", sa.String(20), nullable=False),
        sa.Column("dealer_cards", sa.String(8), nullable=False),
        sa.Column("dealer_hand", sa.String(20)),
        sa.Column("dealer_qualifies", sa.Integer),
        sa.Column("paytable", sa.Text, nullable=False),
        sa.CheckConstraint(
            "status IN ('settled', 'cancelled', 'reversal', 'corrected')", name=op.f("ck_settlements_status_is_known")
        ),
        sa.PrimaryKeyConstraint("operation_id", name="pk_settlements"),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_settlements_operation_id_operations"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_settlements_round_id_rounds"),
    )
    op.create_index("ix_settlements_round_id", "settlements", ["round_id"])


def _seats() -> None:
    op.create_table(
        "settled_hands",
        sa.Column("operation_id", Serial, nullable=False, autoincrement=False),
        sa.Column("seat_no", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("player_cards", sa.String(8), nullable=False),
        sa.Column("player_hand", sa.String(20)),
        sa.Column("result", sa.String(4)),
        sa.PrimaryKeyConstraint("operation_id", "seat_no", name="pk_settled_hands"),
        _of_a_settlement("settled_hands"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "settled_seats",
        sa.Column("operation_id", Serial, nullable=False, autoincrement=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("seat_no", sa.Integer, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in AMOUNTS),
        sa.Column("action", sa.String(10)),
        sa.Column("automatic", sa.Integer, nullable=False),
        *_whole_numbers(),
        sa.PrimaryKeyConstraint("operation_id", "player_id", name="pk_settled_seats"),
        _of_a_settlement("settled_seats"),
        sqlite_with_rowid=False,
    )


def _of_a_settlement(table: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_operation_id_settlements"
    return sa.ForeignKeyConstraint(["operation_id"], ["settlements.operation_id"], name=name)


def _whole_numbers() -> list[sa.CheckConstraint]:
    if op.get_bind().dialect.name != "sqlite":
        return []
    whole = " AND ".join(f"typeof({column}) = 'integer'" for column in AMOUNTS)
    return [sa.CheckConstraint(whole, name=op.f("ck_settled_seats_whole_numbers"))]


def _guard(table: str) -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.execute(
            f"CREATE TRIGGER {table}_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('append-only')"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_refuse_{change.lower()} BEFORE {change} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        )
