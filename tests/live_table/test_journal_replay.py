"""Journal replay: rounds rebuilt from stored events, step by step, completely and partly."""

from collections.abc import Callable, Sequence

import orjson
import pytest

from casino.live_table.journal_replay import JournalReplay, UnreadableRoundError, rebuild, steps
from casino.uth.bets import Action
from casino.uth.events import BettingOpened, DecisionMade, Event, RoundSettled, WindowClosed, dump_event
from casino.uth.phases import Phase
from casino.uth.terms import Layout
from tests.uth.tabletop import Tabletop


def written(events: Sequence[Event]) -> list[str]:
    return [orjson.dumps(dump_event(event)).decode() for event in events]


@pytest.fixture
def played() -> Tabletop:
    """Ann plays, Bob folds at the river and Cleo never answers."""
    table = Tabletop()
    for name in ("ann", "bob", "cleo"):
        table.bet(name)
    table.time_out()
    table.deal("As Kd")
    table.decide(Action.PLAY_4X, "ann")
    table.decide(Action.CHECK, "bob")
    table.time_out()
    table.deal("7h 7c 2s")
    table.decide(Action.CHECK, "bob")
    table.time_out()
    table.deal("Jd 3c")
    table.decide(Action.FOLD, "bob")
    table.time_out()
    table.deal("Qh Qd")
    return table


def test_the_stored_events_give_the_round(played: Tabletop) -> None:
    assert played.round.phase is Phase.SETTLED
    assert rebuild(written([played.opened, *played.journal])) == played.round


def test_each_step_has_the_rounds_before_and_after_its_event(played: Tabletop) -> None:
    replayed = list(steps(written([played.opened, *played.journal])))
    assert [step.event for step in replayed] == [played.opened, *played.journal]
    assert replayed[0].before is None
    assert isinstance(replayed[-1].event, RoundSettled)
    assert replayed[-1].after == played.round
    for place, step in enumerate(replayed[1:], 1):
        assert step.before == replayed[place - 1].after
        assert step.after == rebuild(written([played.opened, *played.journal[:place]]))


def test_decisions_are_applied_together_and_none_is_lost(played: Tabletop) -> None:
    replay = JournalReplay(played.opened)
    for event in played.journal:
        before = replay.before_decisions
        replay.apply(event)
        if isinstance(event, DecisionMade):
            assert replay.before_decisions is before
    assert replay.round == replay.before_decisions == played.round


def test_a_projection_leaves_out_events_and_parts_of_them(played: Tabletop) -> None:
    def without_cleo_and_decisions(event: Event, layout: Layout) -> Event | None:
        assert layout is Layout.SHARED
        if isinstance(event, WindowClosed):
            return WindowClosed(event.phase, (), event.at_ms)
        return None if isinstance(event, DecisionMade) else event

    rows = written([played.opened, *played.journal])
    seen = rebuild(rows, without_cleo_and_decisions)
    assert (seen.cards, seen.phase) == (played.round.cards, Phase.SETTLED)
    assert not any(seat.answers for seat in seen.seats.values())
    kept = [step.event for step in steps(rows, without_cleo_and_decisions)]
    assert not any(isinstance(event, DecisionMade) for event in kept)
    assert isinstance(kept[0], BettingOpened)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _rows: [], id="nothing stored"),
        pytest.param(lambda rows: rows[1:], id="the first event is missing"),
        pytest.param(lambda rows: [rows[0], "{", *rows[1:]], id="no JSON"),
        pytest.param(lambda rows: [rows[0], '{"kind":"no_such"}'], id="an unknown event"),
        pytest.param(lambda rows: [rows[0], *(row for row in rows if "decision_made" in row)], id="no stakes"),
        pytest.param(lambda rows: [rows[0], rows[0]], id="a round that begins twice"),
    ],
)
def test_a_damaged_journal_is_unreadable(played: Tabletop, damage: Callable[[list[str]], list[str]]) -> None:
    with pytest.raises(UnreadableRoundError):
        rebuild(damage(written([played.opened, *played.journal])))
