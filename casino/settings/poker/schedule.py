"""Settings of `schedule.toml`: templates of tournaments, with the parameters of the rules and their defaults."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from casino.money import MINOR_MAX
from casino.poker.terms import Game
from casino.poker.tournament.bounty import BountyKind, BountyTerms, head_money
from casino.poker.tournament.entries import MultiBuyIn, Price, usual_fee
from casino.poker.tournament.prizes import PayoutTerms
from casino.poker.tournament.structure import MINUTE_MS, Structure
from casino.poker.tournament.terms import AddOnTerms, RebuyTerms, TournamentTerms
from casino.settings.base import Section
from casino.settings.poker.products import Title
from casino.settings.poker.room import ClockName, Count, Minutes, Percent
from casino.settings.poker.stakes import GameName, Name, Seats, check_once

DAYS = "day|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
Every = Annotated[str, Field(pattern=rf"^(({DAYS}) ([01][0-9]|2[0-3])|hour ):[0-5][0-9]$")]
Amount = Annotated[int, Field(ge=0, le=MINOR_MAX)]
Chips = Annotated[int, Field(ge=1, le=10_000_000)]
Levels = Annotated[int, Field(ge=0, le=100)]


class RebuyRow(Section):
    """`price` is the pool part, by default that of the buy-in; `chips` by default the starting stack."""

    levels: Annotated[int, Field(ge=1, le=100)] = 6
    max: Count | None = None
    chips: Chips | None = None
    price: Amount | None = None
    fee: Amount = 0

    def terms(self, buy_in: Price, stack: int) -> RebuyTerms:
        price = Price(buy_in.pool if self.price is None else self.price, self.fee)
        return RebuyTerms(price, self.chips or stack, self.levels, self.max)


class AddOnRow(Section):
    """`chips` are by default twice the starting stack, `price` the pool part of the buy-in."""

    chips: Chips | None = None
    price: Amount | None = None
    fee: Amount = 0

    def terms(self, buy_in: Price, stack: int) -> AddOnTerms:
        price = Price(buy_in.pool if self.price is None else self.price, self.fee)
        return AddOnTerms(price, self.chips or 2 * stack)


class BountyRow(Section):
    kind: Annotated[BountyKind, Field(strict=False)] = BountyKind.REGULAR
    share: Annotated[int, Field(ge=1, le=100)] = 50
    to_head: Percent = 50

    @property
    def terms(self) -> BountyTerms:
        return BountyTerms(self.kind, self.share, self.to_head)


class MultiRow(Section):
    min: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    max: Annotated[int, Field(ge=1, le=MINOR_MAX)]
    step: Annotated[int, Field(ge=1, le=MINOR_MAX)]

    @property
    def terms(self) -> MultiBuyIn:
        return MultiBuyIn(self.min, self.max, self.step)


class TournamentRow(Section):
    id: Name
    name: Title
    every: Every | None = None
    at: datetime | None = None
    game: GameName = Game.NLHE
    seats: Seats = 6
    total: Amount
    fee: Amount | None = None
    structure: Name = "regular"
    stack: Chips | None = None
    registration_opens_minutes: Annotated[int, Field(ge=1, le=525_600)] = 1440
    late_levels: Levels = 6
    unregister_until_minutes: Annotated[int, Field(ge=0, le=10_080)] | None = 5
    can_unregister: bool = True
    entries_min: Annotated[int, Field(ge=2, le=100_000)] = 3
    entries_max: Annotated[int, Field(ge=2, le=100_000)] = 10_000
    reentries_max: Annotated[int, Field(ge=0, le=100)] = 0
    rebuy: RebuyRow | None = None
    addon: AddOnRow | None = None
    bounty: BountyRow | None = None
    guarantee: Amount = 0
    added: Amount = 0
    multi_buy_in: MultiRow | None = None
    satellite_to: Name | None = None
    seats_guaranteed: Annotated[int, Field(ge=0, le=10_000)] = 0
    flight_of: Name | None = None
    flight_ends_level: Annotated[int, Field(ge=1, le=100)] | None = None
    phase_two: bool = False
    requirements: list[Literal["verified", "deposit", "ticket"]] = Field(default_factory=list)
    sync_breaks: bool = True
    break_minutes: Minutes | None = None
    hand_for_hand_from: Annotated[int, Field(ge=1, le=100)] = 1
    clock: ClockName = "mtt"
    prizes: Name | None = None

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if (self.every is None) == (self.at is None):
            raise ValueError("every: name either every or at")
        if self.at is not None and self.at.tzinfo is None:
            raise ValueError("at: name the offset of the time, such as Z")
        if self.price_fee > self.total:
            raise ValueError("fee: it is above the total")
        if self.total == 0 and not self.added and not self.phase_two:
            raise ValueError("added: a freeroll needs a prize pool")
        from_players = self.price.pool + self.price.bounty
        if self.total and not (from_players or self.added or self.guarantee or self.seats_guaranteed):
            raise ValueError("fee: it leaves nothing for the prize pool")
        if (self.flight_of is None) != (self.flight_ends_level is None):
            raise ValueError("flight_ends_level: a flight names flight_of and flight_ends_level")
        if self.bounty and self.multi_buy_in:
            raise ValueError("multi_buy_in: it does not go with bounties")
        if self.phase_two:
            self._check_second_phase()
        return self

    def _check_second_phase(self) -> None:
        if self.flight_of:
            raise ValueError("phase_two: a flight is no second phase")
        if self.rebuy or self.addon or self.reentries_max or self.multi_buy_in:
            raise ValueError("phase_two: a second phase has no rebuys, re-entries or choice of buy-ins")
        if self.total:
            raise ValueError("total: players do not buy into a second phase, so it is 0")

    @property
    def price_fee(self) -> int:
        return usual_fee(self.total) if self.fee is None else self.fee

    @property
    def price(self) -> Price:
        if self.bounty is None:
            return Price(self.total - self.price_fee, self.price_fee)
        bounty, pool = head_money(self.total, self.price_fee, self.bounty.share)
        return Price(pool, self.price_fee, bounty)

    def terms(
        self,
        *,
        tournament_id: str,
        starts_ms: int,
        structure: Structure,
        stack: int,
        break_minutes: int,
        payouts: PayoutTerms,
        percents: tuple[int, ...] = (),
        ticket_value: int = 0,
    ) -> TournamentTerms:
        """The terms of one tournament of this template. Raises `ValueError` for an impossible combination."""
        price, chips = self.price, self.stack or stack
        until = self.unregister_until_minutes if self.can_unregister else None
        return TournamentTerms(
            tournament_id,
            self.name,
            self.game,
            self.seats,
            price,
            structure,
            chips,
            starts_ms,
            late_levels=self.late_levels,
            unregister_ms=None if until is None else until * MINUTE_MS,
            entries_min=self.entries_min,
            entries_max=self.entries_max,
            reentries_max=self.reentries_max,
            rebuy=self.rebuy.terms(price, chips) if self.rebuy else None,
            addon=self.addon.terms(price, chips) if self.addon else None,
            bounty=self.bounty.terms if self.bounty else None,
            guarantee=self.guarantee,
            added=self.added,
            multi_buy_in=self.multi_buy_in.terms if self.multi_buy_in else None,
            ticket_value=ticket_value,
            seats_guaranteed=self.seats_guaranteed,
            flight_ends_level=self.flight_ends_level,
            is_phase_two=self.phase_two,
            sync_breaks=self.sync_breaks,
            break_ms=(self.break_minutes or break_minutes) * MINUTE_MS,
            hand_for_hand_from=self.hand_for_hand_from,
            payouts=payouts,
            percents=percents,
            target=self.satellite_to or self.flight_of,
            requirements=tuple(self.requirements),
        )


class Schedule(Section):
    tournament: list[TournamentRow] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        check_once("tournament", [row.id for row in self.tournament])
        return self

    @property
    def by_id(self) -> dict[str, TournamentRow]:
        return {row.id: row for row in self.tournament}

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Key and reason of references to other tournaments that lead nowhere, or to a cheaper tier."""
        rows = self.by_id
        for number, row in enumerate(self.tournament):
            key = f"tournament.{number}"
            target = rows.get(row.satellite_to or "")
            if row.satellite_to and target is None:
                yield f"{key}.satellite_to", f"there is no tournament {row.satellite_to}"
            elif target is not None and target.total <= row.total:
                yield f"{key}.satellite_to", f"{target.id} must cost more than this tournament"
            final = rows.get(row.flight_of or "")
            if row.flight_of and (final is None or not final.phase_two):
                yield f"{key}.flight_of", f"there is no tournament {row.flight_of} with phase_two"
            if row.phase_two and all(other.flight_of != row.id for other in self.tournament):
                yield f"{key}.phase_two", "no tournament names it in flight_of"
