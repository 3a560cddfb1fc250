"""Variance of the result: seats that share a hand are correlated, rounds are independent."""

from fractions import Fraction

import pytest

from casino.finance.export_types import ExportKind
from casino.finance.overview import By, overview
from casino.finance.variance import Deviation
from casino.storage.database import Database
from casino.uth.analysis.variance import Dispersion, RoundVariance
from casino.uth.bets import Action
from tests.finance.readers import MONTH, Row, days, return_of
from tests.finance.recount import by

SPREAD = RoundVariance(
    {
        Action.PLAY_4X: Dispersion(Fraction(36), Fraction(5)),
        Action.PLAY_3X: Dispersion(Fraction(25), Fraction(4)),
        Action.PLAY_2X: Dispersion(Fraction(16), Fraction(3)),
        Action.PLAY_1X: Dispersion(Fraction(9), Fraction(2)),
        Action.FOLD: Dispersion(Fraction(4), Fraction(1)),
    },
    {},
    Fraction(7),
)
ROOTS = {"play_4x": 6, "play_3x": 5, "play_2x": 4, "play_1x": 3, "fold": 2}
BESIDE = {"play_4x": 5, "play_3x": 4, "play_2x": 3, "play_1x": 2, "fold": 1}


@pytest.mark.parametrize("group", [By.TABLE, By.PLAYER])
async def test_deviation_adds_up_seats_of_a_hand_before_it_squares_and_rounds_afterwards(
    month: Database, exported_rows: dict[ExportKind, list[Row]], group: By
) -> None:
    async with month.reading() as connection:
        found = await overview(connection, MONTH, group, return_of, lambda _: Deviation.of(SPREAD))
    column = {By.TABLE: "table_id", By.PLAYER: "player_id"}[group]
    settled = [row for row in exported_rows[ExportKind.SETTLEMENTS] if row["status"] == "settled"]
    right: dict[tuple[str, str], float] = {}
    hands = by(settled, column, "currency", "round_id", "player_cards")
    for (key, currency, _, _), seats in hands.items():
        main = sum(seat["ante"] * ROOTS[seat["action"]] for seat in seats)
        beside = sum(seat["ante"] * BESIDE[seat["action"]] for seat in seats)
        trips = sum(seat["trips"] for seat in seats)
        right[key, currency] = right.get((key, currency), 0) + main**2 + 2 * beside * trips + 7 * trips**2
    lines = {(line["key"], line["currency"]): line for line in found["rows"] if line["standard_deviation"]}
    assert lines.keys() == right.keys()
    for place, variance in right.items():
        line = lines[place]
        assert line["expected_house_result"] is not None
        assert line["standard_deviation"] == pytest.approx(variance**0.5, abs=1)
        away = (line["house_result"] - line["expected_house_result"]) / variance**0.5
        assert line["sigmas"] == pytest.approx(away, abs=0.01)
        assert line["is_outlier"] is (abs(away) > 3)


async def test_uncomputed_returns_are_unknown(month: Database) -> None:
    async with month.reading() as connection:
        found = await overview(connection, days("2026-10-03"), By.DAY, lambda _: None, lambda _: None)
    assert found["rows"]
    for line in found["rows"]:
        assert (line["expected_house_result"], line["standard_deviation"], line["sigmas"]) == (None, None, None)
        assert line["is_outlier"] is False
