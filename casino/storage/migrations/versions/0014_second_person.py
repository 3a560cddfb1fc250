"""Adds requests of the back office for a second person, and accounts for credits and receivables.

SQLite cannot change a check of a table. Its schema text is replaced instead, as its documentation recommends for
constraints, because a rebuilt table would have to be referenced again by every posting.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_BEFORE = "balance >= 0 OR kind IN ('house', 'cashier')"
_AFTER = "CASE kind WHEN 'receivable' THEN balance <= 0 ELSE balance >= 0 OR kind IN ('house', 'cashier', 'credit') END"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _replace_check_sqlite()
    else:
        op.drop_constraint(op.f("ck_accounts_not_overdrawn"), "accounts", type_="check")
        op.create_check_constraint(op.f("ck_accounts_not_overdrawn"), "accounts", _AFTER)
    op.create_table(
        "finance_requests",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("target", sa.String(80), nullable=False),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("requested_by", sa.String(40), nullable=False),
        sa.Column("requested_ms", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("decided_by", sa.String(40)),
        sa.Column("decided_ms", sa.BigInteger),
        sa.Column("remark", sa.Text, nullable=False),
        sa.CheckConstraint(
            "status IN ('open', 'approved', 'rejected')", name=op.f("ck_finance_requests_status_is_known")
        ),
        sa.CheckConstraint(
            "(status = 'open') = (decided_by IS NULL) AND (status = 'open') = (decided_ms IS NULL)",
            name=op.f("ck_finance_requests_decided_by_somebody"),
        ),
        sa.CheckConstraint(
            "status <> 'approved' OR decided_by <> requested_by",
            name=op.f("ck_finance_requests_approved_by_a_second_person"),
        ),
        sa.PrimaryKeyConstraint("id", name="pk_finance_requests"),
        sa.ForeignKeyConstraint(["requested_by"], ["users.id"], name="fk_finance_requests_requested_by_users"),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_finance_requests_decided_by_users"),
    )
    op.create_index("ix_finance_requests_status_requested_ms_id", "finance_requests", ["status", "requested_ms", "id"])


def _replace_check_sqlite() -> None:
    run = op.get_bind().exec_driver_sql
    version = run("PRAGMA schema_version").scalar_one()
    run("PRAGMA writable_schema = ON")
    changed = run(
        "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = 'accounts'",
        (_BEFORE, _AFTER),
    )
    assert changed.rowcount == 1, "there is one table of accounts"
    run(f"PRAGMA schema_version = {version + 1}")
    run("PRAGMA writable_schema = RESET")
