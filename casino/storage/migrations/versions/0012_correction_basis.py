"""Stores how many corrections a round had when another one was proposed, so that an approval means what was shown."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("corrections", sa.Column("after_corrections", sa.Integer, nullable=False, server_default="0"))
    # A correction of the same millisecond does not count: the open proposal is then refused and can be made again.
    op.execute(
        "UPDATE corrections SET after_corrections = (SELECT count(*) FROM corrections AS earlier "
        "WHERE earlier.round_id = corrections.round_id AND earlier.status = 'approved' "
        "AND earlier.decided_ms < corrections.proposed_ms)"
    )
