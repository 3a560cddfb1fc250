"""Deck settings of a table file: scanner codes of the cards, and the interval of deck counts."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from casino.cards.card import DECK, INDEX, Card, written
from casino.errors import Code, Refusal
from casino.settings.base import Section

ScannerCode = Annotated[str, Field(pattern=r"^[!-~]{1,40}$")]
DeckName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,19}$")]


def as_typed(code: str) -> Card | None:
    """The card this is however people write it: the console takes `as`, `AS` and `10h` for cards."""
    name = code.upper().replace("10", "T", 1) if len(code) == len("10h") else code.upper()
    name = name[:1] + name[1:].lower()
    return Card(name) if name in INDEX else None


def _card(text: object) -> Card:
    if not isinstance(text, str) or text not in INDEX:
        raise ValueError("not a card: write a rank of 23456789TJQKA and a suit of cdhs")
    return Card(text)


def _whole_deck(codes: Mapping[str, Card]) -> Mapping[str, Card]:
    missing = sorted(set(DECK) - set(codes.values()), key=INDEX.__getitem__)
    if missing:
        raise ValueError(f"no code leads to {' '.join(missing)}")
    if len(codes) != len(DECK):
        raise ValueError("more than one code leads to the same card")
    for code, card in codes.items():
        if as_typed(code) not in (card, None):
            raise ValueError(f"the code {code} is the name of another card")
    return codes


Codes = Annotated[Mapping[ScannerCode, Annotated[Card, BeforeValidator(_card)]], AfterValidator(_whole_deck)]


class Scanner(Section):
    """Codes by deck. Without any, a scanner types the two characters of a card; the pad always does."""

    decks: Mapping[DeckName, Codes] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _no_code_in_two_decks(self) -> "Scanner":
        known: dict[str, str] = {}
        for deck, codes in self.decks.items():
            for code in codes:
                if known.setdefault(code, deck) != deck:
                    raise ValueError(f"decks.{deck}.{code}: the deck {known[code]} has this code already")
        return self

    @property
    def first_deck(self) -> str:
        return next(iter(self.decks), "")

    def card_of(self, code: str, deck: str) -> Card:
        """Returns the scanned code as a card of the deck in use."""
        if code in INDEX:
            return Card(code)
        for name, codes in self.decks.items():
            if code in codes:
                if name != deck:
                    raise Refusal(
                        Code.BAD_CARD, f"{written(codes[code])} belongs to deck {name}. Deal from deck {deck}."
                    )
                return codes[code]
        raise Refusal(Code.BAD_CARD, f"{code[:20]} is not a card of this table. Scan the card again.")

    def name_of(self, code: str) -> str:
        """Returns what people call a scanned code: the card and its deck; the code itself if it is no card."""
        for name, codes in self.decks.items():
            if code in codes:
                return f"{written(codes[code])} of deck {name}"
        return code


class DeckRules(Section):
    """`count_within_rounds`: rounds after which the deck must be counted again before betting opens; 0: no limit."""

    count_within_rounds: Annotated[int, Field(ge=0, le=100_000)] = 0
