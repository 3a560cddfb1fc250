"""Settings of `structures.toml` and `payouts.toml`: blind levels, structures, places and shares."""

import itertools
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from casino.poker.tournament.prizes import FIRST_BANDS, PayoutTerms
from casino.poker.tournament.structure import Level, Structure, extended, parse_level
from casino.settings.base import Section
from casino.settings.poker.stakes import Name

LEVELS_MAX = 200


def _level(text: object) -> Level:
    if not isinstance(text, str):
        raise ValueError("a level is text such as 25/50 or 50/100/10")  # noqa: TRY004  pydantic reports ValueError
    return parse_level(text)


def _rising(levels: list[Level]) -> list[Level]:
    for before, after in itertools.pairwise(levels):
        if after.big_blind <= before.big_blind:
            raise ValueError(f"the big blind of {after} is not above that of {before}")
    return levels


class Levels(Section):
    levels: Annotated[
        list[Annotated[Level, BeforeValidator(_level)]],
        Field(min_length=1, max_length=LEVELS_MAX),
        AfterValidator(_rising),
    ]
    extend_to: Annotated[int, Field(ge=1, le=LEVELS_MAX)] | None = None

    @model_validator(mode="after")
    def _can_be_extended(self) -> Self:
        if self.extend_to is not None and not 3 <= len(self.levels) <= self.extend_to:
            raise ValueError("extend_to: it needs three levels to double, and must not be below their number")
        return self

    @property
    def all(self) -> tuple[Level, ...]:
        return extended(self.levels, self.extend_to or 0)


class StructureRow(Section):
    levels: Name
    minutes: Annotated[int, Field(ge=1, le=240)]
    stack: Annotated[int, Field(ge=1, le=10_000_000)]


class Structures(Section):
    levels: Annotated[Mapping[Name, Levels], Field(min_length=1)]
    structures: Mapping[Name, StructureRow] = {}

    @model_validator(mode="after")
    def _levels_are_known(self) -> Self:
        for name, row in self.structures.items():
            if row.levels not in self.levels:
                raise ValueError(f"structures.{name}.levels: there are no levels {row.levels}")
            if row.stack < self.levels[row.levels].levels[0].big_blind:
                raise ValueError(f"structures.{name}.stack: it is below the first big blind")
        return self

    def structure(self, name: str) -> Structure:
        row = self.structures[name]
        return Structure(name, row.minutes, self.levels[row.levels].all)


Percents = Annotated[list[Annotated[int, Field(ge=1, le=100)]], Field(min_length=1, max_length=100)]


def _falling_to_100(percents: list[int]) -> list[int]:
    if sum(percents) != 100:
        raise ValueError(f"the shares sum to {sum(percents)}, not to 100")
    if percents != sorted(percents, reverse=True):
        raise ValueError("a place gets more than the one above it")
    return percents


Shares = Annotated[Percents, AfterValidator(_falling_to_100)]


class Payouts(Section):
    share_percent: Annotated[int, Field(ge=1, le=100)] = 15
    exponent: Annotated[str, Field(pattern=r"^[0-9]\.[0-9]{1,6}$")] = "0.85"
    by_three_from: Annotated[int, Field(ge=4, le=1000)] = 10
    by_table_above: Annotated[int, Field(ge=4, le=1000)] = 18
    bands: Annotated[list[int], Field(min_length=1, max_length=100)] = Field(default_factory=lambda: list(FIRST_BANDS))
    tables: Mapping[Name, Shares] = {}

    @model_validator(mode="after")
    def _bands_rise(self) -> Self:
        if self.bands[0] < 1 or self.bands != sorted(set(self.bands)):
            raise ValueError("bands: the last places of the bands must rise")
        if self.by_three_from > self.by_table_above:
            raise ValueError("by_three_from: it is above by_table_above")
        return self

    @property
    def terms(self) -> PayoutTerms:
        return PayoutTerms(
            self.share_percent, Decimal(self.exponent), self.by_three_from, self.by_table_above, tuple(self.bands)
        )
