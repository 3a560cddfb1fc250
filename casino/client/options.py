"""Options of a bot run."""

from dataclasses import dataclass
from enum import StrEnum


class Strategy(StrEnum):
    BEST = "best"
    RANDOM = "random"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Options:
    """Without a number of rounds the bots play until they are stopped."""

    bots: int
    strategy: Strategy
    table_id: str
    rounds: int | None = None
    guests_per_minute: int | None = None
    seed: int | None = None
