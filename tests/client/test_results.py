"""Results of a bot run, kept round by round."""

import pytest

from casino.client import results as results_module
from casino.client.results import PlayedRound, Results
from casino.client.texts import Payload


def round_(round_id: str | None, phase: str, at: int = 1) -> Payload:
    return {"round_id": round_id, "game_number": f"12:00:0{at}", "phase": phase, "server_time": at}


def result(round_id: str, staked: int, returned: int) -> Payload:
    return {"round_id": round_id, "staked": staked, "returned": returned}


@pytest.fixture
def reported() -> list[PlayedRound]:
    return []


async def test_round_is_reported_once_all_results_are_in(reported: list[PlayedRound]) -> None:
    recorder = Results(1, reported.append)
    assert recorder.admits(round_("r1", "betting"))
    for bot in (1, 2):
        recorder.bet(bot, "r1")
    recorder.result(1, result("r1", 300, 500))
    recorder.seen(round_("r1", "settled", 2))
    assert reported == []
    assert not recorder.finished.is_set()
    recorder.result(2, result("r1", 200, 0))
    (played,) = reported
    assert (played.staked, played.returned, played.phase) == (500, 500, "settled")
    assert recorder.finished.is_set()
    assert (recorder.net_of(1), recorder.net_of(2), recorder.net_of(3)) == (200, -200, 0)


async def test_no_more_rounds_are_admitted_than_requested(reported: list[PlayedRound]) -> None:
    recorder = Results(2, reported.append)
    assert recorder.admits(round_("r1", "betting", 1))
    assert recorder.admits(round_("r2", "betting", 2))
    assert recorder.admits(round_("r1", "betting", 1))
    assert not recorder.admits(round_("r3", "betting", 3))


async def test_stopping_lets_the_running_round_finish(reported: list[PlayedRound]) -> None:
    recorder = Results(None, reported.append)
    recorder.admits(round_("r1", "betting"))
    recorder.bet(1, "r1")
    recorder.stop()
    assert not recorder.admits(round_("r2", "betting", 2))
    assert not recorder.finished.is_set()
    recorder.seen(round_("r1", "settled", 2))
    recorder.result(1, result("r1", 200, 0))
    assert recorder.finished.is_set()


async def test_late_events_do_not_end_a_newer_round(reported: list[PlayedRound]) -> None:
    recorder = Results(1, reported.append)
    recorder.admits(round_("r1", "betting", 5))
    recorder.seen(round_("r0", "settled", 4))
    recorder.seen(round_(None, "idle", 3))
    assert reported == []
    recorder.seen(round_("r2", "betting", 6))  # the end of it was missed
    assert reported[0].phase == "unknown"


async def test_a_result_that_never_comes_is_a_fault(
    reported: list[PlayedRound], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results_module, "GRACE_SECONDS", 0.01)
    recorder = Results(1, reported.append)
    recorder.admits(round_("r1", "betting"))
    recorder.bet(1, "r1")
    recorder.seen(round_("r1", "settled", 2))
    await recorder.finished.wait()
    assert recorder.faults == ["bot 1 got no result of round 12:00:01"]


async def test_a_result_without_a_bet_is_a_fault(reported: list[PlayedRound]) -> None:
    recorder = Results(1, reported.append)
    recorder.result(1, result("r1", 200, 0))
    recorder.admits(round_("r2", "betting"))
    recorder.result(1, result("r2", 200, 0))
    assert recorder.faults_in_all == 2


async def test_a_returned_bet_is_not_waited_for_and_a_correction_replaces_the_result(
    reported: list[PlayedRound],
) -> None:
    recorder = Results(1, reported.append)
    recorder.admits(round_("r1", "betting"))
    recorder.bet(1, "r1")
    recorder.bet(2, "r1")
    recorder.bet_returned(2, "r1")
    recorder.bet_returned(2, "r0")
    assert not recorder.has_bet(2, "r1")
    recorder.result(1, result("r1", 200, 0))
    recorder.seen(round_("r1", "settled", 2))
    recorder.result(1, result("r1", 200, 400))
    assert recorder.net_of(1) == 200
    assert len(reported) == 1


async def test_kept_faults_are_bounded_and_all_are_counted(reported: list[PlayedRound]) -> None:
    recorder = Results(None, reported.append)
    for _ in range(results_module.FAULTS_KEPT_MAX + 5):
        recorder.fault("no")
    assert (len(recorder.faults), recorder.faults_in_all) == (
        results_module.FAULTS_KEPT_MAX,
        results_module.FAULTS_KEPT_MAX + 5,
    )
