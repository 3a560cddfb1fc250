"""Agreement of one period: the exports with each other, with the ledger, and with a recount of the journal."""

from collections import defaultdict
from collections.abc import Sequence

from casino.finance.export_types import ExportKind
from casino.finance.period import day_at
from casino.uth.paytable import STANDARD
from tests.finance.readers import Row, return_of
from tests.finance.recount import Counted, by

SPOTS = ("ante", "blind", "trips", "play")

ExportedRows = dict[ExportKind, list[Row]]
"""The three exports of the period."""


def check_recount(rows: ExportedRows, counted: Sequence[Counted]) -> None:
    """Of an evaluator and a reading of the journal that are not ours."""
    ours = [
        (
            row["round_id"],
            row["player_id"],
            row["status"],
            row["settled_at"] // 86_400_000,
            tuple(row[spot] for spot in SPOTS) + tuple(row[f"{spot}_returned"] for spot in SPOTS),
            row["action"],
            row["automatic"],
            row["result"],
        )
        for row in rows[ExportKind.SETTLEMENTS]
    ]
    assert sorted(ours, key=repr) == sorted(counted, key=repr)


def check_settlements(rows: ExportedRows) -> None:
    """Every settlement has moved in the ledger exactly what it says."""
    moved: dict[tuple[str, str], int] = defaultdict(int)  # by round and player, what all its settlements brought
    house: dict[tuple[int, str], int] = defaultdict(int)
    for row in rows[ExportKind.LEDGER]:
        if row["kind"] in ("settle", "refund", "reversal"):
            for side, sign in (("source", -1), ("destination", 1)):
                account = row[side]
                if account.startswith("player:"):
                    moved[row["round_id"], account[7:-5]] += sign * row["amount"]
                elif account.startswith("house:"):
                    house[row["posted_at"] // 86_400_000, row["currency"]] += sign * row["amount"]
    returned: dict[tuple[str, str], int] = defaultdict(int)
    kept: dict[tuple[int, str], int] = defaultdict(int)
    for row in rows[ExportKind.SETTLEMENTS]:
        assert row["staked"] == sum(row[spot] for spot in SPOTS)
        assert row["returned"] == sum(row[f"{spot}_returned"] for spot in SPOTS)
        assert row["net"] == row["returned"] - row["staked"]
        returned[row["round_id"], row["player_id"]] += row["returned"]
        kept[row["settled_at"] // 86_400_000, row["currency"]] -= row["net"]
    assert {key: amount for key, amount in returned.items() if amount} == {key: a for key, a in moved.items() if a}
    assert {key: amount for key, amount in kept.items() if amount} == {key: a for key, a in house.items() if a}


def check_summary(rows: ExportedRows) -> None:
    """It is the sum of the settlements, and the tips of the ledger."""
    settled = [{**row, "day": f"{day_at(row['settled_at'])}"} for row in rows[ExportKind.SETTLEMENTS]]
    given: dict[tuple[str, str, str], int] = defaultdict(int)
    for row in rows[ExportKind.LEDGER]:
        if row["kind"] == "tip":
            given[f"{day_at(row['posted_at'])}", row["table_id"], row["currency"]] += row["amount"]
    groups = by(settled, "day", "table_id", "currency")
    exact = return_of(STANDARD)
    of_ante, of_trips = exact.house_edge, 1 - exact.trips_rtp
    assert {
        (row["day"], row["table_id"], row["currency"]) for row in rows[ExportKind.SUMMARY]
    } == groups.keys() | given.keys()
    for row in rows[ExportKind.SUMMARY]:
        place = (row["day"], row["table_id"], row["currency"])
        own = groups.get(place, [])
        played = [seat for seat in own if seat["status"] != "cancelled"]
        cancelled = [seat for seat in own if seat["status"] == "cancelled"]
        ante, trips = (sum(seat[spot] for seat in played) for spot in ("ante", "trips"))
        expected = ante * of_ante + trips * of_trips
        assert row == {
            "day": place[0],
            "table_id": place[1],
            "currency": place[2],
            "rounds": len({seat["round_id"] for seat in own}),
            "players": len({seat["player_id"] for seat in own}),
            "staked": sum(seat["staked"] for seat in own),
            "returned": sum(seat["returned"] for seat in own),
            "house_result": -sum(seat["net"] for seat in own),
            "tips": given.get(place, 0),
            "cancelled": len({seat["round_id"] for seat in cancelled}),
            "refunded": sum(seat["returned"] for seat in cancelled),
            "expected_house_result": round(expected),
            "corrected": len({(seat["round_id"], seat["settled_at"]) for seat in own if seat["status"] == "corrected"}),
            "forfeited": 0,
        }
