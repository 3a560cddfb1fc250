"""Adds the host console: manager limits, counted decks, corrections by two people, and an order of rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "table_limits",
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("limits", sa.Text, nullable=False),
        sa.Column("instead_of", sa.Text, nullable=False),
        sa.Column("changed_by", sa.String(80), nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_table_limits"),
    )
    op.create_table(
        "deck_counts",
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("deck", sa.String(20), nullable=False),
        sa.Column("counted_by", sa.String(80), nullable=False),
        sa.Column("counted_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_deck_counts"),
    )
    _corrections()
    op.create_index("ix_rounds_started_ms_id", "rounds", ["started_ms", "id"])


def _corrections() -> None:
    op.create_table(
        "corrections",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("round_id", sa.String(40), nullable=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("proposed_by", sa.String(40), nullable=False),
        sa.Column("proposed_ms", sa.BigInteger, nullable=False),
        sa.Column("expires_ms", sa.BigInteger, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("decided_by", sa.String(40)),
        sa.Column("decided_ms", sa.BigInteger),
        sa.Column("remark", sa.Text, nullable=False),
        sa.CheckConstraint("status IN ('open', 'approved', 'rejected')", name=op.f("ck_corrections_status_is_known")),
        sa.CheckConstraint(
            "(status = 'open') = (decided_by IS NULL) AND (status = 'open') = (decided_ms IS NULL)",
            name=op.f("ck_corrections_decided_by_somebody"),
        ),
        sa.CheckConstraint(
            "status <> 'approved' OR decided_by <> proposed_by",
            name=op.f("ck_corrections_approved_by_a_second_person"),
        ),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name="fk_corrections_round_id_rounds"),
        sa.ForeignKeyConstraint(["proposed_by"], ["users.id"], name="fk_corrections_proposed_by_users"),
        sa.ForeignKeyConstraint(["decided_by"], ["users.id"], name="fk_corrections_decided_by_users"),
    )
    op.create_index("ix_corrections_round_id", "corrections", ["round_id"])
    op.create_index("ix_corrections_proposed_ms_id", "corrections", ["proposed_ms", "id"])
