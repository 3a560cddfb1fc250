"""Poker bots at a real service: whole hands at two stakes, and balances recomputed at the end."""

from collections.abc import Iterator

import pytest

from casino.client.http_api import Unreachable, open_http_api
from casino.client.poker.bots import PokerBotPool
from casino.client.poker.options import PokerOptions, PokerStrategy
from tests.live.poker_service import started_poker
from tests.live.service import LiveService


@pytest.fixture(scope="module")
def poker() -> Iterator[LiveService]:
    with started_poker(known=False) as opened:
        yield opened
        opened.verify()
        assert not opened.errors()


async def run(poker: LiveService, options: PokerOptions) -> tuple[int, list[str], PokerBotPool]:
    said: list[str] = []
    async with open_http_api(poker.address) as api:
        pool = PokerBotPool(api, options, said.append)
        return await pool.play(), said, pool


async def test_bots_play_whole_hands_and_their_balances_are_recounted(poker: LiveService) -> None:
    options = PokerOptions(8, PokerStrategy.RANDOM, ("t1", "t2"), hands=20, seed=1)
    code, said, pool = await run(poker, options)
    assert (code, pool.results.faults) == (0, []), said
    assert len(pool.results.hands) >= 20
    assert {hand_id.partition("-")[0] for hand_id in pool.results.hands} == {"t1", "t2"}
    assert pool.results.rake > 0
    assert said[-1] == "Errors: 0"


async def test_unknown_pool_is_named_with_those_that_are(poker: LiveService) -> None:
    with pytest.raises(Unreachable, match=r"There is no pool nl7:FUN. Choose one of: .*t1:FUN"):
        await run(poker, PokerOptions(1, PokerStrategy.CALLER, ("nl7",)))
