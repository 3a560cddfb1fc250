"""PHH files: parsed into hands, and replayed by the rules of the live table.

Amounts may be fractions; a file is replayed in the smallest unit it uses. Antes that are not the same for all players
are dead money. Of hole cards only those are known that the file names.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NamedTuple

from casino.cards.card import Card, distinct_cards, parse_cards
from casino.errors import Refusal
from casino.poker.commands import Entrant, OpenHand
from casino.poker.notation.phh_amounts import (
    BadHand,
    Unsupported,
    amount_of,
    amounts_of,
    padded_amounts,
    smallest_unit,
)
from casino.poker.positions import Positions
from casino.poker.terms import SEATS_MAX, Game, RakeTerms, Terms

VARIANTS: Final = {"NT": Game.NLHE, "PO": Game.PLO}
HAND_ID: Final = "phh"
SHOWN_MAX: Final = 40
"""Characters of a line that an error repeats."""

_REQUIRED: Final[dict[str, tuple[type, ...]]] = {
    "starting_stacks": (list,),
    "min_bet": (int, Decimal),
    "actions": (list,),
}


class Decision(NamedTuple):
    """A player's action. `word` is `f`, `cc` or `cbr`, `amount` the total of the latter.

    `line` is the beginning of the action, `number` its place in the file's list, counted from 1. `dealt` is how many
    board cards are dealt before it.
    """

    number: int
    line: str
    place: int
    word: str
    amount: int
    dealt: int


@dataclass(frozen=True)
class PhhHand:
    """One hand of a file. `step` is the unit its amounts are counted in."""

    command: OpenHand
    hole: Mapping[int, tuple[Card, ...]]
    board: tuple[Card, ...]
    actions: tuple[Decision, ...]
    finishing_stacks: tuple[int, ...] | None
    step: Decimal
    mucked: frozenset[int]
    """Players who gave their hand up at the showdown, written `p1 sm`; they lose whatever they held."""

    def amount(self, units: int) -> int | float:
        """The amount as the file would write it."""
        value = units * self.step
        return int(value) if value == value.to_integral_value() else float(value)


def hands_of(text: str, *, several: bool) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Names and fields of the hands of a `.phh` file, or of a `.phhs` file with `several`. Raises `BadHand`."""
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, InvalidOperation) as error:
        raise BadHand(f"the file is not valid TOML: {error}") from error
    except RecursionError as error:
        raise BadHand("the file is not a PHH file: its values are nested too deeply") from error
    if not several:
        yield str(fields.get("hand", 1)), fields
        return
    for name, hand in fields.items():
        if isinstance(hand, dict):
            yield name, hand


def parse_hand(fields: Mapping[str, Any]) -> PhhHand:
    """A hand from its fields. Raises `Unsupported` or `BadHand`."""
    if "variant" not in fields:
        raise BadHand("variant is missing")
    variant = str(fields["variant"])
    if variant not in VARIANTS:
        raise Unsupported(f"variant {variant[:40]!r} is not played here")
    for name, kinds in _REQUIRED.items():
        if name not in fields:
            raise BadHand(f"{name} is missing")
        if not isinstance(fields[name], kinds):
            raise BadHand(f"{name} is not {'a list' if list in kinds else 'a number'}")
    try:
        return _parsed(fields, VARIANTS[variant])
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise BadHand(f"a field has a value of the wrong kind: {error}") from error
    except Refusal as refusal:
        raise BadHand(refusal.message) from refusal


def _parsed(fields: Mapping[str, Any], game: Game) -> PhhHand:
    stacks = amounts_of(fields, "starting_stacks")
    count = len(stacks)
    if not 2 <= count <= SEATS_MAX:
        raise Unsupported(f"a table has 2 to {SEATS_MAX} players")
    antes, blinds = (padded_amounts(fields, name, count) for name in ("antes", "blinds_or_straddles"))
    if count == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    actions = [_words(number, line) for number, line in enumerate(fields["actions"], start=1)]
    min_bet = amount_of(fields["min_bet"], "min_bet")
    finishing = amounts_of(fields, "finishing_stacks")
    if finishing and len(finishing) != count:
        raise BadHand(f"finishing_stacks names {len(finishing)} stacks, and starting_stacks {count}")
    wagers = [_wager(number, words) for number, words in enumerate(actions, start=1) if words[1:2] == ["cbr"]]
    cap = amount_of(fields.get("_rake_cap", 0), "_rake_cap")
    step = smallest_unit([*stacks, *antes, *blinds, min_bet, *wagers, cap, *finishing])
    step = min(step, amount_of(fields.get("_unit", 1), "_unit"))

    def units(value: Decimal) -> int:
        return int(value / step)

    positions = _positions(blinds, min_bet)
    hole, board = _hole_cards(actions, game), _board(actions)
    distinct_cards((*board, *(card for cards in hole.values() for card in cards)))
    is_uniform = len(set(antes)) == 1
    rake = RakeTerms(int(fields["_rake_permille"]), units(cap)) if "_rake_permille" in fields else None
    small_blind = blinds[positions.small_blind - 1] if positions.small_blind else Decimal(0)
    terms = Terms(game, units(small_blind), units(min_bet), units(antes[0]) if is_uniform else 0, rake)
    seats = tuple(
        Entrant(place, f"p{place}", units(stack), 0 if is_uniform else units(ante))
        for place, (stack, ante) in enumerate(zip(stacks, antes, strict=True), start=1)
    )
    return PhhHand(
        OpenHand(HAND_ID, "", 0, terms, seats, positions),
        hole,
        board,
        tuple(_decisions(actions, units)),
        tuple(map(units, finishing)) if finishing else None,
        step,
        frozenset(_place(words[0]) for words in actions if words[1:] == ["sm"]),
    )


def _wager(number: int, words: Sequence[str]) -> Decimal:
    return amount_of(words[2], f"action {number} of the list, {_shown(words)!r}")


def _positions(blinds: Sequence[Decimal], min_bet: Decimal) -> Positions:
    """Player 1 sits left of the button, the last player on it; heads-up the button is the small blind."""
    count = len(blinds)
    big = [place for place, blind in enumerate(blinds, start=1) if blind == min_bet]
    small = [place for place, blind in enumerate(blinds, start=1) if 0 < blind < min_bet]
    posters = [place for place, blind in enumerate(blinds, start=1) if blind == -min_bet]
    others = [blind for blind in blinds if blind > min_bet or (blind < 0 and blind != -min_bet)]
    if len(big) != 1 or len(small) > 1 or others:
        raise Unsupported("straddles, or blinds other than one small and one big blind")
    if big[0] == count and count > 2:
        raise Unsupported("a big blind on the button")
    return Positions(count, small[0] if small else None, big[0], tuple(posters))


def _words(number: int, line: object) -> list[str]:
    """The words of an action without its comment. Raises `BadHand` with the number of a line that is no action."""
    words = line.split("#", maxsplit=1)[0].split() if isinstance(line, str) else [""]
    if not words or any(re.fullmatch(form, " ".join(words), re.ASCII) for form in _ACTION_FORMS):
        return words
    raise BadHand(f"action {number} of the list is not an action: {str(line)[:SHOWN_MAX]!r}")


_ACTION_FORMS: Final = (
    r"d dh p\d{1,2} \S+",
    r"d db \S+",
    r"p\d{1,2} (f|cc)",
    r"p\d{1,2} cbr \S+",
    r"p\d{1,2} sm( \S+)?",
)


def _board(actions: Sequence[Sequence[str]]) -> tuple[Card, ...]:
    """The board as dealt. Raises `Unsupported` if one of its cards is unknown."""
    dealt = "".join(words[2] for words in actions if words[:2] == ["d", "db"])
    if "?" in dealt:
        raise Unsupported("a card of the board is not in the file")
    return parse_cards(dealt)


def _hole_cards(actions: Sequence[Sequence[str]], game: Game) -> dict[int, tuple[Card, ...]]:
    """Hole cards as dealt or as shown; a hand is known if all of its cards are."""
    hole: dict[int, tuple[Card, ...]] = {}
    for words in actions:
        player, cards = "", ""
        if words[:2] == ["d", "dh"]:
            player, cards = words[2], words[3]
        elif words[1:2] == ["sm"] and len(words) == 3 and words[2] != "-":
            player, cards = words[0], words[2]
        if cards and "?" not in cards:
            found = parse_cards(cards)
            if set(hole.setdefault(_place(player), found)) != set(found):
                raise BadHand(f"{player} shows other cards than were dealt")
    if any(len(cards) != game.hole_cards for cards in hole.values()):
        raise ValueError(f"a hand has {game.hole_cards} hole cards")
    return hole


def _decisions(actions: Sequence[Sequence[str]], units: Callable[[Decimal], int]) -> Iterator[Decision]:
    dealt = 0
    for number, words in enumerate(actions, start=1):
        line = _shown(words)
        match words:
            case ["d", "db", cards]:
                dealt += len(cards) // 2
            case [player, "f" | "cc" as word]:
                yield Decision(number, line, _place(player), word, 0, dealt)
            case [player, "cbr", _]:
                yield Decision(number, line, _place(player), "cbr", units(_wager(number, words)), dealt)


def _shown(words: Sequence[str]) -> str:
    return " ".join(words)[:SHOWN_MAX]


def _place(player: str) -> int:
    return int(player.removeprefix("p"))
