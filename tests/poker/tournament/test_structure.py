"""Blind structures of appendix A, levels by running time, and synchronised breaks (§9.5, §9.6)."""

from datetime import UTC, datetime
from itertools import islice

import pytest

from casino.poker.terms import Game
from casino.poker.tournament.structure import Level, extended, next_break_ms, parse_level, synchronised_breaks
from tests.poker.tournament.published import RULES

STRUCTURES = RULES.structures


def written(levels: tuple[Level, ...]) -> str:
    return " · ".join(map(str, levels))


def test_a_1_levels_of_multi_table_tournaments() -> None:
    levels = STRUCTURES.levels["mtt"].all
    assert written(levels[:6]) == "25/50 · 30/60 · 40/80 · 50/100/10 · 60/120/12 · 80/160/16"
    assert written(levels[24:30]) == (
        "6000/12000/1200 · 8000/16000/1600 · 10000/20000/2000 · 12000/24000/2400 · 16000/32000/3200 · 20000/40000/4000"
    )
    assert len(levels) == 60
    for place in range(27, 60):
        assert levels[place].big_blind == 2 * levels[place - 3].big_blind
    lengths = {name: STRUCTURES.structures[name] for name in ("regular", "turbo", "hyper", "deep")}
    assert {name: (row.minutes, row.stack) for name, row in lengths.items()} == {
        "regular": (10, 5000),
        "turbo": (5, 5000),
        "hyper": (3, 5000),
        "deep": (15, 10_000),
    }


def test_a_2_sit_and_go() -> None:
    levels = STRUCTURES.levels["sng"].all
    assert (len(levels), written(levels[:3]), str(levels[-1])) == (16, "10/20 · 15/30 · 20/40", "1000/2000")
    assert [(sng.seats, STRUCTURES.structures[sng.structure].minutes) for sng in RULES.sit_and_gos.sng] == [
        (5, 5),
        (2, 3),
    ]
    assert all(STRUCTURES.structures[sng.structure].stack == 1500 for sng in RULES.sit_and_gos.sng)


def test_a_3_hexapro() -> None:
    levels = STRUCTURES.levels["hexapro"].all
    assert len(levels) == 28
    assert written(levels[:4]) == "10/20 · 15/30/4 · 20/40/5 · 25/50/6"
    assert all(level.ante for level in levels[1:])


def test_a_4_extreme() -> None:
    levels = STRUCTURES.levels["hexapro-extreme"].all
    assert len(levels) == 19
    assert not any(level.ante for level in levels)


def test_sit_and_go_prices() -> None:
    five, two = RULES.sit_and_gos.sng
    assert [(row.total, row.pool, row.fee) for row in five.buy_ins] == [
        (100, 95, 5),
        (200, 190, 10),
        (400, 380, 20),
        (1000, 950, 50),
        (2500, 2375, 125),
    ]
    assert [(row.total, row.fee) for row in two.buy_ins] == [
        (100, 4),
        (200, 8),
        (400, 16),
        (1000, 40),
        (2500, 100),
        (5000, 225),
        (10_000, 450),
        (20_000, 900),
    ]
    assert [RULES.payouts.tables[row.prizes or ""] for row in (five, two)] == [[65, 35], [100]]


def test_a_level_lasts_its_minutes_and_the_last_one_stays() -> None:
    turbo = STRUCTURES.structure("turbo")
    assert [turbo.number_at(ms) for ms in (0, 299_999, 300_000, 10**12)] == [1, 1, 2, 60]
    assert turbo.level(61) == turbo.level(60)
    assert turbo.level(4).terms(Game.PLO).ante == 10


@pytest.mark.parametrize(
    "text", ["", "10", "10/20/5/1", "a/b", "20/10", "0/10", "10/20/20", "10/-20", "1/1000000000000"]
)
def test_unknown_structure_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="level"):
        parse_level(text)


def test_extending_to_fewer_levels_changes_nothing() -> None:
    levels = (Level(1, 2), Level(2, 4), Level(3, 6, 1))
    assert extended(levels, 2) == levels
    assert extended(levels, 4)[-1] == Level(2, 4)


def at(hour: int, minute: int) -> int:
    return int(datetime(2026, 3, 1, hour, minute, tzinfo=UTC).timestamp() * 1000)


def breaks(start: int, structure: str) -> list[str]:
    due = islice(synchronised_breaks(STRUCTURES.structure(structure), start, 5 * 60_000), 3)
    return [datetime.fromtimestamp(ms / 1000, UTC).strftime("%H:%M") for ms in due]


def test_breaks_begin_at_55_but_never_in_level_1() -> None:
    assert breaks(at(7, 25), "regular") == ["07:55", "08:55", "09:55"]
    assert breaks(at(7, 50), "regular") == ["08:55", "09:55", "10:55"]
    assert breaks(at(7, 55), "turbo") == ["08:55", "09:55", "10:55"]


def test_a_break_is_due_at_exactly_55() -> None:
    assert next_break_ms(at(7, 55)) == at(7, 55)
    assert next_break_ms(at(7, 55) + 1) == at(8, 55)
