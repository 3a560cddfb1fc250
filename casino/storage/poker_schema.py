"""Tables of the poker room: tables, seats of cash tables, finished hands, and sittings of players.

`poker_hands` is a hash chain per table, numbered by hand. Hole cards are stored sealed only, in `sealed`. All other
columns hold what every player of the table has seen.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from casino.storage.metadata import Serial, metadata

# `next_root` and `next_sealed` are the deck of the next hand: stored before its first card is dealt.
poker_tables = Table(
    "poker_tables",
    metadata,
    Column("id", String(30), primary_key=True),
    Column("pool_id", String(50), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("status", String(10), nullable=False),
    Column("opened_ms", BigInteger, nullable=False),
    Column("closed_ms", BigInteger),
    Column("hand_no", BigInteger, nullable=False),  # of the last stored hand
    Column("next_root", String(64), nullable=False),
    Column("next_sealed", Text, nullable=False),
    Column("state", Text, nullable=False),  # positions, time banks and settings of the seats, as JSON
    Column("paused_reason", String(300)),
    Column("paused_ms", BigInteger),
    Column("incident_id", String(20)),
    Column("tournament_id", String(20), index=True),  # null: a cash table
    CheckConstraint("status IN ('open', 'closed')", name="status_is_known"),
    CheckConstraint("(status = 'closed') = (closed_ms IS NOT NULL)", name="closed_at_a_time"),
    Index(None, "status", "pool_id"),
)

# Players at tables now. Their chips are the balance of the account of the seat.
poker_seats = Table(
    "poker_seats",
    metadata,
    Column("table_id", String(30), ForeignKey("poker_tables.id"), primary_key=True),
    Column("player_id", String(40), primary_key=True, index=True),
    Column("seat_no", Integer, nullable=False),
    Column("initial", BigInteger, nullable=False),
    Column("since_ms", BigInteger, nullable=False),
    UniqueConstraint("table_id", "seat_no"),
)

# Time of a player at one table, from sitting down to leaving: what buy-in offers and the seat draw need.
poker_sittings = Table(
    "poker_sittings",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("key", String(60), primary_key=True),  # idempotency key of the buy-in
    Column("table_id", String(30), ForeignKey("poker_tables.id"), nullable=False),
    Column("from_ms", BigInteger, nullable=False),
    Column("pool_id", String(50), nullable=False),
    Column("seat_no", Integer, nullable=False),
    Column("moved", Integer, nullable=False, server_default="0"),  # came with the chips of a closed table
    Column("initial", BigInteger, nullable=False),
    Column("counted", Integer, nullable=False),  # a return that the daily counter counts
    Column("reset", Integer, nullable=False),  # a Banzai stack given up for the fixed one
    Column("until_ms", BigInteger),
    Column("left_with", BigInteger),
    Column("resumed", Integer, nullable=False, server_default="0"),  # the player has brought that stack back
    CheckConstraint("(until_ms IS NULL) = (left_with IS NULL)", name="left_with_a_stack"),
    Index(None, "player_id", "until_ms"),
)

poker_hands = Table(
    "poker_hands",
    metadata,
    Column("table_id", String(30), ForeignKey("poker_tables.id"), primary_key=True),
    Column("no", BigInteger, primary_key=True, autoincrement=False),
    Column("id", String(40), nullable=False, unique=True),
    Column("status", String(10), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("started_ms", BigInteger),  # null: the deck was prepared and never dealt, as far as is known
    Column("ended_ms", BigInteger, nullable=False),
    Column("events", Text, nullable=False),  # public events, as a JSON list
    Column("board", String(20), nullable=False),
    Column("pot", BigInteger, nullable=False),
    Column("rake", BigInteger, nullable=False),
    Column("root", String(64), nullable=False),
    Column("sealed", Text, nullable=False),
    Column("next_root", String(64), nullable=False),  # commits to the deck of the next hand
    Column("digest", String(64), nullable=False),
    Column("signature", String(100)),
    CheckConstraint("status IN ('settled', 'void')", name="status_is_known"),
    Index(None, "ended_ms", "id"),
)

poker_hand_players = Table(
    "poker_hand_players",
    metadata,
    Column("hand_id", String(40), ForeignKey("poker_hands.id"), primary_key=True),
    Column("player_id", String(40), primary_key=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("seat_no", Integer, nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("returned", BigInteger, nullable=False),
    Column("rake_share", BigInteger, nullable=False),
    Column("saw_flop", Integer, nullable=False),
    Column("showdown", Integer, nullable=False),
    Column("automatic", Integer, nullable=False),  # number of decisions the house made for the player
    Index(None, "player_id", "ended_ms", "hand_id"),
)

# Cards that players showed voluntarily after a stored hand.
poker_shown_cards = Table(
    "poker_shown_cards",
    metadata,
    Column("hand_id", String(40), ForeignKey("poker_hands.id"), primary_key=True),
    Column("player_id", String(40), primary_key=True),
    Column("cards", String(8), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
)

# Reports of players about others, for managers and the integrity desk.
poker_reports = Table(
    "poker_reports",
    metadata,
    Column("id", Serial, Identity(), primary_key=True, autoincrement=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("author_id", String(40), nullable=False),
    Column("player_id", String(40), nullable=False),  # whom the report is about
    Column("table_id", String(30), nullable=False),
    Column("hand_id", String(40), nullable=False),
    Column("seat_no", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Index(None, "author_id", "at_ms"),
)
