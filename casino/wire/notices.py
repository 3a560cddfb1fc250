"""Notices and chat lines: sentences for people, with the values in them."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from casino.wire.common import Count, Minor, Moment


class HouseValues(TypedDict):
    """The values in a sentence of the house, so that a page can say it in another language."""

    incident_id: NotRequired[str]
    """The number under which the incident can be looked up."""
    game_number: NotRequired[str]
    """The round that was corrected."""
    minutes: NotRequired[Count | None]
    """How long the player may not write; null: until further notice."""
    player: NotRequired[str]
    """The name of the player who gave a tip."""
    presenter: NotRequired[str]
    """The name of the presenter who got it."""
    amount: NotRequired[Minor]
    currency: NotRequired[str]
    changed: NotRequired[str]
    """The cards that were corrected: `FLOP 1: 8♠ → 8♣`."""


_From = TypedDict("_From", {"table_id": str, "from": str})  # `from` is a keyword


class ChatLine(HouseValues, _From):
    """To all at the table who show the chat, and at its consoles."""

    role: str
    text: str
    at: Moment
    code: str | None
    """Kind of a line of the service, as in a `notice`, or `tip`; null for messages of people."""


class HostChatLine(ChatLine):
    """The same at a console, where somebody may have to be muted."""

    player_id: str | None
    """Null if no player has said it."""


class ArchivedChatLine(HostChatLine):
    """The same in the archive, with lines that were refused."""

    id: str
    blocked: str | None
    """Why it was refused, so that only its author has read it: `chat_link`, `chat_unwanted`, `chat_too_long`,
    `chat_repeated`, `muted`, `rate_limited`; null if it was sent."""


Level = Literal["info", "warning"]


class Notice(HouseValues):
    """To all at the table and at its consoles: information as a sentence."""

    table_id: str
    level: Level
    code: str
    """`table_paused`, `resumed`, `interrupted`, `round_cancelled`, `round_corrected`, `card_corrected`,
    `decisions_reopened`, `muted`, `unmuted`, `seat_lost`, `seat_found`; at poker tables also `hand_void` after a
    restart and `hand_delayed`; more may come."""
    text: str
