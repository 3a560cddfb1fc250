"""Places paid and prizes: vectors V9.7 to V9.13 of the rules, and every field up to 10,000 entries."""

import itertools
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.poker.tournament.prizes import PayoutTerms, places_paid, prizes_by_percent, prizes_by_weight

V9_9 = [16646, 9232, 6541, 5122, 4237, 3628, 3183, 2841, 2570]
V9_10 = [23037, 12776, 9051, 7088, 5863, 5021, 4405, 3932, 3557, *[2786] * 3, *[2304] * 3]


@pytest.mark.parametrize(
    ("entries", "seats", "pool", "prizes"),
    [
        pytest.param(5, 6, 4500, [2895, 1605], id="V9.7"),
        pytest.param(20, 6, 18000, [9242, 5126, 3632], id="V9.8"),
        pytest.param(60, 6, 54000, V9_9, id="V9.9"),
        pytest.param(100, 6, 90000, V9_10, id="V9.10"),
    ],
)
def test_prizes_of_the_rules(entries: int, seats: int, pool: int, prizes: list[int]) -> None:
    assert prizes_by_weight(pool, places_paid(entries, seats)) == prizes


@pytest.mark.parametrize(
    ("entries", "seats", "pool", "places", "first", "last"),
    [
        pytest.param(1000, 6, 900_000, 150, 118_313, 1_671, id="V9.12"),
        pytest.param(10_000, 9, 9_000_000, 1_503, 698_466, 1_390, id="V9.13"),
    ],
)
def test_places_and_prizes_of_large_fields(
    *, entries: int, seats: int, pool: int, places: int, first: int, last: int
) -> None:
    assert places_paid(entries, seats) == places
    prizes = prizes_by_weight(pool, places)
    assert (prizes[0], prizes[-1]) == (first, last)


def test_v9_11_places_paid_are_multiples_of_a_table() -> None:
    assert places_paid(127, 6) == 24
    assert places_paid(121, 6) == 24, "the first field of 19 places"
    assert places_paid(120, 8) == 18, "18 places are still a multiple of three"


@pytest.mark.parametrize(
    ("entries", "places"),
    [(1, 1), (2, 1), (4, 1), (5, 2), (8, 2), (9, 3), (20, 3), (21, 4), (60, 9), (61, 12), (81, 15), (120, 18)],
)
def test_small_fields(entries: int, places: int) -> None:
    assert places_paid(entries, 6) == places


def test_places_never_exceed_the_players_of_the_second_phase() -> None:
    assert places_paid(1000, 6, players_left=100) == 100
    assert places_paid(2, 9) == 1


@pytest.mark.parametrize(("entries", "seats"), [(0, 6), (-1, 6), (5, 1)])
def test_impossible_fields_are_refused(entries: int, seats: int) -> None:
    with pytest.raises(ValueError, match="prizes need"):
        places_paid(entries, seats)


def test_bands_share_a_prize() -> None:
    """Places 10-12, 13-15, 16-18, then bands of nine up to 54, then three bands each of 18 and 36 places."""
    prizes = prizes_by_weight(10**12, 300)
    ends = [place for place in range(1, 300) if prizes[place - 1] != prizes[place]]
    assert ends == [*range(1, 10), 12, 15, 18, 27, 36, 45, 54, 72, 90, 108, 144, 180, 216, 288]


def test_terms_can_be_changed() -> None:
    flat = PayoutTerms(share_percent=50, exponent=Decimal("0.0"), by_three_from=100, by_table_above=100)
    assert places_paid(20, 6, flat) == 10
    assert prizes_by_weight(103, 10, flat) == [13, *[10] * 9]


@settings(deadline=None)
@given(st.integers(1, 10_000), st.integers(2, 10), st.integers(0, 10**12))
def test_prizes_fall_and_are_the_whole_pool(entries: int, seats: int, pool: int) -> None:
    places = places_paid(entries, seats)
    assert 1 <= places <= entries
    prizes = prizes_by_weight(pool, places)
    assert len(prizes) == places
    assert sum(prizes) == pool
    assert all(above >= below >= 0 for above, below in itertools.pairwise(prizes))


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_fixed_shares_are_the_whole_pool(pool: int) -> None:
    first, second = prizes_by_percent(pool, [65, 35])
    assert first + second == pool
    assert second == pool * 35 // 100


def test_shares_that_are_not_the_whole_pool_are_refused() -> None:
    with pytest.raises(AssertionError, match="whole pool"):
        prizes_by_percent(1000, [65, 34])


def test_a_weight_has_twelve_decimals() -> None:
    """round(10**12 * place ** -0.85): a multiple of the sum of the weights pays that multiple of each."""
    weights = [1_000_000_000_000, 554_784_736_034, 393_049_215_227]
    assert prizes_by_weight(10**6 * sum(weights), 3) == [10**6 * weight for weight in weights]
