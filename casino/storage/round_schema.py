"""Tables of live tables: rounds with journal, bets and settlements, corrections, limits of managers and deck counts."""

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
    UniqueConstraint,
)

from casino.storage.metadata import Serial, decided_by_two_people, metadata

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
    *decided_by_two_people("proposed_by"),
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
