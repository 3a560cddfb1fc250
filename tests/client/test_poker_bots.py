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


async def run(poker: LiveService, wish: PokerOptions) -> tuple[int, list[str], PokerBotPool]:
    said: list[str] = []
    async with open_http_api(poker.address) as door:
        crowd = PokerBotPool(door, wish, said.append)
        return await crowd.play(), said, crowd


async def test_bots_play_whole_hands_and_their_balances_are_recounted(poker: LiveService) -> None:
    wish = PokerOptions(8, PokerStrategy.RANDOM, ("t1", "t2"), hands=20, seed=1)
    code, said, crowd = await run(poker, wish)
    assert (code, crowd.tally.faults) == (0, []), said
    assert len(crowd.tally.hands) >= 20
    assert {hand_id.partition("-")[0] for hand_id in crowd.tally.hands} == {"t1", "t2"}
    assert crowd.tally.rake > 0
    assert said[-1] == "Errors: 0"


async def test_unknown_pool_is_named_with_those_that_are(poker: LiveService) -> None:
    with pytest.raises(Unreachable, match=r"There is no pool nl7:FUN. Choose one of: .*t1:FUN"):
        await run(poker, PokerOptions(1, PokerStrategy.CALLER, ("nl7",)))
