"""Value of decisions: computed in another process, once for players with the same cards, and bounded."""

import asyncio
from pathlib import Path

import pytest

from casino.errors import Code, Refusal
from casino.http import advice
from casino.http.advice import Advisor, canonical
from casino.uth.paytable import STANDARD

HOLE, FLOP = ("As", "Kd"), ("7h", "7c", "2s")


def test_suits_and_order_do_not_make_another_situation() -> None:
    renamed = canonical(("Kc", "Ah"), ("2h", "7d", "7s"))
    assert canonical(HOLE, FLOP) == renamed
    assert canonical(HOLE, FLOP) != canonical(("As", "Ks"), FLOP)
    assert canonical(HOLE, FLOP) != canonical(HOLE, ("7h", "7s", "2c"))


async def test_a_starting_hand_has_no_value_before_the_return_is_counted(tmp_path: Path) -> None:
    advisor = Advisor(tmp_path)
    try:
        assert await advisor.values(STANDARD, HOLE, ()) is None
    finally:
        await advisor.stop()


async def test_one_question_is_counted_once_and_too_many_at_once_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "WAITING_MAX", 1)
    advisor = Advisor(tmp_path)
    board = (*FLOP, "Jd", "3c")
    same = [asyncio.create_task(advisor.values(STANDARD, HOLE, board)) for _ in range(20)]
    await asyncio.sleep(0)
    try:
        with pytest.raises(Refusal) as refused:
            await advisor.values(STANDARD, HOLE, FLOP)
        assert refused.value.code is Code.RATE_LIMITED
        same[0].cancel()  # a cancelled request takes the reply from no other one
        answers = await asyncio.gather(*same[1:])
        assert answers[0] == pytest.approx({"fold": -2.0, "play_1x": -47 / 110})
        assert all(answer is answers[0] for answer in answers)
    finally:
        await advisor.stop()


async def test_a_process_that_died_is_followed_by_another(tmp_path: Path) -> None:
    advisor = Advisor(tmp_path)
    board = (*FLOP, "Jd", "3c")
    assert await advisor.values(STANDARD, HOLE, board)
    assert advisor._process is not None
    advisor._process.kill()
    advisor._process.join()
    try:
        assert await advisor.values(STANDARD, ("Qs", "Kd"), board)
    finally:
        await advisor.stop()
