"""Settings of `room.toml` and `integrity.toml`: limits, clocks, pauses, and thresholds of the integrity signals."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from casino.money import MINOR_MAX
from casino.poker.clock import ClockTerms
from casino.poker.terms import Showing
from casino.settings.base import Section
from casino.settings.poker.stakes import check_once

Count = Annotated[int, Field(ge=1, le=100_000)]
Seconds = Annotated[int, Field(ge=0, le=3600)]
Minutes = Annotated[int, Field(ge=1, le=1440)]
Percent = Annotated[int, Field(ge=0, le=100)]
Number = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
ClockName = Literal["cash", "banzai", "hexa_low", "hexa_high", "mtt", "sng"]
CLOCKS: tuple[str, ...] = ("cash", "banzai", "hexa_low", "hexa_high", "mtt", "sng")


class Clock(Section):
    decision: Annotated[int, Field(ge=1, le=600)]
    bank: Seconds
    bank_cap: Seconds
    grows_every_hands: Count
    grows_by: Seconds = 5

    @model_validator(mode="after")
    def _starts_within_the_cap(self) -> Self:
        if self.bank > self.bank_cap:
            raise ValueError("bank: it is above bank_cap")
        return self

    @property
    def terms(self) -> ClockTerms:
        return ClockTerms(
            self.decision * 1000,
            self.bank * 1000,
            self.bank_cap * 1000,
            self.grows_every_hands,
            self.grows_by * 1000,
        )


class Pauses(Section):
    between_hands: Seconds = 3
    after_showdown: Seconds = 5
    large_pot_bb: Count = 20
    first_hand: Seconds = 10
    hexapro_reveal: Seconds = 8
    after_restart: Seconds = 60


class SittingOut(Section):
    remove_after_minutes: Minutes = 10
    remove_everywhere_after: Annotated[int, Field(ge=1, le=3600)] = 500
    buy_in_offer: Annotated[int, Field(ge=1, le=600)] = 20
    rebuy_offer: Annotated[int, Field(ge=1, le=600)] = 30
    rathole_minutes: Minutes = 30


class Room(Section):
    enabled: bool = True
    bots: Annotated[int, Field(ge=0, le=10_000)] = 0
    currencies: Annotated[list[Annotated[str, Field(pattern="^[A-Z]{3}$")]], Field(min_length=1)]
    tables_max: Count = 5000
    cash_tables_max: Count = 8
    banzai_tables_max: Count = 4
    hexapro_games_max: Count = 8
    min_to_start: Annotated[int, Field(ge=2, le=10)] = 3
    showdown: Annotated[Showing, Field(strict=False)] = Showing.ALL
    chat: bool = False
    break_minutes: Minutes = 5
    resume_within_minutes: Minutes = 30
    hexapro_resume_within_minutes: Minutes = 5
    promised_alone_max: Annotated[int, Field(ge=0, le=MINOR_MAX)] = 100_000
    clock: Mapping[ClockName, Clock]
    pauses: Pauses = Pauses()
    sitting_out: SittingOut = SittingOut()

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        check_once("currencies", self.currencies)
        missing = [name for name in CLOCKS if name not in self.clock]
        if missing:
            raise ValueError(f"clock: {missing[0]} is missing")
        return self


class NetFlow(Section):
    hands_min: Count = 200
    z: Number = 4.0


class ChipDump(Section):
    stack_bb_min: Count = 50
    put_in_percent: Percent = 40
    equity_percent_max: Percent = 15
    fold_equity_percent_min: Percent = 60
    fold_price_percent_max: Percent = 15
    events: Count = 2
    events_same_address: Count = 1


class SoftPlay(Section):
    p: Annotated[float, Field(gt=0, lt=1)] = 0.0001
    spots_min: Count = 60


class Together(Section):
    lift: Number = 5.0
    sessions_min: Count = 20
    entries_within_seconds: Seconds = 10
    entries_percent: Percent = 30


class Squeeze(Section):
    z: Number = 4.0


class Machine(Section):
    spread_by_mean: Number = 0.15
    hours_in_24: Annotated[int, Field(ge=1, le=24)] = 14
    same_line_percent: Percent = 98
    signs: Annotated[int, Field(ge=1, le=4)] = 2


class LostLines(Section):
    percent: Percent = 5
    decisions_min: Count = 40


class AbsentTogether(Section):
    within_seconds: Seconds = 5
    events: Count = 3


class Complaints(Section):
    per_day: Count = 10


class Holds(Section):
    days: Annotated[int, Field(ge=1, le=365)] = 90


class Integrity(Section):
    net_flow: NetFlow = NetFlow()
    chip_dump: ChipDump = ChipDump()
    soft_play: SoftPlay = SoftPlay()
    together: Together = Together()
    squeeze: Squeeze = Squeeze()
    machine: Machine = Machine()
    lost_lines: LostLines = LostLines()
    absent_together: AbsentTogether = AbsentTogether()
    complaints: Complaints = Complaints()
    holds: Holds = Holds()
