"""Adds tournaments with their journal, entries, tickets and HexaPro draws, and an account that may owe: promotions.

SQLite cannot change a check of a table. Its schema text is replaced instead, as its documentation recommends for
constraints, because a rebuilt table would have to be referenced again by every posting.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"

_BEFORE = (
    "CASE kind WHEN 'receivable' THEN balance <= 0 ELSE balance >= 0 OR kind IN ('house', 'cashier', 'credit') END"
)
_AFTER = (
    "CASE kind WHEN 'receivable' THEN balance <= 0"
    " ELSE balance >= 0 OR kind IN ('house', 'cashier', 'credit', 'promo') END"
)
_WHOLE = {
    "tournaments": ("buy_in",),
    "tournament_entries": ("risked", "paid", "won"),
    "tickets": ("value",),
}
_APPEND_ONLY = ("tournament_journal", "hexapro_draws")


def upgrade() -> None:
    if _is_sqlite():
        _replace_check_sqlite()
    else:
        op.drop_constraint(op.f("ck_accounts_not_overdrawn"), "accounts", type_="check")
        op.create_check_constraint(op.f("ck_accounts_not_overdrawn"), "accounts", _AFTER)
    op.add_column("poker_tables", sa.Column("tournament_id", sa.String(20)))
    op.create_index("ix_poker_tables_tournament_id", "poker_tables", ["tournament_id"])
    _tournaments()
    _money()
    for table in _APPEND_ONLY:
        _guard(table)


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _replace_check_sqlite() -> None:
    run = op.get_bind().exec_driver_sql
    version = run("PRAGMA schema_version").scalar_one()
    run("PRAGMA writable_schema = ON")
    changed = run(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'accounts'"
        " AND instr(sql, ?) > 0",
        (_BEFORE, _AFTER, _BEFORE),
    )
    assert changed.rowcount == 1, "there is one table of accounts"
    run(f"PRAGMA schema_version = {version + 1}")
    run("PRAGMA writable_schema = RESET")


def _whole_numbers(table: str) -> list[sa.CheckConstraint]:
    check = " AND ".join(f"typeof({column}) = 'integer'" for column in _WHOLE[table])
    return [sa.CheckConstraint(check, name=op.f(f"ck_{table}_whole_numbers"))] if _is_sqlite() else []


def _tournaments() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("source", sa.String(60), nullable=False),
        sa.Column("draw_no", sa.BigInteger),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("clock", sa.String(20), nullable=False),
        sa.Column("buy_in", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("opens_ms", sa.BigInteger, nullable=False),
        sa.Column("starts_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.CheckConstraint("kind IN ('mtt', 'sng', 'hexapro')", name=op.f("ck_tournaments_kind_is_known")),
        sa.CheckConstraint(
            "status IN ('registering', 'running', 'finished', 'cancelled')",
            name=op.f("ck_tournaments_status_is_known"),
        ),
        sa.CheckConstraint(
            "(status IN ('finished', 'cancelled')) = (ended_ms IS NOT NULL)",
            name=op.f("ck_tournaments_ended_at_a_time"),
        ),
        *_whole_numbers("tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
        sa.UniqueConstraint("source", "draw_no", name="uq_tournaments_source_draw_no"),
    )
    op.create_index("ix_tournaments_status_starts_ms", "tournaments", ["status", "starts_ms"])
    op.create_index("ix_tournaments_source_starts_ms", "tournaments", ["source", "starts_ms"])
    op.create_table(
        "tournament_journal",
        sa.Column("tournament_id", sa.String(20), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("signature", sa.String(100)),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name="pk_tournament_journal"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tournament_journal_tournament_id_tournaments"
        ),
    )


def _money() -> None:
    op.create_table(
        "tournament_entries",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("key", sa.String(60), nullable=False),
        sa.Column("tournament_id", sa.String(20)),
        sa.Column("line", sa.String(60)),
        sa.Column("ticket_id", sa.String(40)),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("registered_ms", sa.BigInteger, nullable=False),
        sa.Column("risked", sa.BigInteger, nullable=False),
        sa.Column("paid", sa.BigInteger, nullable=False),
        sa.Column("won", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("place", sa.Integer),
        sa.Column("ended_ms", sa.BigInteger),
        sa.CheckConstraint(
            "status IN ('waiting', 'open', 'ended', 'returned')", name=op.f("ck_tournament_entries_status_is_known")
        ),
        sa.CheckConstraint(
            "tournament_id IS NOT NULL OR line IS NOT NULL", name=op.f("ck_tournament_entries_entered_somewhere")
        ),
        *_whole_numbers("tournament_entries"),
        sa.PrimaryKeyConstraint("id", name="pk_tournament_entries"),
        sa.UniqueConstraint("player_id", "key", name="uq_tournament_entries_player_id_key"),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_tournament_entries_tournament_id_tournaments"
        ),
    )
    op.create_index("ix_tournament_entries_tournament_id", "tournament_entries", ["tournament_id"])
    columns = ["player_id", "registered_ms", "id"]
    op.create_index("ix_tournament_entries_player_id_registered_ms_id", "tournament_entries", columns)
    op.create_index("ix_tournament_entries_status_line", "tournament_entries", ["status", "line"])
    op.create_table(
        "tickets",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("value", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("origin", sa.String(12), nullable=False),
        sa.Column("event", sa.String(60)),
        sa.Column("issued_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("entry_id", sa.String(40)),
        sa.CheckConstraint("status IN ('open', 'used', 'expired')", name=op.f("ck_tickets_status_is_known")),
        sa.CheckConstraint("(status = 'used') = (entry_id IS NOT NULL)", name=op.f("ck_tickets_used_for_an_entry")),
        *_whole_numbers("tickets"),
        sa.PrimaryKeyConstraint("id", name="pk_tickets"),
    )
    op.create_index("ix_tickets_player_id_status", "tickets", ["player_id", "status"])
    op.create_table(
        "tournament_purchases",
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("key", sa.String(60), nullable=False),
        sa.Column("entry_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("player_id", "key", name="pk_tournament_purchases"),
        sa.ForeignKeyConstraint(
            ["entry_id"], ["tournament_entries.id"], name="fk_tournament_purchases_entry_id_tournament_entries"
        ),
    )
    op.create_table(
        "hexapro_draws",
        sa.Column("line", sa.String(60), nullable=False),
        sa.Column("no", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("line", "no", name="pk_hexapro_draws"),
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
