"""Seating at cash tables: vector V8.0, candidates, the draw, the queue, limits and the start of a hand."""

from collections import Counter
from dataclasses import replace

import pytest

from casino.poker.cash.seating import (
    Opening,
    TableOffer,
    draw_bound,
    drawn_table,
    is_candidate,
    is_table_limit_reached,
    may_start,
    missing_for_table,
    openings,
    weight,
)
from casino.settings.poker import PUBLISHED, load_poker

STAKES = load_poker(PUBLISHED).stakes
NOW = 100 * 60_000
TEN_MINUTES_AGO = NOW - 10 * 60_000
TABLES = (
    TableOffer("a", (6,), 5, 500),
    TableOffer("b", (1, 3, 5), 3, 500, left_ms=TEN_MINUTES_AGO),
    TableOffer("c", (2, 3, 4, 5, 6), 2, 500),
)


def test_v8_0_weights_of_the_draw() -> None:
    assert [weight(table, NOW) for table in TABLES] == [1, 27, 25]


def test_every_number_falls_on_a_table_in_proportion_to_the_weights() -> None:
    bound = draw_bound(TABLES, 500, NOW)
    drawn = Counter(drawn_table(TABLES, 500, NOW, number).table_id for number in range(bound))
    assert (bound, drawn) == (53, {"a": 1, "b": 27, "c": 25})
    with pytest.raises(ValueError, match="beyond"):
        drawn_table(TABLES, 500, NOW, bound)


def test_a_table_left_long_ago_is_a_table_like_others() -> None:
    assert weight(replace(TABLES[1], left_ms=NOW - 30 * 60_000), NOW) == 9


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"free_seats": ()}, False),
        ({"present": 2}, True),
        ({"present": 1}, False),
        ({"is_seated": True}, False),
        ({"is_blocked": True}, False),
        ({"smallest_buy_in": 501}, False),
    ],
    ids=str,
)
def test_candidates(change: dict[str, int], expected: bool) -> None:  # noqa: FBT001
    table = replace(TABLES[1], **change)  # type: ignore[arg-type]
    assert is_candidate(table, 500) is expected
    assert draw_bound([table], 500, NOW) == (weight(table, NOW) if expected else 0)


def test_a_table_is_a_candidate_unless_something_speaks_against_it() -> None:
    assert is_candidate(TableOffer("a", (1,), 2, 500), 500)


def test_tables_that_are_no_candidates_take_no_part_in_the_draw() -> None:
    full = replace(TABLES[0], free_seats=())
    assert drawn_table([full, TABLES[1]], 500, NOW, 0).table_id == "b"


def test_waiting_tables_are_filled_before_a_new_one_opens() -> None:
    queue = ["p1", "p2", "p3", "p4", "p5"]
    assert openings(queue, [("x", 1), ("y", 1)], 6) == [
        Opening("x", ("p1",)),
        Opening("y", ("p2",)),
        Opening(None, ("p3", "p4", "p5")),
    ]
    assert openings(queue[:4], [("x", 2)], 6) == [Opening("x", ("p1", "p2"))]
    assert openings(queue[:2], [], 6) == []


def test_a_player_who_may_not_sit_there_waits_and_the_next_one_goes() -> None:
    found = openings(["p1", "p2"], [("x", 1)], 6, lambda player, table: (player, table) != ("p1", "x"))
    assert found == [Opening("x", ("p2",))]
    assert openings(["p1"], [("x", 3)], 6, lambda _player, _table: False) == []


def test_a_long_queue_opens_several_tables() -> None:
    queue = [f"p{number}" for number in range(1, 16)]
    assert [len(opening.players) for opening in openings(queue, [], 6)] == [6, 6, 3]
    assert [len(opening.players) for opening in openings(queue[:14], [], 6)] == [6, 6]
    assert [len(opening.players) for opening in openings(queue[:5], [], 5)] == [5]


def test_missing_players() -> None:
    assert [missing_for_table(queued) for queued in range(5)] == [3, 2, 1, 0, 0]


def test_at_most_eight_tables_and_four_of_a_banzai_stake() -> None:
    regular, banzai = STAKES["nl10"], STAKES["banzai-nl1"]
    assert [is_table_limit_reached(regular, tables, tables) for tables in (7, 8)] == [False, True]
    assert [is_table_limit_reached(banzai, 5, tables) for tables in (3, 4)] == [False, True]
    assert is_table_limit_reached(banzai, 8, 0)
    assert is_table_limit_reached(regular, 2, 2, tables_max=2)
    assert is_table_limit_reached(banzai, 2, 1, banzai_tables_max=1)


@pytest.mark.parametrize(
    ("present", "before", "starts"),
    [
        (3, 0, True),
        (6, 2, True),
        (2, 3, True),
        (2, 6, True),
        (2, 2, False),
        (2, 0, False),
        (1, 6, False),
        (0, 3, False),
    ],
)
def test_a_hand_starts_with_three_or_once_with_two(present: int, before: int, starts: bool) -> None:  # noqa: FBT001
    assert may_start(present, before) is starts
