"""Terms of a running cash table: stake, currency, clock and pauses. Times are milliseconds."""

from dataclasses import dataclass
from typing import Final

from casino.poker.cash.seating import START_MIN
from casino.poker.clock import CASH, ClockTerms
from casino.poker.terms import Format, Showing, Stake, Terms
from casino.poker_room.live_hand import RUN_OUT_MS
from casino.settings.poker import PokerSettings

BANK_KEPT_MS: Final = 30 * 60_000
"""How long a table remembers the time bank of a player who has left."""


@dataclass(frozen=True, slots=True)
class TableTerms:
    """`large_pot` is the pot in minor units above which the pause after a showdown is longer."""

    table_id: str
    stake: Stake
    currency: str
    clock: ClockTerms = CASH
    start_min: int = START_MIN
    showing: Showing = Showing.ALL
    between_hands_ms: int = 3_000
    after_showdown_ms: int = 5_000
    large_pot: int = 0
    run_out_ms: int = RUN_OUT_MS
    after_restart_ms: int = 60_000
    rebuy_ms: int = 30_000
    """How long a player without chips keeps the seat."""

    @property
    def pool_id(self) -> str:
        return f"{self.stake.stake_id}:{self.currency}"

    @property
    def hand_terms(self) -> Terms:
        terms = self.stake.terms
        return Terms(terms.game, terms.small_blind, terms.big_blind, rake=terms.rake, showing=self.showing)


def table_terms(settings: PokerSettings, table_id: str, stake: Stake, currency: str) -> TableTerms:
    room = settings.room
    clock = room.clock["banzai" if stake.format is Format.BANZAI else "cash"]
    pauses = room.pauses
    return TableTerms(
        table_id,
        stake,
        currency,
        clock.terms,
        start_min=room.min_to_start,
        showing=room.showdown,
        between_hands_ms=pauses.between_hands * 1000,
        after_showdown_ms=pauses.after_showdown * 1000,
        large_pot=pauses.large_pot_bb * stake.big_blind,
        after_restart_ms=pauses.after_restart * 1000,
        rebuy_ms=room.sitting_out.rebuy_offer * 1000,
    )
