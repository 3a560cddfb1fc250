"""Cancellation, cases 52 to 55: vectors V12.4 to V12.9, and the money of every case."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.poker.tournament.cancel import Cancellation, Case, Interrupted, Kind, Remaining, cancel

V9_9 = (16646, 9232, 6541, 5122, 4237, 3628, 3183, 2841, 2570)


def left(*chips: int, paid: int = 900, fees: int = 100, bounty: int = 0) -> tuple[Remaining, ...]:
    return tuple(Remaining(f"p{place}", stack, paid, fees, bounty) for place, stack in enumerate(chips))


def totals(cancelled: Cancellation) -> list[int]:
    return [refund.total for refund in cancelled.refunds.values()]


def shares(cancelled: Cancellation) -> list[int]:
    return [refund.share for refund in cancelled.refunds.values()]


def test_v12_4_case_53_before_the_money() -> None:
    players = left(4000, 2500, 1000, paid=950, fees=50)
    state = Interrupted(Kind.SNG, started=True, players=players, player_pool=4750, places_paid=2)
    cancelled = cancel(state)
    assert cancelled.case is Case.BEFORE_THE_MONEY
    assert totals(cancelled) == [2109, 1634, 1157]
    assert cancelled.to_house == 0


def test_v12_5_case_54a_in_the_money() -> None:
    players = left(60_000, 50_000, 45_000, 40_000, 35_000, 30_000, 25_000, 15_000)
    state = Interrupted(
        Kind.MTT, started=True, players=players, player_pool=54_000, places_paid=9, tables=2, prizes_left=V9_9[:8]
    )
    cancelled = cancel(state)
    assert cancelled.case is Case.IN_THE_MONEY
    assert shares(cancelled) == [8581, 7625, 7146, 6668, 6190, 5711, 5233, 4276]
    assert totals(cancelled)[0] == 8681


def test_v12_6_case_54b_at_the_final_table() -> None:
    players = left(150_000, 90_000, 60_000)
    state = Interrupted(
        Kind.MTT, started=True, players=players, places_paid=9, final_table=True, tables=1, prizes_left=V9_9[:3]
    )
    cancelled = cancel(state)
    assert cancelled.case is Case.FINAL_TABLE
    assert shares(cancelled) == [12506, 10582, 9331]


@pytest.mark.parametrize(
    ("chips", "prizes", "expected"),
    [
        pytest.param((900, 400, 200), (10_000,), [5200, 2867, 1933], id="V12.7"),
        pytest.param((900, 400, 200), (8000, 1200, 800), [4671, 3027, 2302], id="V12.8"),
        pytest.param((1000, 500), (8000, 1200), [5507, 3693], id="V12.9"),
    ],
)
def test_case_55_a_cancelled_hexapro_game_is_divided_by_icm(
    chips: tuple[int, ...], prizes: tuple[int, ...], expected: list[int]
) -> None:
    players = left(*chips, paid=0, fees=69)
    cancelled = cancel(Interrupted(Kind.HEXAPRO, started=True, players=players, prizes_left=prizes))
    assert cancelled.case is Case.HEXAPRO
    assert shares(cancelled) == expected
    assert all(refund.fees == 69 for refund in cancelled.refunds.values())


@pytest.mark.parametrize("kind", Kind)
def test_case_52_returns_everything_in_the_means_it_was_paid_with(kind: Kind) -> None:
    players = (
        Remaining("money", 0, 450, 100, 450),
        Remaining("ticket", 0, 450, 100, 450, ticket=True),
    )
    cancelled = cancel(Interrupted(kind, started=False, players=players, player_pool=900, added=500))
    assert cancelled.case is Case.NOT_STARTED
    assert (cancelled.refunds["money"].total, cancelled.refunds["money"].ticket) == (1000, None)
    assert (cancelled.refunds["ticket"].total, cancelled.refunds["ticket"].ticket) == (0, 1000)
    assert cancelled.to_house == 500


def test_added_money_stays_with_the_house_before_the_money() -> None:
    state = Interrupted(Kind.MTT, started=True, players=left(3, 2, 1), player_pool=601, added=399, places_paid=2)
    cancelled = cancel(state)
    assert cancelled.to_house == 399
    assert shares(cancelled) == [101 + 150, 100 + 100, 100 + 50]


def test_a_freeroll_is_divided_equally_before_the_money() -> None:
    players = left(1, 900, 30, paid=0, fees=0)
    state = Interrupted(Kind.MTT, started=True, players=players, added=1001, places_paid=2, freeroll=True)
    cancelled = cancel(state)
    assert shares(cancelled) == [333, 334, 334]
    assert cancelled.to_house == 0


def test_head_money_is_refunded_in_every_case() -> None:
    players = left(5, 5, bounty=700)
    states = [
        Interrupted(Kind.MTT, started=False, players=players),
        Interrupted(Kind.MTT, started=True, players=players, places_paid=1),
        Interrupted(Kind.MTT, started=True, players=players, places_paid=2, tables=2, prizes_left=(5, 5)),
        Interrupted(Kind.MTT, started=True, players=players, places_paid=2, prizes_left=(5, 5)),
        Interrupted(Kind.HEXAPRO, started=True, players=players, prizes_left=(5,)),
        Interrupted(Kind.MTT, started=True, players=players, is_refunded_in_full=True),
    ]
    cases = [cancel(state) for state in states]
    assert [cancelled.case for cancelled in cases] == [*Case]
    assert all(refund.bounty == 700 for cancelled in cases for refund in cancelled.refunds.values())


def test_a_table_that_is_named_final_counts_as_one_with_others_still_open() -> None:
    state = Interrupted(Kind.MTT, started=True, players=left(5, 5), places_paid=2, tables=2, prizes_left=(7, 3))
    assert cancel(state).case is Case.IN_THE_MONEY
    assert cancel(replace(state, final_table=True)).case is Case.FINAL_TABLE


def test_without_a_prize_for_every_player_the_lowest_is_zero() -> None:
    state = Interrupted(Kind.MTT, started=True, players=left(3, 1), places_paid=2, tables=2, prizes_left=(100,))
    assert shares(cancel(state)) == [75, 25]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"players": ()}, "at least one player"),
        ({"players": (*left(5), *left(6))}, "only once"),
        ({"players": left(5, 0)}, "at least one chip"),
        ({"freeroll": True, "player_pool": 5}, "freeroll"),
        ({"places_paid": 2}, "prize left"),
        ({"places_paid": 2, "prizes_left": (3, 2, 1)}, "prize left"),
        ({"kind": Kind.HEXAPRO}, "prize left"),
    ],
)
def test_impossible_states_are_refused(changes: dict[str, object], reason: str) -> None:
    state = Interrupted(Kind.MTT, started=True, players=left(5, 5), player_pool=100)
    with pytest.raises(ValueError, match=reason):
        replace(state, **changes)  # type: ignore[arg-type]


@settings(deadline=None)
@given(
    kind=st.sampled_from(Kind),
    chips=st.lists(st.integers(1, 10**6), min_size=1, max_size=9),
    pool=st.integers(0, 10**9),
    places=st.integers(1, 9),
    tables=st.integers(1, 2),
    prizes=st.lists(st.integers(0, 10**6), min_size=1, max_size=9),
)
def test_the_whole_pool_is_divided(
    *, kind: Kind, chips: list[int], pool: int, places: int, tables: int, prizes: list[int]
) -> None:
    prizes = sorted(prizes[: len(chips)], reverse=True)
    state = Interrupted(
        kind,
        started=True,
        players=left(*chips),
        player_pool=pool,
        added=77,
        places_paid=places,
        tables=tables,
        prizes_left=tuple(prizes),
    )
    cancelled = cancel(state)
    assert min(shares(cancelled)) >= 0
    divided = pool if cancelled.case is Case.BEFORE_THE_MONEY else sum(prizes)
    assert sum(shares(cancelled)) == divided
    assert cancelled.to_house == (77 if cancelled.case is Case.BEFORE_THE_MONEY else 0)
