"""Settings of `sng.toml` and `hexapro.toml`: games that start when their seats are taken."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from casino.poker.tournament.hexapro import DRAW_OF, PLAYERS, Prize, Product
from casino.poker.tournament.structure import Level
from casino.settings.base import Section
from casino.settings.poker.stakes import GameName, Minor, Name, Seats, check_once
from casino.settings.poker.structures import Shares

Title = Annotated[str, Field(min_length=1, max_length=60)]


class BuyIn(Section):
    pool: Minor
    fee: Annotated[int, Field(ge=0)]

    @property
    def total(self) -> int:
        return self.pool + self.fee


class SitAndGo(Section):
    id: Name
    name: Title
    game: GameName
    seats: Seats
    structure: Name
    prizes: Name | None = None
    satellite_to: Name | None = None
    buy_ins: Annotated[list[BuyIn], Field(min_length=1)]

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if (self.prizes is None) == (self.satellite_to is None):
            raise ValueError("prizes: name either prizes or satellite_to")
        check_once("buy_ins", [f"the total {buy_in.total}" for buy_in in self.buy_ins])
        return self


class SitAndGos(Section):
    sng: list[SitAndGo] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        check_once("sng", [row.id for row in self.sng])
        return self


class PrizeRow(Section):
    multiplier: Annotated[int, Field(ge=1, le=1_000_000)]
    chances: Annotated[int, Field(ge=1, le=DRAW_OF)]
    percents: Annotated[Shares, Field(max_length=PLAYERS)]
    stack: Annotated[int, Field(ge=1, le=10_000_000)]
    minutes: Annotated[int, Field(ge=1, le=60)]


class ProductRow(Section):
    id: Name
    name: Title
    game: GameName
    buy_ins: Annotated[list[Minor], Field(min_length=1)]
    off: list[Minor] = Field(default_factory=list)
    fee_per_100000: Annotated[int, Field(ge=0, lt=DRAW_OF)]
    levels: Name
    prizes: Annotated[list[PrizeRow], Field(min_length=1)]

    @model_validator(mode="after")
    def _chances_are_whole(self) -> Self:
        check_once("buy_ins", [str(buy_in) for buy_in in (*self.buy_ins, *self.off)])
        try:
            product = self.product(())
        except ValueError as error:
            raise ValueError(f"prizes: {error}") from None
        if product.rake < 0:
            raise ValueError(f"prizes: the mean multiplier {float(product.mean):.5f} is above {PLAYERS}")
        if self.fee_per_100000 != round(product.rake * DRAW_OF):
            raise ValueError(f"fee_per_100000: the rake equivalent of these odds is {round(product.rake * DRAW_OF)}")
        return self

    def product(self, levels: tuple[Level, ...]) -> Product:
        return Product(
            self.id,
            self.name,
            self.game,
            tuple(self.buy_ins),
            tuple(self.off),
            self.fee_per_100000,
            levels,
            tuple(
                Prize(row.multiplier, row.chances, tuple(row.percents), row.stack, row.minutes) for row in self.prizes
            ),
        )


class Products(Section):
    product: list[ProductRow] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        check_once("product", [row.id for row in self.product])
        return self
