"""Strategies of poker bots: a decision from hole cards, offered options and the pot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from casino.client.http_api import Payload
from casino.client.poker.options import PokerStrategy

_HIGH: Final = frozenset("TJQKA")
_PLAYED_PAIRS: Final = frozenset("789TJQKA")
_FOLD_OFTEN: Final = 0.25
_RAISE_OFTEN: Final = 0.2
_ANY_SIZE: Final = 0.1
_WEAK: Final = frozenset({"high_card"})
_FAIR: Final = frozenset({"pair"})


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision: the options as they were offered, and what the player sees."""

    options: Payload
    cards: Sequence[str]
    category: str | None
    board: Sequence[str]
    pot: int

    @property
    def price(self) -> int:
        return int(self.options["call"]["amount"]) if self.options["call"] else 0


Answer = tuple[str, int | None]
"""An action, and the amount of a raise."""
Decide = Callable[[Spot], Answer | None]


def strategy_of(name: PokerStrategy, chance: Random) -> Decide:
    """Returns how a bot decides; None as an answer means silence."""
    match name:
        case PokerStrategy.RANDOM:
            return lambda spot: _at_random(spot, chance)
        case PokerStrategy.TIGHT:
            return lambda spot: _tight(spot, chance)
        case PokerStrategy.CALLER:
            return _call
        case PokerStrategy.NEVER:
            return lambda _spot: None


def _call(spot: Spot) -> Answer:
    return ("check", None) if spot.options["check"] else ("call", None)


def _give_up(spot: Spot) -> Answer:
    return ("check", None) if spot.options["check"] else ("fold", None)


def _at_random(spot: Spot, chance: Random) -> Answer:
    """Mostly usual sizes, so that a table of bots does not go broke in a minute; sometimes any legal one."""
    drawn, offered = chance.random(), spot.options["raise"]
    if spot.price and drawn < _FOLD_OFTEN:
        return "fold", None
    if not offered or drawn < 1 - _RAISE_OFTEN:
        return _call(spot)
    if chance.random() < _ANY_SIZE:
        return "raise_to", chance.randint(offered["min"], offered["max"])
    usual = [preset["amount"] for preset in offered["presets"] if preset["name"] not in ("pot", "all_in")]
    return "raise_to", chance.choice([offered["min"], *usual])


def _tight(spot: Spot, chance: Random) -> Answer:
    """Plays good starting hands, bets what is made, and gives up against large bets."""
    if not spot.board:
        return _raise(spot, "3x") if _is_good_start(spot.cards) else _give_up(spot)
    if spot.category is None or spot.category in _WEAK:
        return _give_up(spot)
    if spot.category in _FAIR:
        return _call(spot) if spot.price * 2 <= spot.pot else _give_up(spot)
    return _raise(spot, "2/3") if chance.random() < 0.5 else _call(spot)


def _raise(spot: Spot, preset: str) -> Answer:
    offered = spot.options["raise"]
    if not offered:
        return _call(spot)
    wanted = {one["name"]: one["amount"] for one in offered["presets"]}
    return "raise_to", wanted.get(preset, offered["min"])


def _is_good_start(cards: Sequence[str]) -> bool:
    """A pair of sevens or better, two high cards, or an ace with a card of its suit."""
    ranks = [card[0] for card in cards]
    if any(ranks.count(rank) == 2 and rank in _PLAYED_PAIRS for rank in ranks):
        return True
    if sum(rank in _HIGH for rank in ranks) * 2 > len(ranks):
        return True
    suited_with_ace = {card[1] for card in cards if card[0] == "A"}
    return any(card[1] in suited_with_ace for card in cards if card[0] != "A")
