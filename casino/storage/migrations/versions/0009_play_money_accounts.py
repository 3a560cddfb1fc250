"""Makes play money a property of the account, and stores when an inactive guest's account was archived."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("users", sa.Column("play_money", sa.Integer, nullable=False, server_default="0"))
    op.add_column("users", sa.Column("archived_ms", sa.BigInteger))
    op.create_index("ix_users_play_money_archived_ms_created_ms", "users", ["play_money", "archived_ms", "created_ms"])
    # The service itself added guests and simulated players; the audit log shows it, whatever their currency.
    op.execute(
        "UPDATE users SET play_money = 1 WHERE role = 'player' AND (currency = 'XTS' OR 'user ' || id IN "
        "(SELECT target FROM audit WHERE action = 'user_added' AND actor = 'guests' AND role = 'system'))"
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            "CREATE TRIGGER users_keep_their_kind_of_money BEFORE UPDATE OF play_money, currency ON users "
            "WHEN OLD.play_money <> NEW.play_money OR OLD.currency <> NEW.currency "
            "BEGIN SELECT RAISE(ABORT, 'an account keeps its kind of money'); END"
        )
    else:
        op.execute(
            "CREATE TRIGGER users_keep_their_kind_of_money BEFORE UPDATE ON users FOR EACH ROW "
            "WHEN (OLD.play_money <> NEW.play_money OR OLD.currency <> NEW.currency) "
            "EXECUTE FUNCTION refuse_change('an account keeps its kind of money')"
        )
