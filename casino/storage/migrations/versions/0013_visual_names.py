"""Adds the visual key of names, which keeps new names from looking like existing ones.

Of accounts whose names look alike already, the oldest has the key. The others keep their names and sign in as before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_STROKES = str.maketrans("i1|\u01c0\u22230", "lllllo")

_users = sa.table("users", *(sa.column(name) for name in ("id", "name_folded", "name_visual", "created_ms")))


def upgrade() -> None:
    op.add_column("users", sa.Column("name_visual", sa.String(80)))
    by_age = sa.select(_users.c.id, _users.c.name_folded).order_by(_users.c.created_ms, _users.c.id)
    oldest: dict[str, str] = {}
    for id_, folded in op.get_bind().execute(by_age):
        oldest.setdefault(_visual_key(folded), id_)
    if oldest:
        fill = sa.update(_users).where(_users.c.id == sa.bindparam("user")).values(name_visual=sa.bindparam("key"))
        op.get_bind().execute(fill, [{"user": id_, "key": key} for key, id_ in oldest.items()])
    op.create_index("ix_users_name_visual", "users", ["name_visual"], unique=True)


def _visual_key(folded: str) -> str:
    return folded.translate(_STROKES).replace("rn", "m").replace("vv", "w")
