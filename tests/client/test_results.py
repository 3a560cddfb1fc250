"""Results of a bot run, kept round by round."""

import pytest

from casino.client import results as tallying
from casino.client.results import PlayedRound, Results
from casino.client.texts import Payload


def round_(round_id: str | None, phase: str, at: int = 1) -> Payload:
    return {"round_id": round_id, "game_number": f"12:00:0{at}", "phase": phase, "server_time": at}


def result(round_id: str, staked: int, returned: int) -> Payload:
    return {"round_id": round_id, "staked": staked, "returned": returned}


@pytest.fixture
def told() -> list[PlayedRound]:
    return []


async def test_a_round_is_told_once_all_results_are_in(told: list[PlayedRound]) -> None:
    tally = Results(1, told.append)
    assert tally.admits(round_("r1", "betting"))
    for bot in (1, 2):
        tally.bet(bot, "r1")
    tally.result(1, result("r1", 300, 500))
    tally.seen(round_("r1", "settled", 2))
    assert told == []
    assert not tally.finished.is_set()
    tally.result(2, result("r1", 200, 0))
    (played,) = told
    assert (played.staked, played.returned, played.phase) == (500, 500, "settled")
    assert tally.finished.is_set()
    assert (tally.net_of(1), tally.net_of(2), tally.net_of(3)) == (200, -200, 0)


async def test_no_more_rounds_are_admitted_than_wished_for(told: list[PlayedRound]) -> None:
    tally = Results(2, told.append)
    assert tally.admits(round_("r1", "betting", 1))
    assert tally.admits(round_("r2", "betting", 2))
    assert tally.admits(round_("r1", "betting", 1))
    assert not tally.admits(round_("r3", "betting", 3))


async def test_stopping_lets_the_running_round_finish(told: list[PlayedRound]) -> None:
    tally = Results(None, told.append)
    tally.admits(round_("r1", "betting"))
    tally.bet(1, "r1")
    tally.stop()
    assert not tally.admits(round_("r2", "betting", 2))
    assert not tally.finished.is_set()
    tally.seen(round_("r1", "settled", 2))
    tally.result(1, result("r1", 200, 0))
    assert tally.finished.is_set()


async def test_old_news_does_not_end_a_newer_round(told: list[PlayedRound]) -> None:
    tally = Results(1, told.append)
    tally.admits(round_("r1", "betting", 5))
    tally.seen(round_("r0", "settled", 4))
    tally.seen(round_(None, "idle", 3))
    assert told == []
    tally.seen(round_("r2", "betting", 6))  # the end of it was missed
    assert told[0].phase == "unknown"


async def test_a_result_that_never_comes_is_a_fault(told: list[PlayedRound], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallying, "GRACE_SECONDS", 0.01)
    tally = Results(1, told.append)
    tally.admits(round_("r1", "betting"))
    tally.bet(1, "r1")
    tally.seen(round_("r1", "settled", 2))
    await tally.finished.wait()
    assert tally.faults == ["bot 1 got no result of round 12:00:01"]


async def test_a_result_without_a_bet_is_a_fault(told: list[PlayedRound]) -> None:
    tally = Results(1, told.append)
    tally.result(1, result("r1", 200, 0))
    tally.admits(round_("r2", "betting"))
    tally.result(1, result("r2", 200, 0))
    assert tally.faults_in_all == 2


async def test_a_returned_bet_is_not_waited_for_and_a_correction_replaces_the_result(told: list[PlayedRound]) -> None:
    tally = Results(1, told.append)
    tally.admits(round_("r1", "betting"))
    tally.bet(1, "r1")
    tally.bet(2, "r1")
    tally.bet_returned(2, "r1")
    tally.bet_returned(2, "r0")
    assert not tally.has_bet(2, "r1")
    tally.result(1, result("r1", 200, 0))
    tally.seen(round_("r1", "settled", 2))
    tally.result(1, result("r1", 200, 400))
    assert tally.net_of(1) == 200
    assert len(told) == 1


async def test_only_so_many_faults_are_kept_but_all_are_counted(told: list[PlayedRound]) -> None:
    tally = Results(None, told.append)
    for _ in range(tallying.FAULTS_KEPT_MAX + 5):
        tally.fault("no")
    assert (len(tally.faults), tally.faults_in_all) == (tallying.FAULTS_KEPT_MAX, tallying.FAULTS_KEPT_MAX + 5)
