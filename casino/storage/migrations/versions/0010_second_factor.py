"""Adds second factors, recovery codes and session details. Ends staff sessions, which lasted months."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.execute("DELETE FROM sessions WHERE user_id IN (SELECT id FROM users WHERE role <> 'player')")
    op.add_column("sessions", sa.Column("device", sa.String(80), nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("second_factor", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "second_factors",
        sa.Column("user_id", sa.String(40), nullable=False),
        sa.Column("secret", sa.Text),
        sa.Column("last_step", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("enrolled_ms", sa.BigInteger),
        sa.Column("pending_secret", sa.Text),
        sa.Column("pending_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("user_id", name="pk_second_factors"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_second_factors_user_id_users"),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("user_id", sa.String(40), nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("used_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("user_id", "code_hash", name="pk_recovery_codes"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_recovery_codes_user_id_users"),
    )
