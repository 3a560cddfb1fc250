"""Due times of a tournament: when its director has something to decide although no table or player has asked.

Pure functions of the state and the time.
"""

from collections.abc import Iterator

from casino.poker.tournament.records import PauseReason
from casino.poker.tournament.state import Status, Tournament
from casino.poker.tournament.structure import next_break_ms


def next_due_ms(state: Tournament, now_ms: int) -> int | None:
    """The next moment at which time alone changes the tournament; None while only players and tables can."""
    if state.status is Status.REGISTERING:
        return None if state.terms.is_sit_and_go else state.terms.starts_ms
    if state.status is not Status.RUNNING:
        return None
    return min((moment for moment in _moments(state, now_ms) if moment > now_ms), default=None)


def next_level_ms(state: Tournament, now_ms: int) -> int | None:
    """When the next level begins; None while the level clock stands still, and in the last level."""
    if state.status is not Status.RUNNING or state.clock_from_ms is None:
        return None
    structure = state.terms.structure
    if state.level(now_ms) >= len(structure.levels):
        return None
    return now_ms + structure.level_ms - state.running_ms(now_ms) % structure.level_ms


def _moments(state: Tournament, now_ms: int) -> Iterator[int]:
    for busts in state.busts:
        for bust in busts:
            until_ms = state.entries[bust.entry_id].offer_until_ms
            if until_ms is not None and state.is_open:
                yield until_ms
    if state.pause is not None:
        if state.pause.until_ms is not None:
            yield state.pause.until_ms
        if state.pause.reason is PauseReason.ADD_ON:
            return
    level_ms = next_level_ms(state, now_ms)
    if level_ms is not None:
        yield level_ms  # registration may close, an add-on pause or the end of a flight may be due
    elif state.clock_from_ms is not None and (state.is_open or state.terms.flight_ends_level is not None):
        length_ms = state.terms.structure.level_ms
        yield now_ms + length_ms - state.running_ms(now_ms) % length_ms
    if state.terms.sync_breaks and state.pause is None:
        yield next_break_ms(now_ms + 1)
