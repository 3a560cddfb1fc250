"""Terms of a running tournament table: game, level in force, clock and pauses. Times are milliseconds."""

from dataclasses import dataclass

from casino.money import NO_CURRENCY
from casino.poker.clock import ClockTerms
from casino.poker.terms import Game, Terms
from casino.poker.tournament.structure import Structure
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.live_hand import RUN_OUT_MS
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec
from casino.settings.poker import PokerSettings


@dataclass(slots=True)
class TournamentTableTerms:
    """`level` is that of the running or the last hand. `is_always_protected`: a lost line stops the clock in any hand,
    not only in the final stages.
    """

    table_id: str
    tournament_id: str
    name: str
    game: Game
    size: int
    structure: Structure
    clock: ClockTerms
    is_always_protected: bool
    between_hands_ms: int = 3_000
    after_showdown_ms: int = 5_000
    large_pot_bb: int = 20
    run_out_ms: int = RUN_OUT_MS
    after_restart_ms: int = 60_000
    level: int = 1
    currency: str = NO_CURRENCY

    @property
    def hand_terms(self) -> Terms:
        return self.structure.level(self.level).terms(self.game)

    @property
    def large_pot(self) -> int:
        """In chips, at the level of the hand."""
        return self.large_pot_bb * self.structure.level(self.level).big_blind


def table_id_of(tournament_id: str, table_no: int) -> str:
    return f"{tournament_id}-{table_no}"


def table_terms(
    settings: PokerSettings, spec: TournamentSpec, terms: TournamentTerms, table_no: int
) -> TournamentTableTerms:
    pauses = settings.room.pauses
    return TournamentTableTerms(
        table_id_of(spec.tournament_id, table_no),
        spec.tournament_id,
        terms.name,
        terms.game,
        terms.seats,
        terms.structure,
        settings.room.clock[spec.clock].terms,
        spec.kind is not TournamentKind.MTT,
        pauses.between_hands * 1000,
        pauses.after_showdown * 1000,
        pauses.large_pot_bb,
        after_restart_ms=pauses.after_restart * 1000,
    )
