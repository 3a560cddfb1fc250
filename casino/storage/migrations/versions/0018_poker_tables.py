"""Adds cash tables of the poker room, and the checks on accounts of seats and pots.

SQLite cannot add a check to a table. Its schema text is changed instead, as its documentation recommends for
constraints, because rebuilt tables would have to be referenced again by every posting.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0014"

_POTS = "kind <> 'pot' OR balance = 0"
_SEATS = (
    "(substr(source, 1, 5) <> 'seat:' OR substr(destination, 1, 4) = 'pot:' OR (substr(destination, 1, 7) = 'player:'"
    " AND substr(source, length(source) - length(destination) + 12)"
    " = ':' || substr(destination, 8, length(destination) - 12)))"
    " AND (substr(destination, 1, 5) <> 'seat:' OR substr(source, 1, 4) = 'pot:' OR (substr(source, 1, 7) = 'player:'"
    " AND substr(destination, length(destination) - length(source) + 12)"
    " = ':' || substr(source, 8, length(source) - 12)))"
)
_CHECKS = (("accounts", "pots_are_empty", _POTS), ("postings", "seats_are_personal", _SEATS))
_WHOLE = {
    "poker_seats": "typeof(initial) = 'integer'",
    "poker_sittings": "typeof(initial) = 'integer' AND typeof(left_with) IN ('integer', 'null')",
    "poker_hands": "typeof(pot) = 'integer' AND typeof(rake) = 'integer'",
    "poker_hand_players": " AND ".join(
        f"typeof({column}) = 'integer'" for column in ("start", "staked", "returned", "rake_share")
    ),
}
_APPEND_ONLY = ("poker_hands", "poker_hand_players", "poker_shown_cards")


def upgrade() -> None:
    if _is_sqlite():
        _add_checks_sqlite()
    else:
        for table, name, check in _CHECKS:
            op.create_check_constraint(op.f(f"ck_{table}_{name}"), table, check)
    _tables()
    _hands()
    for table in _APPEND_ONLY:
        _guard(table)


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _add_checks_sqlite() -> None:
    run = op.get_bind().exec_driver_sql
    version = run("PRAGMA schema_version").scalar_one()
    run("PRAGMA writable_schema = ON")
    for table, name, check in _CHECKS:
        before = f"CONSTRAINT pk_{table} "
        changed = run(
            "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ? AND instr(sql, ?) > 0",
            (before, f"CONSTRAINT ck_{table}_{name} CHECK ({check}), \n\t{before}", table, before),
        )
        assert changed.rowcount == 1, f"there is one table of {table}"
    run(f"PRAGMA schema_version = {version + 1}")
    run("PRAGMA writable_schema = RESET")


def _whole_numbers(table: str) -> list[sa.CheckConstraint]:
    return [sa.CheckConstraint(_WHOLE[table], name=op.f(f"ck_{table}_whole_numbers"))] if _is_sqlite() else []


def _tables() -> None:
    op.create_table(
        "poker_tables",
        sa.Column("id", sa.String(30), nullable=False),
        sa.Column("pool_id", sa.String(50), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("opened_ms", sa.BigInteger, nullable=False),
        sa.Column("closed_ms", sa.BigInteger),
        sa.Column("hand_no", sa.BigInteger, nullable=False),
        sa.Column("next_root", sa.String(64), nullable=False),
        sa.Column("next_sealed", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.CheckConstraint("status IN ('open', 'closed')", name=op.f("ck_poker_tables_status_is_known")),
        sa.CheckConstraint(
            "(status = 'closed') = (closed_ms IS NOT NULL)", name=op.f("ck_poker_tables_closed_at_a_time")
        ),
        sa.PrimaryKeyConstraint("id", name="pk_poker_tables"),
    )
    op.create_index("ix_poker_tables_status_pool_id", "poker_tables", ["status", "pool_id"])
    op.create_table(
        "poker_seats",
        sa.Column("table_id", sa.String(30), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("seat_no", sa.Integer, nullable=False),
        sa.Column("initial", sa.BigInteger, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        *_whole_numbers("poker_seats"),
        sa.PrimaryKeyConstraint("table_id", "player_id", name="pk_poker_seats"),
        sa.UniqueConstraint("table_id", "seat_no", name="uq_poker_seats_table_id_seat_no"),
        sa.ForeignKeyConstraint(["table_id"], ["poker_tables.id"], name="fk_poker_seats_table_id_poker_tables"),
    )
    op.create_index("ix_poker_seats_player_id", "poker_seats", ["player_id"])
    op.create_table(
        "poker_sittings",
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("key", sa.String(60), nullable=False),
        sa.Column("table_id", sa.String(30), nullable=False),
        sa.Column("from_ms", sa.BigInteger, nullable=False),
        sa.Column("pool_id", sa.String(50), nullable=False),
        sa.Column("seat_no", sa.Integer, nullable=False),
        sa.Column("moved", sa.Integer, nullable=False, server_default="0"),
        sa.Column("initial", sa.BigInteger, nullable=False),
        sa.Column("counted", sa.Integer, nullable=False),
        sa.Column("reset", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
        sa.Column("left_with", sa.BigInteger),
        sa.Column("resumed", sa.Integer, nullable=False, server_default="0"),
        sa.CheckConstraint(
            "(until_ms IS NULL) = (left_with IS NULL)", name=op.f("ck_poker_sittings_left_with_a_stack")
        ),
        *_whole_numbers("poker_sittings"),
        sa.PrimaryKeyConstraint("player_id", "key", name="pk_poker_sittings"),
        sa.ForeignKeyConstraint(["table_id"], ["poker_tables.id"], name="fk_poker_sittings_table_id_poker_tables"),
    )
    op.create_index("ix_poker_sittings_player_id_until_ms", "poker_sittings", ["player_id", "until_ms"])


def _hands() -> None:
    op.create_table(
        "poker_hands",
        sa.Column("table_id", sa.String(30), nullable=False),
        sa.Column("no", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("started_ms", sa.BigInteger),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("board", sa.String(20), nullable=False),
        sa.Column("pot", sa.BigInteger, nullable=False),
        sa.Column("rake", sa.BigInteger, nullable=False),
        sa.Column("root", sa.String(64), nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("next_root", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("signature", sa.String(100)),
        sa.CheckConstraint("status IN ('settled', 'void')", name=op.f("ck_poker_hands_status_is_known")),
        *_whole_numbers("poker_hands"),
        sa.PrimaryKeyConstraint("table_id", "no", name="pk_poker_hands"),
        sa.UniqueConstraint("id", name="uq_poker_hands_id"),
        sa.ForeignKeyConstraint(["table_id"], ["poker_tables.id"], name="fk_poker_hands_table_id_poker_tables"),
    )
    op.create_index("ix_poker_hands_ended_ms_id", "poker_hands", ["ended_ms", "id"])
    op.create_table(
        "poker_hand_players",
        sa.Column("hand_id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("seat_no", sa.Integer, nullable=False),
        *(sa.Column(name, sa.BigInteger, nullable=False) for name in ("start", "staked", "returned", "rake_share")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("saw_flop", "showdown", "automatic")),
        *_whole_numbers("poker_hand_players"),
        sa.PrimaryKeyConstraint("hand_id", "player_id", name="pk_poker_hand_players"),
        sa.ForeignKeyConstraint(["hand_id"], ["poker_hands.id"], name="fk_poker_hand_players_hand_id_poker_hands"),
    )
    columns = ["player_id", "ended_ms", "hand_id"]
    op.create_index("ix_poker_hand_players_player_id_ended_ms_hand_id", "poker_hand_players", columns)
    op.create_table(
        "poker_shown_cards",
        sa.Column("hand_id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("cards", sa.String(8), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("hand_id", "player_id", "cards", name="pk_poker_shown_cards"),
        sa.ForeignKeyConstraint(["hand_id"], ["poker_hands.id"], name="fk_poker_shown_cards_hand_id_poker_hands"),
    )


def _guard(table: str) -> None:
    if not _is_sqlite():
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
