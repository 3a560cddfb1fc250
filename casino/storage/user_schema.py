"""Tables of users: people, their sessions and settings, their chat, and the limits players set for themselves."""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
)

from casino.storage.metadata import metadata

users = Table(
    "users",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_folded", String(80), nullable=False, unique=True),
    Column("name_visual", String(80), unique=True, index=True),  # null if an older name looks the same
    Column("role", String(20), nullable=False),
    Column("password_hash", Text),
    Column("currency", String(3), nullable=False),
    Column("disabled", Integer, nullable=False, server_default="0"),
    Column("created_ms", BigInteger, nullable=False),
    Column("play_money", Integer, nullable=False, server_default="0"),  # never changes
    Column("archived_ms", BigInteger),  # of an inactive guest
    Index(None, "play_money", "archived_ms", "created_ms"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of a reference that is stored nowhere
    Column("user_id", String(40), ForeignKey("users.id"), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False, index=True),
    Column("device", String(80), nullable=False, server_default=""),  # browser and system, for the person's own list
    Column("second_factor", Integer, nullable=False, server_default="0"),
)

second_factors = Table(
    "second_factors",
    metadata,
    Column("user_id", String(40), ForeignKey("users.id"), primary_key=True),
    Column("secret", Text),  # sealed; null until enrolment is confirmed
    # time step of the last code, so that none is used twice
    Column("last_step", BigInteger, nullable=False, server_default="0"),
    Column("enrolled_ms", BigInteger),
    Column("pending_secret", Text),  # sealed; offered, but not confirmed yet
    Column("pending_ms", BigInteger),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("user_id", String(40), ForeignKey("users.id"), primary_key=True),
    Column("code_hash", String(64), primary_key=True),
    Column("used_ms", BigInteger),
)

profiles = Table(
    "profiles",
    metadata,
    Column("user_id", String(40), ForeignKey("users.id"), primary_key=True),
    Column("settings", Text, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
)

mutes = Table(
    "mutes",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("player_id", String(40), ForeignKey("users.id"), primary_key=True),
    Column("until_ms", BigInteger),  # null: until revoked
)

# Chat lines, blocked ones included. Not part of the books: rows are deleted after the retention time.
chat_lines = Table(
    "chat_lines",
    metadata,
    Column("id", String(60), primary_key=True),  # ascends with the time
    Column("table_id", String(40), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("player_id", String(40)),  # null: written by staff or by the table itself
    Column("name", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("text", Text, nullable=False),
    Column("code", String(40)),  # of a line of the table itself
    Column("blocked", String(40)),  # why it was refused; null: sent
    Index(None, "table_id", "at_ms"),
    Index(None, "player_id", "at_ms"),
    Index(None, "at_ms"),
)

safeguards = Table(
    "safeguards",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("kind", String(20), primary_key=True),
    Column("period", String(10), primary_key=True),  # empty without a period
    Column("value", BigInteger),  # minor units, minutes, or an end time; null: none
    Column("next_value", BigInteger),  # replaces the value at next_ms
    Column("next_ms", BigInteger),
    Column("at_ms", BigInteger, nullable=False),  # when it was set, or when the reality check was last seen
    CheckConstraint(
        "kind IN ('deposit', 'loss', 'session', 'reality_check', 'time_out', 'self_exclusion')", name="kind_is_known"
    ),
)

# Losses of players with a loss limit, by the day their rounds began.
play_days = Table(
    "play_days",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("day_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("staked", BigInteger, nullable=False),
    Column("returned", BigInteger, nullable=False),
)

visits = Table(
    "visits",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("from_ms", BigInteger, primary_key=True, autoincrement=False),
    Column("until_ms", BigInteger, nullable=False),
    Index(None, "player_id", "until_ms"),
)
