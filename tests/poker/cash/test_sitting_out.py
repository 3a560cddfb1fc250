"""Sitting out at one table, at all tables, and before the own big blind."""

from casino.poker.cash.sitting_out import SittingOut, sit_out

MINUTE_MS = 60_000


def test_a_player_is_removed_after_more_than_ten_minutes() -> None:
    absence = SittingOut(1_000)
    assert absence.last_ms() == 601_000
    assert [absence.is_removal_due(now) for now in (601_000, 601_001)] == [False, True]


def test_a_player_who_sits_out_everywhere_has_500_seconds() -> None:
    absence = SittingOut(1_000, everywhere_since_ms=2_000)
    assert absence.last_ms() == 502_000
    assert SittingOut(0, everywhere_since_ms=5 * MINUTE_MS).last_ms() == 10 * MINUTE_MS
    assert absence.last_ms(remove_after_ms=100, everywhere_after_ms=50) == 1_100


def test_sitting_out_at_one_of_several_tables_is_sitting_out_at_all() -> None:
    assert sit_out({}, ["a", "b", "c"], "b", 7, at_big_blind=False) == {
        table: SittingOut(7, everywhere_since_ms=7) for table in "abc"
    }
    assert sit_out({}, ["a"], "a", 7, at_big_blind=False) == {"a": SittingOut(7)}


def test_sitting_out_before_the_big_blind_concerns_one_table() -> None:
    first = sit_out({}, ["a", "b"], "a", 7, at_big_blind=True)
    assert first == {"a": SittingOut(7)}
    assert sit_out(first, ["a", "b"], "b", 9, at_big_blind=True) == {"a": SittingOut(7), "b": SittingOut(9)}


def test_an_absence_that_has_begun_is_not_begun_again() -> None:
    first = sit_out({}, ["a", "b"], "a", 7, at_big_blind=True)
    everywhere = sit_out(first, ["a", "b"], "b", 9, at_big_blind=False)
    assert everywhere == {"a": SittingOut(7, everywhere_since_ms=9), "b": SittingOut(9, everywhere_since_ms=9)}
    assert sit_out(everywhere, ["a", "b"], "a", 20, at_big_blind=False) == everywhere
    assert sit_out(first, ["a", "b"], "a", 9, at_big_blind=True) == first
