"""HexaPro games as tournaments: drawn pools, prizes, and the refunds of a cancelled game."""

import pytest

from casino.errors import Code
from casino.poker.terms import Game
from casino.poker.tournament.cancel import Case
from casino.poker.tournament.commands import Cancel, Unregister
from casino.poker.tournament.hexapro_terms import hexapro_terms
from casino.poker.tournament.money_events import Cancelled, PrizeAwarded, RegistrationClosed
from casino.poker.tournament.state import Status
from casino.poker.tournament.terms import TournamentTerms
from tests.poker.tournament.published import RULES
from tests.poker.tournament.rig import START, Rig, same


def game(product: str, buy_in: int, number: int) -> Rig:
    terms = hexapro_terms(RULES.products[product], buy_in, number, "g1", START)
    return Rig(3, **{name: getattr(terms, name) for name in TournamentTerms.__slots__})


def test_the_draw_decides_stack_levels_and_pool() -> None:
    terms = hexapro_terms(RULES.products["hexaplo"], 200, 1, "g1", START)
    assert terms.draw is not None
    assert (terms.game, terms.stack, terms.structure.minutes, terms.percents) == (Game.PLO, 500, 3, (80, 16, 4))
    assert (terms.draw.multiplier, terms.draw.pool, terms.draw.fee) == (125, 25_000, 14)
    with pytest.raises(ValueError, match="a draw is a number"):
        hexapro_terms(RULES.products["hexaplo"], 200, 100_000, "g1", START)


@pytest.mark.parametrize(
    ("number", "overlay", "prizes"),
    [(99_999, -100, [200]), (11_506, 0, [300]), (3_006, 200, [500]), (1, 9_700, [800, 1200, 8000])],
    ids=["2x", "3x", "5x", "100x"],
)
def test_prizes_are_the_drawn_pool(number: int, overlay: int, prizes: list[int]) -> None:
    rig = game("classic", 100, number).start()
    (closed,) = rig.of(RegistrationClosed)
    assert closed.overlay == overlay
    assert rig.refused(Unregister("e1")) is Code.TOO_LATE
    while rig.state.status is Status.RUNNING:
        rig.bust(rig.at(1)[0])
    assert [prize.amount for prize in rig.of(PrizeAwarded)] == prizes
    assert rig.state.credited == rig.state.pool + overlay
    assert same(rig.rebuilt(), rig.state)


def test_a_cancelled_game_gives_fees_a_tenth_each_and_the_rest_by_icm() -> None:
    rig = game("highroller", 2500, 1).start()
    rig.do(Cancel("power", "manager"))
    (cancelled,) = rig.of(Cancelled)
    assert (cancelled.case, cancelled.to_house) == (Case.HEXAPRO, 0)
    assert [refund.fees for refund in cancelled.refunds] == [150] * 3
    assert sum(refund.share for refund in cancelled.refunds) == 250_000


def test_a_prize_paid_already_is_not_divided_again() -> None:
    rig = game("classic", 100, 1).start()
    rig.bust(rig.at(1)[0])
    rig.do(Cancel("power", "manager"))
    assert sum(refund.share for refund in rig.of(Cancelled)[0].refunds) == 9_200


def test_winner_takes_all_is_divided_among_three() -> None:
    rig = game("classic", 1000, 99_999).start()
    rig.do(Cancel("power", "manager"))
    assert [refund.share + refund.fees for refund in rig.of(Cancelled)[0].refunds] == [736, 736, 735]


def test_before_the_start_the_buy_in_comes_back() -> None:
    rig = game("classic", 100, 1)
    rig.do(Cancel("power", "manager"))
    (cancelled,) = rig.of(Cancelled)
    assert cancelled.case is Case.NOT_STARTED
    assert [refund.fees + refund.share for refund in cancelled.refunds] == [100] * 3
