"""HexaPro games for players: waiting lines, and draws that are committed to before they are revealed.

Prices and prizes are minor units of the currency; chips have no value.
"""

from typing import Final

from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment, Sha256
from casino.wire.outbound import ServerEvent
from casino.wire.poker_hands import PokerGame


class HexaLine(TypedDict):
    """The line of a HexaPro product and buy-in: three different players make a game."""

    line: str
    product: str
    name: str
    game: PokerGame
    currency: str
    buy_in: Minor
    waiting: Count
    """Entries."""
    next_game: Count
    """The number of the next game of the line."""
    commitment: Sha256
    """SHA-256 of `secret:number` of the next game's draw, in hexadecimal. Both are revealed with the draw."""


class HexaReveal(TypedDict):
    """To the three players of a HexaPro game: the draw, before the first hand."""

    tournament_id: str
    line: str
    product: str
    game_no: Count
    buy_in: Minor
    multiplier: Count
    number: Count
    secret: str
    commitment: Sha256
    prizes: list[Minor]
    stack: Minor
    level_minutes: Count
    first_hand_at: Moment
    table_id: str


class HexaRegisteredAck(TypedDict):
    entries: list[str]
    available: Minor


class HexaCancelledAck(TypedDict):
    available: Minor


class HexaDraw(TypedDict):
    """The draw of a HexaPro game that was played: SHA-256 of `secret:number` is the commitment."""

    line: str
    game_no: Count
    multiplier: Count
    number: Count
    secret: str | None
    """Null if the service has lost the key it was sealed with."""
    commitment: Sha256


HEXA: Final = ServerEvent("hexa", HexaReveal)
