"""The three exports, the ledger and an independent recount tell the same, to the minor unit, in every format."""

from collections import defaultdict
from pathlib import Path

import pytest
from sqlalchemy import select

from casino.finance.asking import Format, What
from casino.finance.period import day_at
from casino.storage.database import Database
from casino.storage.schema import accounts, operations, postings, rounds, users
from casino.uth.paytable import STANDARD
from tests.finance.readers import MONTH, Row, exported, return_of
from tests.finance.recount import by, recount

SPOTS = ("ante", "blind", "trips", "play")


Told = dict[What, list[Row]]


@pytest.mark.req("LED-9")
@pytest.mark.parametrize("what", What)
async def test_all_formats_hold_the_same_rows(month: Database, told: Told, tmp_path: Path, what: What) -> None:
    assert len(told[what]) > 100
    for format_ in (Format.JSON, Format.XLSX, Format.PARQUET):
        assert (await exported(month, tmp_path, what, format_, MONTH)).rows == told[what]


@pytest.mark.req("LED-9")
@pytest.mark.req("RND-10")
async def test_settlements_are_what_an_independent_recount_of_the_journal_gives(month: Database, told: Told) -> None:
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
        for row in told[What.SETTLEMENTS]
    ]
    counted = await recount(month)
    assert sorted(ours, key=repr) == sorted(counted, key=repr)
    assert {row[2] for row in counted} == {"settled", "cancelled", "reversal", "corrected"}
    assert {row[7] for row in counted} == {"win", "lose", "tie", "fold", None}


@pytest.mark.req("LED-9")
@pytest.mark.req("LED-4")
def test_every_settlement_has_moved_in_the_ledger_exactly_what_it_says(told: Told) -> None:
    moved: dict[tuple[str, str], int] = defaultdict(int)  # by round and player, what all its settlements brought
    house: dict[tuple[int, str], int] = defaultdict(int)
    for row in told[What.LEDGER]:
        if row["kind"] in ("settle", "refund", "reversal"):
            for side, sign in (("source", -1), ("destination", 1)):
                account = row[side]
                if account.startswith("player:"):
                    moved[row["round_id"], account[7:-5]] += sign * row["amount"]
                elif account.startswith("house:"):
                    house[row["posted_at"] // 86_400_000, row["currency"]] += sign * row["amount"]
    returned: dict[tuple[str, str], int] = defaultdict(int)
    kept: dict[tuple[int, str], int] = defaultdict(int)
    for row in told[What.SETTLEMENTS]:
        assert row["staked"] == sum(row[spot] for spot in SPOTS)
        assert row["returned"] == sum(row[f"{spot}_returned"] for spot in SPOTS)
        assert row["net"] == row["returned"] - row["staked"]
        returned[row["round_id"], row["player_id"]] += row["returned"]
        kept[row["settled_at"] // 86_400_000, row["currency"]] -= row["net"]
    assert {key: amount for key, amount in returned.items() if amount} == {key: a for key, a in moved.items() if a}
    assert {key: amount for key, amount in kept.items() if amount} == {key: a for key, a in house.items() if a}


@pytest.mark.req("LED-9")
def test_summary_is_the_sum_of_the_settlements_and_the_tips_of_the_ledger(told: Told) -> None:
    settled = [{**row, "day": f"{day_at(row['settled_at'])}"} for row in told[What.SETTLEMENTS]]
    tips: dict[tuple[str, str, str], int] = defaultdict(int)
    for row in told[What.LEDGER]:
        if row["kind"] == "tip":
            tips[f"{day_at(row['posted_at'])}", row["table_id"], row["currency"]] += row["amount"]
    groups = by(settled, "day", "table_id", "currency")
    exact = return_of(STANDARD)
    assert {(row["day"], row["table_id"], row["currency"]) for row in told[What.SUMMARY]} == groups.keys() | tips.keys()
    for row in told[What.SUMMARY]:
        place = (row["day"], row["table_id"], row["currency"])
        own = groups.get(place, [])
        played = [seat for seat in own if seat["status"] != "cancelled"]
        cancelled = [seat for seat in own if seat["status"] == "cancelled"]
        expected = sum(seat["ante"] * exact.house_edge + seat["trips"] * (1 - exact.trips_rtp) for seat in played)
        assert row == {
            "day": place[0],
            "table_id": place[1],
            "currency": place[2],
            "rounds": len({seat["round_id"] for seat in own}),
            "players": len({seat["player_id"] for seat in own}),
            "staked": sum(seat["staked"] for seat in own),
            "returned": sum(seat["returned"] for seat in own),
            "house_result": -sum(seat["net"] for seat in own),
            "tips": tips.get(place, 0),
            "cancelled": len({seat["round_id"] for seat in cancelled}),
            "refunded": sum(seat["returned"] for seat in cancelled),
            "expected_house_result": round(expected),
            "corrected": len({(seat["round_id"], seat["settled_at"]) for seat in own if seat["status"] == "corrected"}),
            "forfeited": 0,
        }


@pytest.mark.req("LED-9")
async def test_ledger_export_is_every_posting_and_explains_every_balance(month: Database, told: Told) -> None:
    ours = told[What.LEDGER]
    async with month.reading() as connection:
        joined = select(operations.c.id, postings).join(postings, postings.c.operation_id == operations.c.id)
        stored = {(str(row[0]), row.line): tuple(row[3:]) for row in await connection.execute(joined)}
        balances = {row.id: row.balance for row in await connection.execute(select(accounts)) if row.balance}
    found = {(row["operation_id"], row["line"]): row for row in ours}
    moved = ("source", "destination", "amount", "currency")
    assert {key: tuple(row[name] for name in moved) for key, row in found.items()} == stored
    net: dict[str, int] = defaultdict(int)
    for row in ours:
        net[row["source"]] -= row["amount"]
        net[row["destination"]] += row["amount"]
    assert {account: amount for account, amount in net.items() if amount} == balances


async def test_names_presenters_and_cards_stand_beside_the_amounts(month: Database, told: Told) -> None:
    async with month.reading() as connection:
        names = {row.id: row.name for row in await connection.execute(select(users))}
        played = {row.id: row for row in await connection.execute(select(rounds))}
    for row in told[What.SETTLEMENTS]:
        round_ = played[row["round_id"]]
        assert row["player_name"] == names[row["player_id"]]
        assert (row["table_id"], row["game_number"]) == (round_.table_id, round_.game_number)
        assert row["presenter"] == round_.presenter
        if row["status"] != "cancelled":
            assert [len(row[cards].split()) for cards in ("player_cards", "board", "dealer_cards")] == [2, 5, 2]
            assert row["dealer_qualifies"] is (row["dealer_hand"] != "high_card")
