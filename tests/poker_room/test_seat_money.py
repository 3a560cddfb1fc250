"""Buy-ins, top-ups and departures move money once, exactly, and within the player's own limits."""

import asyncio
from collections import Counter

import pytest
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from casino.errors import Code, Refusal
from casino.ledger.accounts import player_cash_id
from casino.poker_room.buy_in_offers import DAY_MS, Departure
from casino.poker_room.hand_store import HandStore, NewTable
from casino.poker_room.seat_money import BuyIn, Money, Place, SeatMoney
from casino.poker_room.visitor_facts import Facts
from casino.responsible_gaming import daily_losses
from casino.storage.database import Database
from casino.storage.schema import play_days, safeguards
from casino.verify.verifier import verify
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import PURSE
from tests.poker_room.stored_tables import NOON_MS, StoredTable, balances_of, fixed_shoe, purses, sealed

ANN = Place("nl10-1", "nl10:EUR", "ann", "EUR")
RETURN_MS = 30 * 60_000


@pytest.fixture
async def money(database: Database) -> SeatMoney:
    await purses(database)
    for table_id in ("nl10-1", "nl10-2"):
        new = NewTable(table_id, "nl10:EUR", "EUR", sealed(fixed_shoe()), "{}")
        await HandStore(database).open_table(new, NOON_MS)
    return SeatMoney(database)


async def verified(database: Database) -> None:
    await check_books(database)
    findings = await verify(database)
    assert [line for check in findings.checks for line in check.lines if "BROKEN" in line] == []


async def limit_losses(database: Database, player_id: str, value: int) -> None:
    async with database.writing() as connection:
        fields = {"player_id": player_id, "kind": "loss", "period": "day", "value": value, "at_ms": NOON_MS}
        await connection.execute(insert(safeguards).values(fields))
        await daily_losses.begin_to_count(connection, player_id, NOON_MS)


async def test_sitting_down_topping_up_and_leaving(database: Database, money: SeatMoney) -> None:
    assert await money.buy_in(BuyIn(ANN, 3, 600, "k1"), NOON_MS) == Money(600, PURSE - 600)
    assert await money.top_up(ANN, 400, "k2", NOON_MS + 1) == Money(1000, PURSE - 1000)
    await verified(database)
    assert await money.leave(ANN, NOON_MS + 2) == Money(1000, PURSE)
    assert await money.available("ann") == PURSE
    await verified(database)


async def test_a_repeated_key_moves_nothing(database: Database, money: SeatMoney) -> None:
    wanted = BuyIn(ANN, 3, 600, "k1")
    await money.buy_in(wanted, NOON_MS)
    assert await money.buy_in(wanted, NOON_MS + 9) == Money(600, PURSE - 600, is_repeat=True)
    await money.top_up(ANN, 100, "k2", NOON_MS)
    assert await money.top_up(ANN, 100, "k2", NOON_MS) == Money(700, PURSE - 700, is_repeat=True)
    with pytest.raises(Refusal) as refused:
        await money.top_up(ANN, 150, "k2", NOON_MS)
    assert refused.value.code is Code.KEY_REUSED
    sitting = await money.sitting_of("ann", "k1")
    assert sitting == ("nl10-1", 3, 600, False)
    assert await money.sitting_of("ann", "other") is None
    await money.leave(ANN, NOON_MS)
    assert await money.leave(ANN, NOON_MS) == Money(0, PURSE, is_repeat=True)
    await verified(database)


async def test_the_same_key_at_another_table_is_refused(database: Database, money: SeatMoney) -> None:
    await money.buy_in(BuyIn(ANN, 3, 600, "k1"), NOON_MS)
    with pytest.raises(Refusal) as refused:
        await money.buy_in(BuyIn(ANN._replace(table_id="nl10-2"), 3, 600, "k1"), NOON_MS)
    assert refused.value.code is Code.KEY_REUSED
    assert (await balances_of(database))[player_cash_id("ann")] == PURSE - 600
    await verified(database)


async def test_simultaneous_repetitions_sit_down_once(database: Database, money: SeatMoney) -> None:
    wanted = BuyIn(ANN, 3, 600, "k1")
    answers = await asyncio.gather(*(money.buy_in(wanted, NOON_MS) for _ in range(5)))
    assert sorted(answer.is_repeat for answer in answers) == [False, True, True, True, True]
    assert (await balances_of(database))[player_cash_id("ann")] == PURSE - 600
    await verified(database)


async def test_two_players_cannot_have_one_seat(database: Database, money: SeatMoney) -> None:
    await money.buy_in(BuyIn(ANN, 3, 600, "k1"), NOON_MS)
    with pytest.raises(IntegrityError):
        await money.buy_in(BuyIn(ANN._replace(player_id="bob"), 3, 600, "k1"), NOON_MS)
    assert (await balances_of(database))[player_cash_id("bob")] == PURSE
    await verified(database)


@pytest.mark.parametrize("place", [ANN._replace(player_id="nobody"), ANN._replace(player_id="gus")])
async def test_a_purse_of_another_currency_or_none_buys_nothing(money: SeatMoney, place: Place) -> None:
    with pytest.raises(Refusal) as refused:
        await money.buy_in(BuyIn(place, 3, 600, "k1"), NOON_MS)
    assert refused.value.code is Code.INSUFFICIENT_FUNDS


async def test_more_than_the_balance_is_refused(database: Database, money: SeatMoney) -> None:
    await money.buy_in(BuyIn(ANN, 3, PURSE - 10, "k1"), NOON_MS)
    for attempt in (
        money.top_up(ANN, 11, "k2", NOON_MS),
        money.buy_in(BuyIn(ANN._replace(table_id="nl10-2"), 1, 11, "k3"), NOON_MS),
    ):
        with pytest.raises(Refusal) as refused:
            await attempt
        assert refused.value.code is Code.INSUFFICIENT_FUNDS
    await verified(database)


async def test_chips_at_tables_are_at_risk(database: Database, money: SeatMoney) -> None:
    await limit_losses(database, "ann", 1000)
    await money.buy_in(BuyIn(ANN, 3, 600, "k1"), NOON_MS)
    with pytest.raises(Refusal) as refused:
        await money.top_up(ANN, 401, "k2", NOON_MS)
    assert refused.value.code is Code.LIMIT_REACHED
    await money.top_up(ANN, 400, "k2", NOON_MS)
    await money.leave(ANN, NOON_MS)
    await money.buy_in(BuyIn(ANN, 3, 1000, "k3"), NOON_MS)
    await verified(database)


async def test_losses_of_hands_count_for_limits(database: Database) -> None:
    """Counted from stored hands when the limit is set, and with every later hand."""
    await purses(database)
    table = await StoredTable.open(database)
    first = await table.play(("raise_to 100", "call", "fold"))
    for player_id in ("ann", "bob", "cid"):
        await limit_losses(database, player_id, 100_000)
    second = await table.play(("raise_to 200", "call", "fold"))
    expected: Counter[tuple[str, str]] = Counter()
    for player in (*first.players, *second.players):
        expected[player.player_id, "staked"] += player.staked
        expected[player.player_id, "returned"] += player.returned
    async with database.reading() as connection:
        rows = (await connection.execute(play_days.select())).all()
    counted = {(row.player_id, name): getattr(row, name) for row in rows for name in ("staked", "returned")}
    assert counted == expected
    assert {row.day_ms for row in rows} == {NOON_MS // DAY_MS * DAY_MS}


async def test_a_hand_over_midnight_counts_on_the_day_it_began(database: Database) -> None:
    await purses(database)
    table = await StoredTable.open(database)
    await limit_losses(database, "ann", 100_000)
    midnight_ms = NOON_MS // DAY_MS * DAY_MS + DAY_MS
    record = await table.played(("raise_to 100", "call", "fold"))
    await table.store.store(record._replace(started_ms=midnight_ms - 1, ended_ms=midnight_ms + 60_000))
    async with database.reading() as connection:
        (day,) = (await connection.execute(play_days.select())).all()
    assert day.day_ms == midnight_ms - DAY_MS
    assert day.staked == next(player.staked for player in record.players if player.player_id == "ann")


async def test_an_excluded_player_risks_no_more_and_keeps_the_chips(database: Database, money: SeatMoney) -> None:
    await money.buy_in(BuyIn(ANN, 3, 600, "k1"), NOON_MS)
    async with database.writing() as connection:
        fields = {"player_id": "ann", "kind": "self_exclusion", "period": "", "value": NOON_MS + DAY_MS}
        await connection.execute(insert(safeguards).values(fields | {"at_ms": NOON_MS}))
    there = ANN._replace(table_id="nl10-2")
    for risk in (money.top_up(ANN, 100, "k2", NOON_MS), money.buy_in(BuyIn(there, 1, 600, "k3"), NOON_MS)):
        with pytest.raises(Refusal):
            await risk
    assert await money.leave(ANN, NOON_MS) == Money(600, PURSE)
    await verified(database)


async def test_departures_and_counters_are_remembered(money: SeatMoney) -> None:
    async def facts(now_ms: int) -> Facts:
        return (await money.facts(["ann"], now_ms, RETURN_MS))["ann"]

    await money.buy_in(BuyIn(ANN, 3, 1000, "k1"), NOON_MS)
    await money.leave(ANN, NOON_MS + 60_000)
    departure = Departure("nl10-1", "nl10:EUR", NOON_MS + 60_000, 1000)
    assert (await facts(NOON_MS + 90_000)).departures == (departure,)
    assert (await facts(NOON_MS + 60_000 + RETURN_MS + 1)).departures == ()
    again = BuyIn(ANN, 3, 1000, "k2", counts_as_return=True, is_reset=True, resumes=departure)
    await money.buy_in(again, NOON_MS + 90_000)
    after = await facts(NOON_MS + 90_000)
    assert after.departures[0].is_resumed
    assert after.available == PURSE - 1000
    assert (after.counters.returns, after.counters.resets) == (1, 1)
    tomorrow = (await facts(NOON_MS + DAY_MS)).counters
    assert (tomorrow.returns, tomorrow.resets) == (0, 0)


async def test_facts_of_many_players_are_their_own(money: SeatMoney) -> None:
    await money.buy_in(BuyIn(ANN, 3, 1000, "k1", counts_as_return=True), NOON_MS)
    await money.leave(ANN, NOON_MS + 1)
    crowd = [f"stranger-{number}" for number in range(1200)]
    facts = await money.facts([*crowd, "ann", "bob"], NOON_MS + 2, RETURN_MS)
    assert facts.keys() == {*crowd, "ann", "bob"}
    assert (facts["ann"].available, len(facts["ann"].departures), facts["ann"].counters.returns) == (PURSE, 1, 1)
    assert (facts["bob"].available, facts["bob"].departures, facts["bob"].counters.returns) == (PURSE, (), 0)
    assert facts[crowd[-1]].available == 0


async def test_a_player_moves_with_all_chips(database: Database, money: SeatMoney) -> None:
    await money.buy_in(BuyIn(ANN, 3, 600, "k1"), NOON_MS)
    await money.top_up(ANN, 50, "k2", NOON_MS)
    assert await money.move(ANN, "nl10-2", 5, NOON_MS + 1) == Money(650, PURSE - 650)
    assert (await money.move(ANN, "nl10-2", 5, NOON_MS + 1)).is_repeat
    balances = await balances_of(database)
    assert (balances["seat:nl10-1:ann"], balances["seat:nl10-2:ann"]) == (0, 650)
    await verified(database)
    there = ANN._replace(table_id="nl10-2")
    assert await money.leave(there, NOON_MS + 2) == Money(650, PURSE)
    await verified(database)


@pytest.mark.parametrize(
    ("source", "destination"),
    [
        ("seat:nl10-1:ann", "seat:nl10-1:bob"),
        ("seat:nl10-1:ann", "player:bob:cash"),
        ("player:bob:cash", "seat:nl10-1:ann"),
        ("seat:nl10-1:ann", "cashier:EUR"),
        ("cashier:EUR", "seat:nl10-1:ann"),
        ("rake:EUR", "seat:nl10-1:ann"),
    ],
)
async def test_the_database_keeps_chips_between_seat_pot_and_own_cash(
    database: Database, source: str, destination: str
) -> None:
    await purses(database)
    await StoredTable.open(database)
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await connection.execute(
                text("INSERT INTO postings VALUES (1, 90, :source, :destination, 5, 'EUR')"),
                {"source": source, "destination": destination},
            )


@pytest.mark.parametrize("kind", ["seat:nl10-1:ann", "pot:nl10-1:EUR", "rake:EUR"])
async def test_no_account_of_a_table_is_overdrawn(database: Database, kind: str) -> None:
    await purses(database)
    await StoredTable.open(database)
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await connection.execute(text("UPDATE accounts SET balance = -1 WHERE id = :id"), {"id": kind})
