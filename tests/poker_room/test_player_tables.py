"""Sitting out over several tables: the global sit-out, the next big blind, coming back, and removal."""

from casino.poker_room.player_tables import PlayerTables, SitOutTerms

TERMS = SitOutTerms()
THREE = PlayerTables().joined("a").joined("b").joined("c")
NOW = 1_000_000


def test_one_table_removes_a_player_after_more_than_ten_minutes() -> None:
    alone = PlayerTables().joined("a").sat_out("a", NOW)
    assert alone.last_ms("a", TERMS) == NOW + 600_000
    assert alone.removals(NOW + 600_000, TERMS) == ()
    assert alone.removals(NOW + 600_001, TERMS) == ("a",)
    assert alone.due_ms(TERMS) == NOW + 600_001


def test_sitting_out_at_one_of_several_tables_gives_500_seconds_everywhere() -> None:
    out = THREE.sat_out("b", NOW)
    assert out.absences.keys() == {"a", "b", "c"}
    back = out.back(["a"])
    assert back.last_ms("a", TERMS) is None
    assert back.removals(NOW + 500_000, TERMS) == ()
    assert back.removals(NOW + 500_001, TERMS) == ("b", "c")
    assert out.back().absences == {}


def test_a_table_with_the_player_in_a_hand_removes_after_the_hand() -> None:
    out = THREE.sat_out("b", NOW)
    assert out.removals(NOW + 500_001, TERMS, in_hand=["c"]) == ("a", "b")


def test_the_next_big_blind_concerns_one_table_with_ten_minutes() -> None:
    asked = THREE.wanting_out_at_big_blind(["a", "b", "elsewhere"], on=True)
    assert asked.next_big_blind == {"a", "b"}
    out = asked.passed_by_big_blind("a", NOW)
    assert [*out.absences] == ["a"]
    assert out.next_big_blind == {"b"}
    assert out.last_ms("a", TERMS) == NOW + 600_000
    assert out.wanting_out_at_big_blind(["b"], on=False).next_big_blind == frozenset()


def test_a_table_left_takes_its_absence_along() -> None:
    out = THREE.sat_out("b", NOW).left("b")
    assert out.tables == ("a", "c")
    assert out.absences.keys() == {"a", "c"}
    assert out.left("a").left("c").due_ms(TERMS) is None


def test_configured_times_apply() -> None:
    out = THREE.sat_out("b", NOW)
    assert out.last_ms("b", SitOutTerms(120_000, 60_000)) == NOW + 60_000
