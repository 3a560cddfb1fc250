"""Tables of tournaments: their journals, entries, tickets, and draws of HexaPro games.

`tournament_journal` is a hash chain per tournament. Everything else about a tournament follows from it: the other
tables hold what queries need.
"""

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

from casino.storage.metadata import metadata

# `source` is the template of the schedule, or the line of a Sit & Go or HexaPro game.
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("source", String(60), nullable=False),
    Column("draw_no", BigInteger),  # of a HexaPro game, in its line
    Column("name", String(60), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("clock", String(20), nullable=False),
    Column("buy_in", BigInteger, nullable=False),
    Column("status", String(12), nullable=False),
    Column("opens_ms", BigInteger, nullable=False),  # registration opens
    Column("starts_ms", BigInteger, nullable=False),
    Column("ended_ms", BigInteger),
    CheckConstraint("kind IN ('mtt', 'sng', 'hexapro')", name="kind_is_known"),
    CheckConstraint("status IN ('registering', 'running', 'finished', 'cancelled')", name="status_is_known"),
    CheckConstraint("(status IN ('finished', 'cancelled')) = (ended_ms IS NOT NULL)", name="ended_at_a_time"),
    UniqueConstraint("source", "draw_no"),
    Index(None, "status", "starts_ms"),
    Index(None, "source", "starts_ms"),
)

tournament_journal = Table(
    "tournament_journal",
    metadata,
    Column("tournament_id", String(20), ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(30), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("event", Text, nullable=False),  # as JSON
    Column("digest", String(64), nullable=False),
    Column("signature", String(100)),
)

# Entries of players, also those that wait in the line of a HexaPro product and belong to no tournament yet.
tournament_entries = Table(
    "tournament_entries",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), nullable=False),
    Column("key", String(60), nullable=False),  # idempotency key of the registration
    Column("tournament_id", String(20), ForeignKey("tournaments.id"), index=True),
    Column("line", String(60)),
    Column("ticket_id", String(40)),
    Column("status", String(12), nullable=False),
    Column("registered_ms", BigInteger, nullable=False),
    Column("risked", BigInteger, nullable=False),  # money from the player's account, rebuys and add-ons included
    Column("paid", BigInteger, nullable=False),  # the same, or the value of the ticket
    Column("won", BigInteger, nullable=False, server_default="0"),  # prizes, bounties and refunds in money
    Column("place", Integer),
    Column("ended_ms", BigInteger),
    CheckConstraint("status IN ('waiting', 'open', 'ended', 'returned')", name="status_is_known"),
    CheckConstraint("tournament_id IS NOT NULL OR line IS NOT NULL", name="entered_somewhere"),
    UniqueConstraint("player_id", "key"),
    Index(None, "player_id", "registered_ms", "id"),
    Index(None, "status", "line"),
)

tickets = Table(
    "tickets",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player_id", String(40), nullable=False),
    Column("value", BigInteger, nullable=False),
    Column("currency", String(3), nullable=False),
    Column("origin", String(12), nullable=False),
    Column("event", String(60)),  # usable for tournaments of this source only; null: of exactly this value
    Column("issued_ms", BigInteger, nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("status", String(10), nullable=False),
    Column("entry_id", String(40)),
    CheckConstraint("status IN ('open', 'used', 'expired')", name="status_is_known"),
    CheckConstraint("(status = 'used') = (entry_id IS NOT NULL)", name="used_for_an_entry"),
    Index(None, "player_id", "status"),
)

# Idempotency keys of rebuys and add-ons.
tournament_purchases = Table(
    "tournament_purchases",
    metadata,
    Column("player_id", String(40), primary_key=True),
    Column("key", String(60), primary_key=True),
    Column("entry_id", String(40), ForeignKey("tournament_entries.id"), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)

# The number of each game of a line: its commitment is published before a player of the game has registered.
hexapro_draws = Table(
    "hexapro_draws",
    metadata,
    Column("line", String(60), primary_key=True),
    Column("no", BigInteger, primary_key=True, autoincrement=False),
    Column("commitment", String(64), nullable=False),
    Column("sealed", Text, nullable=False),  # number and secret, encrypted
    Column("at_ms", BigInteger, nullable=False),
)
