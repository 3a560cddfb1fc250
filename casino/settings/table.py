"""Settings of a file in `tables/`: rules, limits, chips, times and paytables of one table."""

import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from casino.cards.ranking import Category
from casino.money import MINOR_MAX, Odds
from casino.settings.base import Section
from casino.settings.deck import DeckRules, Scanner
from casino.uth.bets import Limits
from casino.uth.paytable import BLIND_ODDS, TRIPS_ODDS, Paytable, paytable
from casino.uth.phases import SEATS_MAX
from casino.uth.terms import Layout, Terms, Windows

Minor = Annotated[int, Field(gt=0, le=MINOR_MAX)]
Seconds = Annotated[float, Field(ge=0, le=3600, allow_inf_nan=False)]
Window = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


class TableLimits(Section):
    ante_min: Minor = 100
    ante_max: Minor = 50_000
    trips_min: Minor = 100
    trips_max: Minor = 25_000

    @model_validator(mode="after")
    def _min_is_not_above_max(self) -> Self:
        for spot, least, most in (
            ("ante", self.ante_min, self.ante_max),
            ("trips", self.trips_min, self.trips_max),
        ):
            if least > most:
                raise ValueError(f"{spot}_min is above {spot}_max")
        return self


BOUND_FACTOR: Final = 10
"""Without bounds of its own, a table's maximum can be raised to this multiple of its file's."""


class LimitBounds(Section):
    """How far managers may move the limits. By default down to the smallest chip and up to ten times the file's."""

    ante_min: Minor | None = None
    ante_max: Minor | None = None
    trips_min: Minor | None = None
    trips_max: Minor | None = None


def _chip_values(values: list[int]) -> list[int]:
    if len(set(values)) != len(values):
        raise ValueError("a chip value appears twice")
    if any(value % min(values) for value in values):
        raise ValueError(f"every chip must be a multiple of the smallest, {min(values)}")
    return sorted(values)


class Chips(Section):
    """From the smallest up; at most ten, one for each digit key."""

    values: Annotated[list[Minor], Field(min_length=1, max_length=10), AfterValidator(_chip_values)] = Field(
        default_factory=lambda: [100, 500, 2500, 10000]
    )


class TableSeconds(Section):
    betting: Window = 15
    decide_preflop: Window = 12
    decide_flop: Window = 10
    decide_river: Window = 10
    between_rounds: Seconds = 5
    round_min: Seconds = 5
    card: Seconds = 0.6
    confirm: Seconds = 3
    resume_within: Window = 300


def _odds(text: object) -> Odds | None:
    if text in ("push", "lose"):
        return Odds(0, 1) if text == "push" else None
    match = re.fullmatch(r"([0-9]{1,6}):([0-9]{1,6})", text) if isinstance(text, str) else None
    if match is None:
        raise ValueError('odds are written like "3:2", or "push", or "lose"')
    return Odds(int(match[1]), int(match[2]))


def _hand(name: str) -> Category:
    if name not in list(Category):
        raise ValueError(f"not a hand; the hands are {', '.join(Category)}")
    return Category(name)


OddsByCategory = Mapping[Annotated[Category, BeforeValidator(_hand)], Annotated[Odds | None, BeforeValidator(_odds)]]


class TablePaytable(Section):
    """Only what differs from the standard need be named."""

    blind: OddsByCategory = BLIND_ODDS
    trips: OddsByCategory = TRIPS_ODDS

    @model_validator(mode="after")
    def _falls_from_hand_to_hand(self) -> Self:
        if None in self.blind.values():
            raise ValueError("blind: a winning hand cannot lose its BLIND")
        self.in_force()
        return self

    def in_force(self) -> Paytable:
        return paytable({**BLIND_ODDS, **self.blind}, {**TRIPS_ODDS, **self.trips})


class TableSettings(Section):
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$")]
    name: Annotated[str, Field(min_length=1, max_length=80)]
    dealing: Literal["auto", "presenter"] = "auto"
    hands: Literal["shared", "own"] = "shared"
    seats: Annotated[int, Field(ge=1, le=SEATS_MAX)] | None = None
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")] = "en"
    multi_table: bool = True
    practice: bool = False
    """For presenters to train at: simulated players, and money that exists nowhere else."""
    limits: TableLimits = TableLimits()
    limit_bounds: LimitBounds = LimitBounds()
    chips: Chips = Chips()
    seconds: TableSeconds = TableSeconds()
    paytable: TablePaytable = TablePaytable()
    deck: DeckRules = DeckRules()
    scanner: Scanner = Scanner()

    @model_validator(mode="after")
    def _parts_fit_each_other(self) -> Self:
        chip = min(self.chips.values)
        if not self.paytable.in_force().is_exact_for(chip):
            raise ValueError(f"chips.values: with a smallest chip of {chip} a payout would leave a fraction")
        self._verify_limits()
        self._verify_bounds()
        if self.seats is not None and self.hands == "shared":
            raise ValueError('seats: only a table with hands = "own" has seats')
        if self.dealing == "auto":
            if self.practice:
                raise ValueError('practice: possible only with dealing = "presenter"')
            if self.deck.count_within_rounds or self.scanner.decks:
                raise ValueError('deck, scanner: only a table with dealing = "presenter" has cards that can be held')
        return self

    def bounds(self) -> TableLimits:
        """The lowest minimum and the highest maximum a manager may set at this table, as its file describes it."""
        chip, own = min(self.chips.values), self.limit_bounds
        return TableLimits(
            ante_min=own.ante_min or min(chip, self.limits.ante_min),
            ante_max=own.ante_max or min(MINOR_MAX, BOUND_FACTOR * self.limits.ante_max),
            trips_min=own.trips_min or min(chip, self.limits.trips_min),
            trips_max=own.trips_max or min(MINOR_MAX, BOUND_FACTOR * self.limits.trips_max),
        )

    def _verify_bounds(self) -> None:
        for name, bound in self.limit_bounds.model_dump(exclude_none=True).items():
            limit: int = getattr(self.limits, name)
            if (bound > limit) if name.endswith("_min") else (bound < limit):
                raise ValueError(f"limit_bounds.{name}: the table's own limits.{name} is outside it")

    def verify_within_bounds(self, limits: TableLimits) -> None:
        """`ValueError` with a sentence for the manager, if these limits leave the bounds of this table."""
        bounds = self.bounds()
        for spot, least, lowest, most, highest in (
            ("ANTE", limits.ante_min, bounds.ante_min, limits.ante_max, bounds.ante_max),
            ("TRIPS", limits.trips_min, bounds.trips_min, limits.trips_max, bounds.trips_max),
        ):
            if least < lowest:
                raise ValueError(f"The {spot} minimum is below what the table's file allows. Choose a larger amount.")
            if most > highest:
                raise ValueError(f"The {spot} maximum is above what the table's file allows. Choose a smaller amount.")

    def with_limits(self, limits: TableLimits) -> Self:
        """The same table under other limits; `ValueError` if the rest of it does not fit them."""
        changed = self.model_copy(update={"limits": limits})
        changed._verify_limits()  # noqa: SLF001  its own kind
        return changed

    def _verify_limits(self) -> None:
        """A payout of 3:2 needs whole chips, so every limit must leave room for one."""
        chip = min(self.chips.values)
        for spot, least, most in (
            ("ante", self.limits.ante_min, self.limits.ante_max),
            ("trips", self.limits.trips_min, self.limits.trips_max),
        ):
            if most // chip * chip < least:
                raise ValueError(f"limits.{spot}_max: no multiple of the smallest chip, {chip}, is within the limits")

    def terms(self) -> Terms:
        """Returns the terms of a round at this table. The machine never takes a card back, so it confirms nothing."""
        seconds = self.seconds
        return Terms(
            layout=Layout(self.hands),
            seats=self.seats or SEATS_MAX,
            limits=Limits(**self.limits.model_dump(), smallest_chip=min(self.chips.values)),
            paytable=self.paytable.in_force(),
            windows=Windows(
                betting_ms=_ms(seconds.betting),
                decide_preflop_ms=_ms(seconds.decide_preflop),
                decide_flop_ms=_ms(seconds.decide_flop),
                decide_river_ms=_ms(seconds.decide_river),
                confirm_ms=_ms(seconds.confirm) if self.dealing == "presenter" else 0,
            ),
        )


def _ms(seconds: float) -> int:
    return max(1, round(seconds * 1000)) if seconds else 0
