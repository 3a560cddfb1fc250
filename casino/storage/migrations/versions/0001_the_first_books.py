"""Creates users, accounts, operations and postings, holds, rounds, seats, journal and audit log."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Serial = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

APPEND_ONLY = ("operations", "postings", "journal", "audit")


def upgrade() -> None:
    _people_and_money()
    _rounds()
    _audit()
    if op.get_bind().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgresql()


def _whole_numbers(table: str, *columns: str) -> list[sa.CheckConstraint]:
    """SQLite would store 0.5, or a sum beyond 64 bits as a float, in an integer column; PostgreSQL refuses both."""
    if op.get_bind().dialect.name != "sqlite":
        return []
    whole = " AND ".join(f"typeof({column}) = 'integer'" for column in columns)
    return [sa.CheckConstraint(whole, name=op.f(f"ck_{table}_whole_numbers"))]


def _people_and_money() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_folded", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("disabled", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("name_folded", name="uq_users_name_folded"),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(80), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("balance", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("held", sa.BigInteger, nullable=False, server_default="0"),
        sa.CheckConstraint("balance >= 0 OR kind IN ('house', 'cashier')", name=op.f("ck_accounts_not_overdrawn")),
        sa.CheckConstraint("held >= 0 AND (held = 0 OR held <= balance)", name=op.f("ck_accounts_held_is_covered")),
        *_whole_numbers("accounts", "balance", "held"),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("id", "currency", name="uq_accounts_id_currency"),
    )
    op.create_table(
        "operations",
        sa.Column("id", Serial, sa.Identity(), nullable=False, autoincrement=True),
        sa.Column("key", sa.String(120), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("round_id", sa.String(40)),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("input_hash", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_operations"),
        sa.UniqueConstraint("key", name="uq_operations_key"),
    )
    op.create_index("ix_operations_round_id", "operations", ["round_id"])
    op.create_index("ix_operations_at_ms", "operations", ["at_ms"])
    op.create_table(
        "postings",
        sa.Column("operation_id", Serial, nullable=False, autoincrement=False),
        sa.Column("line", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("source", sa.String(80), nullable=False),
        sa.Column("destination", sa.String(80), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_postings_amount_is_positive")),
        sa.CheckConstraint("source <> destination", name=op.f("ck_postings_two_accounts")),
        sa.CheckConstraint(
            "substr(source, 1, 7) <> 'player:' OR substr(destination, 1, 7) <> 'player:'",
            name=op.f("ck_postings_never_player_to_player"),
        ),
        *_whole_numbers("postings", "amount"),
        sa.PrimaryKeyConstraint("operation_id", "line", name="pk_postings"),
        sa.ForeignKeyConstraint(["operation_id"], ["operations.id"], name="fk_postings_operation_id_operations"),
        sa.ForeignKeyConstraint(
            ["source", "currency"], ["accounts.id", "accounts.currency"], name="fk_postings_source_currency_accounts"
        ),
        sa.ForeignKeyConstraint(
            ["destination", "currency"],
            ["accounts.id", "accounts.currency"],
            name="fk_postings_destination_currency_accounts",
        ),
    )
    op.create_index("ix_postings_source", "postings", ["source"])
    op.create_index("ix_postings_destination", "postings", ["destination"])


def _rounds() -> None:
    op.create_table(
        "rounds",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("game_number", sa.String(8), nullable=False),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("presenter", sa.String(40)),
        sa.Column("sealed_shoe", sa.Text),
        sa.CheckConstraint(
            "status IN ('open', 'settled', 'cancelled', 'corrected', 'void', 'forfeited')",
            name=op.f("ck_rounds_status_is_known"),
        ),
        sa.PrimaryKeyConstraint("id", name="pk_rounds"),
        sa.UniqueConstraint("table_id", "day", "game_number", name="uq_rounds_table_id_day_game_number"),
    )
    op.create_index("ix_rounds_status", "rounds", ["status"])
    op.create_table(
        "holds",
        sa.Column("round_id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("account", sa.String(80), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.CheckConstraint("amount > 0", name=op.f("ck_holds_amount_is_positive")),
        sa.CheckConstraint("status IN ('open', 'captured', 'released')", name=op.f("ck_holds_status_is_known")),
        *_whole_numbers("holds", "amount"),
        sa.PrimaryKeyConstraint("round_id", "player_id", name="pk_holds"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_holds_round_id_rounds"),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_holds_account_accounts"),
    )
    op.create_table(
        "journal",
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("round_id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_journal"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_journal_round_id_rounds"),
    )
    op.create_index("ix_journal_round_id", "journal", ["round_id"])
    op.create_table(
        "seats",
        sa.Column("round_id", sa.String(40), nullable=False),
        sa.Column("player_id", sa.String(40), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("round_id", "player_id", name="pk_seats"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_seats_round_id_rounds"),
    )
    op.create_index("ix_seats_player_id_started_ms_round_id", "seats", ["player_id", "started_ms", "round_id"])


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", Serial, nullable=False, autoincrement=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("target", sa.String(120), nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("after", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("request_id", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_table(
        "chains",
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("seq", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("writes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_chains"),
    )


def _guard_sqlite() -> None:
    for table in APPEND_ONLY:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_refuse_{change.lower()} BEFORE {change} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )
    op.execute(
        "CREATE TRIGGER holds_end_once BEFORE UPDATE ON holds WHEN OLD.status = 'captured' "
        "BEGIN SELECT RAISE(ABORT, 'a captured hold has ended'); END"
    )
    op.execute(
        "CREATE TRIGGER holds_refuse_delete BEFORE DELETE ON holds "
        "BEGIN SELECT RAISE(ABORT, 'a hold ends by capture or release'); END"
    )
    op.execute(
        "CREATE TRIGGER accounts_refuse_delete BEFORE DELETE ON accounts "
        "BEGIN SELECT RAISE(ABORT, 'an account is never closed'); END"
    )
    op.execute(
        "CREATE TRIGGER accounts_keep_their_currency BEFORE UPDATE OF id, kind, currency ON accounts "
        "BEGIN SELECT RAISE(ABORT, 'an account keeps its kind and currency'); END"
    )


def _guard_postgresql() -> None:
    op.execute(
        "CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION '%: %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; "
        "END $$"
    )
    for table in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER {table}_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('append-only')"
        )
    op.execute(
        "CREATE TRIGGER holds_end_once BEFORE UPDATE ON holds FOR EACH ROW WHEN (OLD.status = 'captured') "
        "EXECUTE FUNCTION refuse_change('a captured hold has ended')"
    )
    op.execute(
        "CREATE TRIGGER holds_refuse_delete BEFORE DELETE OR TRUNCATE ON holds "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('a hold ends by capture or release')"
    )
    op.execute(
        "CREATE TRIGGER accounts_refuse_delete BEFORE DELETE OR TRUNCATE ON accounts "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('an account is never closed')"
    )
    op.execute(
        "CREATE TRIGGER accounts_keep_their_currency BEFORE UPDATE ON accounts FOR EACH ROW "
        "WHEN (OLD.id <> NEW.id OR OLD.kind <> NEW.kind OR OLD.currency <> NEW.currency) "
        "EXECUTE FUNCTION refuse_change('an account keeps its kind and currency')"
    )
