"""The tables of the house, as every statement sees them. The migrations create them; a test proves both agree.

Append-only, by triggers, are postings (with their operations), settlements, the journal and the audit log.
Money columns are integers of minor units, on SQLite by checks that the migrations add. Times are UTC milliseconds
since 1970.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only in a plain INTEGER primary key; PostgreSQL needs 64 bits.
Serial = BigInteger().with_variant(Integer(), "sqlite")

users = Table(
    "users",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("name_folded", String(80), nullable=False, unique=True),
    Column("role", String(20), nullable=False),
    Column("password_hash", Text),
    Column("currency", String(3), nullable=False),
    Column("disabled", Integer, nullable=False, server_default="0"),
    Column("created_ms", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of a reference that is kept nowhere
    Column("user_id", String(40), ForeignKey("users.id"), nullable=False, index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False, index=True),
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
    Column("until_ms", BigInteger),  # null: until it is taken back
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("balance", BigInteger, nullable=False, server_default="0"),
    Column("held", BigInteger, nullable=False, server_default="0"),
    # House and cashier stand for the outside world and may owe; nobody else may.
    CheckConstraint("balance >= 0 OR kind IN ('house', 'cashier')", name="not_overdrawn"),
    CheckConstraint("held >= 0 AND (held = 0 OR held <= balance)", name="held_is_covered"),
    UniqueConstraint("id", "currency"),
)

operations = Table(
    "operations",
    metadata,
    Column("id", Serial, Identity(), primary_key=True, autoincrement=True),
    Column("key", String(120), nullable=False, unique=True),
    Column("kind", String(20), nullable=False),
    Column("round_id", String(40), index=True),
    Column("actor", String(80), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at_ms", BigInteger, nullable=False, index=True),
    Column("input_hash", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
)

postings = Table(
    "postings",
    metadata,
    Column("operation_id", Serial, ForeignKey("operations.id"), primary_key=True, autoincrement=False),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("source", String(80), nullable=False),
    Column("destination", String(80), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("currency", String(3), nullable=False),
    CheckConstraint("amount > 0", name="amount_is_positive"),
    CheckConstraint("source <> destination", name="two_accounts"),
    CheckConstraint(
        "substr(source, 1, 7) <> 'player:' OR substr(destination, 1, 7) <> 'player:'", name="never_player_to_player"
    ),
    # With the currency in the key, no posting can touch two currencies.
    ForeignKeyConstraint(["source", "currency"], ["accounts.id", "accounts.currency"]),
    ForeignKeyConstraint(["destination", "currency"], ["accounts.id", "accounts.currency"]),
    # An account's own postings in their order: how much of them is read never depends on how many there are.
    Index(None, "source", "operation_id"),
    Index(None, "destination", "operation_id"),
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("table_id", String(40), nullable=False),
    Column("day", String(10), nullable=False),
    Column("game_number", String(8), nullable=False),
    Column("status", String(12), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("presenter", String(40)),
    Column("sealed_shoe", Text),
    CheckConstraint(
        "status IN ('open', 'settled', 'cancelled', 'corrected', 'void', 'forfeited')", name="status_is_known"
    ),
    UniqueConstraint("table_id", "day", "game_number"),
    Index(None, "status"),
    Index(None, "started_ms", "id"),
)

# Limits a manager has set, and those of the file they took the place of: when the file is changed, it counts again.
table_limits = Table(
    "table_limits",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("limits", Text, nullable=False),
    Column("instead_of", Text, nullable=False),
    Column("changed_by", String(80), nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
)

deck_counts = Table(
    "deck_counts",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("deck", String(20), nullable=False),
    Column("counted_by", String(80), nullable=False),
    Column("counted_ms", BigInteger, nullable=False),
)

# A settled round is corrected by two people: one proposes, another one approves.
corrections = Table(
    "corrections",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("round_id", String(40), ForeignKey("rounds.id"), nullable=False, index=True),
    Column("cards", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("proposed_by", String(40), ForeignKey("users.id"), nullable=False),
    Column("proposed_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("status", String(10), nullable=False),
    Column("decided_by", String(40), ForeignKey("users.id")),
    Column("decided_ms", BigInteger),
    Column("remark", Text, nullable=False),
    CheckConstraint("status IN ('open', 'approved', 'rejected')", name="status_is_known"),
    CheckConstraint(
        "(status = 'open') = (decided_by IS NULL) AND (status = 'open') = (decided_ms IS NULL)",
        name="decided_by_somebody",
    ),
    CheckConstraint("status <> 'approved' OR decided_by <> proposed_by", name="approved_by_a_second_person"),
    Index(None, "proposed_ms", "id"),
)

holds = Table(
    "holds",
    metadata,
    Column("round_id", String(40), ForeignKey("rounds.id"), primary_key=True),
    Column("player_id", String(40), primary_key=True),
    Column("account", String(80), ForeignKey("accounts.id"), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("status", String(10), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("at_risk", BigInteger, nullable=False, server_default="0"),  # the most the round can cost this player
    CheckConstraint("amount > 0", name="amount_is_positive"),
    CheckConstraint("status IN ('open', 'captured', 'released')", name="status_is_known"),
)

journal = Table(
    "journal",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("round_id", String(40), ForeignKey("rounds.id"), nullable=False, index=True),
    Column("kind", String(40), nullable=False),
    Column("version", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("round_id", String(40), ForeignKey("rounds.id"), primary_key=True),
    Column("player_id", String(40), primary_key=True),
    Column("currency", String(3), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Index(None, "player_id", "started_ms", "round_id"),
)

# What finance exports, written with the money: a round as it was settled, refunded, reversed or settled anew; its
# hands (one, number 0, where everybody shares it); and what each seat staked and got back. In a reversal amounts are
# negative. All of it follows from the journal, and `casino verify` works it out again.
settlements = Table(
    "settlements",
    metadata,
    Column("operation_id", Serial, ForeignKey("operations.id"), primary_key=True, autoincrement=False),
    Column("round_id", String(40), ForeignKey("rounds.id"), nullable=False, index=True),
    Column("status", String(10), nullable=False),
    Column("table_id", String(40), nullable=False),
    Column("game_number", String(8), nullable=False),
    Column("presenter", String(40)),
    Column("board", String(20), nullable=False),
    Column("dealer_cards", String(8), nullable=False),
    Column("dealer_hand", String(20)),
    Column("dealer_qualifies", Integer),
    Column("paytable", Text, nullable=False),
    CheckConstraint("status IN ('settled', 'cancelled', 'reversal', 'corrected')", name="status_is_known"),
)

settled_hands = Table(
    "settled_hands",
    metadata,
    Column("operation_id", Serial, ForeignKey("settlements.operation_id"), primary_key=True, autoincrement=False),
    Column("seat_no", Integer, primary_key=True, autoincrement=False),
    Column("player_cards", String(8), nullable=False),
    Column("player_hand", String(20)),
    Column("result", String(4)),  # of those who did not fold
    sqlite_with_rowid=False,
)

settled_seats = Table(
    "settled_seats",
    metadata,
    Column("operation_id", Serial, ForeignKey("settlements.operation_id"), primary_key=True, autoincrement=False),
    Column("player_id", String(40), primary_key=True),
    Column("currency", String(3), nullable=False),
    Column("seat_no", Integer, nullable=False),
    Column("ante", BigInteger, nullable=False),  # BLIND is always the same
    Column("trips", BigInteger, nullable=False),
    Column("play", BigInteger, nullable=False),
    Column("ante_returned", BigInteger, nullable=False),
    Column("blind_returned", BigInteger, nullable=False),
    Column("trips_returned", BigInteger, nullable=False),
    Column("play_returned", BigInteger, nullable=False),
    Column("action", String(10)),
    Column("automatic", Integer, nullable=False),
    sqlite_with_rowid=False,
)

payments = Table(
    "payments",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), ForeignKey("users.id"), nullable=False),
    Column("key", String(80), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("status", String(10), nullable=False),
    Column("reason", Text, nullable=False),  # why it failed, as a sentence
    Column("reference", String(120), nullable=False),  # what the provider calls it
    Column("asked_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("retry_ms", BigInteger),  # when the provider is asked again; null once it has ended
    Column("balance", BigInteger, nullable=False),  # of the player when the status last changed: the first answer
    Column("available", BigInteger, nullable=False),
    CheckConstraint("amount > 0", name="amount_is_positive"),
    CheckConstraint("kind IN ('deposit', 'withdrawal')", name="kind_is_known"),
    CheckConstraint("status IN ('pending', 'succeeded', 'failed')", name="status_is_known"),
    CheckConstraint(
        "(status = 'pending') = (ended_ms IS NULL) AND (status = 'pending') = (retry_ms IS NOT NULL)",
        name="only_the_pending_is_tried_again",
    ),
    UniqueConstraint("player_id", "key"),
    Index(None, "player_id", "asked_ms", "id"),
    Index(None, "retry_ms"),
)

safeguards = Table(
    "safeguards",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("kind", String(20), primary_key=True),
    Column("period", String(10), primary_key=True),  # empty where there is none
    Column("value", BigInteger),  # minor units, minutes, or until when; null: none
    Column("next_value", BigInteger),  # what takes its place at next_ms
    Column("next_ms", BigInteger),
    Column("at_ms", BigInteger, nullable=False),  # when it was set, or the reality check last seen
    CheckConstraint(
        "kind IN ('deposit', 'loss', 'session', 'reality_check', 'time_out', 'self_exclusion')", name="kind_is_known"
    ),
)

# What those lost who have limited it, by the day their rounds began.
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

audit = Table(
    "audit",
    metadata,
    Column("id", Serial, primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("actor", String(80), nullable=False),
    Column("role", String(20), nullable=False),
    Column("action", String(40), nullable=False),
    Column("target", String(120), nullable=False),
    Column("before", Text, nullable=False),
    Column("after", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("request_id", String(40), nullable=False),
    Column("digest", String(64), nullable=False),
)

chains = Table(
    "chains",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("writes", BigInteger, nullable=False),
)

APPEND_ONLY = (operations, postings, settlements, settled_hands, settled_seats, journal, audit)
