"""Database schema as statements see it. Migrations create the tables; a test proves that both agree.

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
    String,
    Table,
    Text,
    UniqueConstraint,
)

from casino.storage.metadata import Serial, metadata
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_shown_cards
from casino.storage.tournament_schema import hexapro_draws, tournament_journal

__all__ = ["metadata"]

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

accounts = Table(
    "accounts",
    metadata,
    Column("id", String(80), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("balance", BigInteger, nullable=False, server_default="0"),
    Column("held", BigInteger, nullable=False, server_default="0"),
    # House, cashier, credits and promotions represent the outside world and may be negative. A receivable is a debt.
    CheckConstraint(
        "CASE kind WHEN 'receivable' THEN balance <= 0"
        " ELSE balance >= 0 OR kind IN ('house', 'cashier', 'credit', 'promo') END",
        name="not_overdrawn",
    ),
    CheckConstraint("held >= 0 AND (held = 0 OR held <= balance)", name="held_is_covered"),
    # Postings of a hand pass through the pot of its table and leave nothing there.
    CheckConstraint("kind <> 'pot' OR balance = 0", name="pots_are_empty"),
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

_OWN_CASH = (  # the seat's name ends with the player of the cash account
    "substr({cash}, 1, 7) = 'player:' AND substr({seat}, length({seat}) - length({cash}) + 12)"
    " = ':' || substr({cash}, 8, length({cash}) - 12)"
)
_SEATS_ARE_PERSONAL = " AND ".join(
    f"(substr({seat}, 1, 5) <> 'seat:' OR substr({cash}, 1, 4) = 'pot:' OR ({_OWN_CASH.format(seat=seat, cash=cash)}))"
    for seat, cash in (("source", "destination"), ("destination", "source"))
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
    # Chips at a poker table move to and from its pot, and to and from the cash account of their own player.
    CheckConstraint(_SEATS_ARE_PERSONAL, name="seats_are_personal"),
    # With the currency in the key, no posting can touch two currencies.
    ForeignKeyConstraint(["source", "currency"], ["accounts.id", "accounts.currency"]),
    ForeignKeyConstraint(["destination", "currency"], ["accounts.id", "accounts.currency"]),
    # An account's own postings in order: the cost of a page does not depend on their number.
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

# Limits set by a manager, and the configured ones they replaced: if the file changes, it applies again.
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

# Corrections of settled rounds by two people: one proposes, another approves.
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
    Column("after_corrections", Integer, nullable=False, server_default="0"),
    CheckConstraint("status IN ('open', 'approved', 'rejected')", name="status_is_known"),
    CheckConstraint(
        "(status = 'open') = (decided_by IS NULL) AND (status = 'open') = (decided_ms IS NULL)",
        name="decided_by_somebody",
    ),
    CheckConstraint("status <> 'approved' OR decided_by <> proposed_by", name="approved_by_a_second_person"),
    Index(None, "proposed_ms", "id"),
)

# Requests of the back office that need a second person: closing a day, locking a month, a credit, a debt.
finance_requests = Table(
    "finance_requests",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("target", String(80), nullable=False),
    Column("details", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("requested_by", String(40), ForeignKey("users.id"), nullable=False),
    Column("requested_ms", BigInteger, nullable=False),
    Column("status", String(10), nullable=False),
    Column("decided_by", String(40), ForeignKey("users.id")),
    Column("decided_ms", BigInteger),
    Column("remark", Text, nullable=False),
    CheckConstraint("status IN ('open', 'approved', 'rejected')", name="status_is_known"),
    CheckConstraint(
        "(status = 'open') = (decided_by IS NULL) AND (status = 'open') = (decided_ms IS NULL)",
        name="decided_by_somebody",
    ),
    CheckConstraint("status <> 'approved' OR decided_by <> requested_by", name="approved_by_a_second_person"),
    Index(None, "status", "requested_ms", "id"),
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
    Column("at_risk", BigInteger, nullable=False, server_default="0"),  # the maximum loss of this player in the round
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
    Column("signature", String(100)),  # null: written before signing began
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

# Exported settlements, written with the money: a round as settled, refunded, reversed or settled again, its hands
# (number 0 is a shared one), and the stakes and returns of each seat. Amounts of a reversal are negative. All of it
# follows from the journal, and `casino verify` recomputes it.
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
    Column("result", String(4)),  # null if folded
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
    Column("reason", Text, nullable=False),  # reason of a failure, as a sentence
    Column("reference", String(120), nullable=False),  # id at the provider
    Column("asked_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("retry_ms", BigInteger),  # time of the next attempt at the provider; null once final
    Column("balance", BigInteger, nullable=False),  # of the player at the last status change, for the first reply
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
    Column("signature", String(100)),
)

chains = Table(
    "chains",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("seq", BigInteger, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("writes", BigInteger, nullable=False),
    Column("signature", String(100)),
)

# One row. `served_file` names the SQLite file of a running service (`casino/storage/live_file.py`).
database_identity = Table(
    "database_identity",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("served_file", Text),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at_ms", BigInteger, nullable=False),
)

APPEND_ONLY = (
    operations,
    postings,
    settlements,
    settled_hands,
    settled_seats,
    journal,
    audit,
    poker_hands,
    poker_hand_players,
    poker_shown_cards,
    tournament_journal,
    hexapro_draws,
)
