"""Random hands side by side with PokerKit: 2,000 to their end by default, 50,000 with `make test-deep`."""

import pytest

from casino.poker.terms import Game
from tests.deep import count
from tests.poker.pokerkit_oracle import compare

HANDS = count("CASINO_TEST_HANDS", usual=2_000, deep=50_000)
CHUNKS = 10
OMAHA = (3, 6, 9)
"""PokerKit ranks Omaha hands slowly: three of ten chunks."""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_options_bounds_and_stacks_are_those_of_pokerkit(chunk: int) -> None:
    game = Game.PLO if chunk in OMAHA else Game.NLHE
    hands = HANDS // CHUNKS
    found, begun, decisions = compare(game, hands, seed=chunk)
    assert set(found) <= {1, 2, 3, 4, 6, 7, 8, 9}  # 5 is found together with 4
    assert begun <= 1.25 * hands + 20  # hands with a short big blind are only counted: difference 2
    assert decisions > 4 * hands
