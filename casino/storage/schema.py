"""Database schema as statements see it: all tables. Migrations create them; a test proves that both agree.

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

from casino.storage.metadata import Serial, decided_by_two_people, metadata
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_shown_cards
from casino.storage.round_schema import (
    corrections,
    deck_counts,
    holds,
    journal,
    rounds,
    seats,
    settled_hands,
    settled_seats,
    settlements,
    table_limits,
)
from casino.storage.tournament_schema import hexapro_draws, tournament_journal
from casino.storage.user_schema import (
    chat_lines,
    mutes,
    play_days,
    profiles,
    recovery_codes,
    safeguards,
    second_factors,
    sessions,
    users,
    visits,
)

__all__ = [
    "APPEND_ONLY",
    "accounts",
    "audit",
    "chains",
    "chat_lines",
    "corrections",
    "database_identity",
    "deck_counts",
    "finance_requests",
    "heartbeats",
    "holds",
    "journal",
    "metadata",
    "mutes",
    "operations",
    "payments",
    "play_days",
    "postings",
    "profiles",
    "recovery_codes",
    "rounds",
    "safeguards",
    "seats",
    "second_factors",
    "sessions",
    "settled_hands",
    "settled_seats",
    "settlements",
    "table_limits",
    "users",
    "visits",
]

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
    *decided_by_two_people("requested_by"),
    Index(None, "status", "requested_ms", "id"),
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
