"""Options of a run of poker bots."""

from dataclasses import dataclass
from enum import StrEnum


class PokerStrategy(StrEnum):
    RANDOM = "random"
    TIGHT = "tight"
    CALLER = "caller"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class PokerOptions:
    """Without a number of hands the bots play until they are stopped. `pools` are served in turn.

    `tournament` is the id of a tournament, or the line of a Sit & Go as in `sng-5-100`: then each bot plays one game.
    `hexa` is a HexaPro product and buy-in: then three bots at a time play one game.
    """

    bots: int
    strategy: PokerStrategy
    pools: tuple[str, ...]
    hands: int | None = None
    think_seconds: float = 0.0
    guests_per_minute: int | None = None
    seed: int | None = None
    tournament: str | None = None
    hexa: tuple[str, int] | None = None
