"""Settings of `stakes.toml`: the cash stakes on offer."""

from collections import Counter
from typing import Annotated, Self

from pydantic import Field, model_validator

from casino.money import MINOR_MAX
from casino.poker.terms import SEATS_MAX, Format, Game, Stake
from casino.settings.base import Section

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
GameName = Annotated[Game, Field(strict=False)]
Minor = Annotated[int, Field(gt=0, le=MINOR_MAX)]
Seats = Annotated[int, Field(ge=2, le=SEATS_MAX)]
BigBlinds = Annotated[int, Field(gt=0, le=100_000)]


class StakeRow(Section):
    id: Name
    game: GameName
    sb: Minor
    bb: Minor
    permille: Annotated[int, Field(ge=0, le=1000)]
    cap: Minor
    buy_in_min_bb: BigBlinds = 50
    buy_in_max_bb: BigBlinds = 100
    seats: Seats = 6
    format: Annotated[Format, Field(strict=False)] = Format.REGULAR
    enabled: bool = True

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.sb > self.bb:
            raise ValueError("sb: the small blind is above the big blind")
        if self.cap // 2 == 0:
            raise ValueError("cap: half of it, the cap with two or three players, is 0")
        if self.buy_in_max_bb * self.bb > MINOR_MAX:
            raise ValueError(f"bb: the largest buy-in is above {MINOR_MAX}")
        if self.buy_in_min_bb > self.buy_in_max_bb:
            raise ValueError("buy_in_min_bb: it is above buy_in_max_bb")
        if self.format is Format.BANZAI and self.buy_in_min_bb != self.buy_in_max_bb:
            raise ValueError("buy_in_min_bb: a Banzai stake has exactly one buy-in")
        return self

    @property
    def stake(self) -> Stake:
        return Stake(
            self.id,
            self.game,
            self.sb,
            self.bb,
            self.permille,
            self.cap,
            self.buy_in_min_bb,
            self.buy_in_max_bb,
            self.seats,
            self.format,
            self.enabled,
        )


def check_once(what: str, names: list[str]) -> None:
    """Raise `ValueError` if a name appears more than once."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{what}: {twice[0]} appears more than once")


class Stakes(Section):
    stake: Annotated[list[StakeRow], Field(min_length=1)]

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        check_once("stake", [row.id for row in self.stake])
        return self

    @property
    def by_id(self) -> dict[str, Stake]:
        return {row.id: row.stake for row in self.stake}
