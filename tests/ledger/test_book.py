"""Book: money moves once, as a whole, and only if it is available."""

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import move
from casino.storage import schema
from tests.ledger.invariants import check_books
from tests.ledger.purses import ANN, AT_MS, BOB, CASHIER, GUS, HOUSE, HOUSE_FUN, PURSE, Ledger, bet, operation
from tests.live_table.stored_rounds import balances


async def count(ledger: Ledger, table: str = "operations") -> int:
    async with ledger.database.reading() as connection:
        query = select(func.count()).select_from(schema.metadata.tables[table])
        return (await connection.execute(query)).scalar_one()


@pytest.mark.req("LED-1")
@pytest.mark.req("LED-3")
async def test_posting_takes_from_one_account_what_it_gives_to_the_other(ledger: Ledger) -> None:
    posted = await ledger.post(operation("k", move(300, ANN, HOUSE), move(200, BOB, HOUSE), move(50, HOUSE, ANN)))
    assert not posted.is_repeat
    assert (await ledger.balance(ANN)).balance == PURSE - 250
    assert (await ledger.balance(BOB)).balance == PURSE - 200
    assert (await ledger.balance(HOUSE)).balance == 450
    await check_books(ledger.database)


@pytest.mark.req("LED-2")
async def test_posting_beyond_the_balance_moves_nothing_of_its_operation(ledger: Ledger) -> None:
    for wanted in (
        bet("k1", PURSE + 1),
        operation("k2", move(5, BOB, HOUSE), move(PURSE, ANN, HOUSE), move(1, ANN, HOUSE)),
    ):
        with pytest.raises(IntegrityError):
            await ledger.post(wanted)
    assert (await ledger.balance(BOB)).balance == (await ledger.balance(ANN)).balance == PURSE
    assert await count(ledger) == 2, "the purses were filled, and nothing else happened"
    await check_books(ledger.database)


@pytest.mark.req("LED-2")
async def test_held_money_cannot_be_posted(ledger: Ledger) -> None:
    await ledger.open_round("r1")
    await ledger.hold("r1", {"ann": PURSE - 100})
    with pytest.raises(IntegrityError):
        await ledger.post(bet("k1", 101))
    await ledger.post(bet("k2", 100))
    assert (await ledger.balance(ANN)).available == 0
    await check_books(ledger.database)


async def test_house_and_cashier_accounts_may_be_negative(ledger: Ledger) -> None:
    await ledger.post(bet("k1", 500, HOUSE, ANN))
    assert (await ledger.balance(HOUSE)).balance == -500
    assert (await ledger.balance(CASHIER)).balance == -2 * PURSE


async def test_posting_to_an_account_that_is_not_open_is_refused(ledger: Ledger) -> None:
    with pytest.raises(IntegrityError):
        await ledger.post(bet("k1", 5, ANN, accounts.charity("EUR")))
    with pytest.raises(IntegrityError):
        await ledger.post(bet("k1", 5, CASHIER, accounts.player_cash("zed", "EUR")))
    assert await count(ledger) == 2


async def test_opening_an_account_again_changes_nothing(ledger: Ledger) -> None:
    before = await balances(ledger.database)
    async with ledger.database.writing() as connection:
        book = Book(connection)
        await book.open_accounts([ANN, ANN, HOUSE, accounts.player_cash("ann", "FUN")])
        await book.open_accounts([])
    assert await balances(ledger.database) == before


@pytest.mark.req("LED-5")
async def test_same_key_and_input_give_the_first_answer_and_move_nothing(ledger: Ledger) -> None:
    first = await ledger.post(bet("k1", 500), AT_MS)
    again = [await ledger.post(bet("k1", 500), AT_MS + later) for later in range(1, 5)]
    assert not first.is_repeat
    assert {(posted.operation_id, posted.at_ms, posted.is_repeat) for posted in again} == {
        (first.operation_id, AT_MS, True)
    }
    assert (await ledger.balance(ANN)).balance == PURSE - 500
    assert (await count(ledger), await count(ledger, "postings")) == (3, 4)
    await check_books(ledger.database)


@pytest.mark.req("LED-5")
async def test_repetition_within_one_transaction_moves_nothing_either(ledger: Ledger) -> None:
    async with ledger.database.writing() as connection:
        book = Book(connection)
        posted = [await book.post(bet("k1", 500), AT_MS) for _ in range(3)]
    assert [one.is_repeat for one in posted] == [False, True, True]
    assert (await ledger.balance(ANN)).balance == PURSE - 500


@pytest.mark.req("LED-5")
async def test_same_key_with_any_other_input_is_refused_and_moves_nothing(ledger: Ledger) -> None:
    await ledger.post(bet("k1", 500))
    before = await balances(ledger.database)
    for other in (
        bet("k1", 501),
        bet("k1", 500, BOB),
        bet("k1", 500, ANN, CASHIER),
        bet("k1", 500, GUS, HOUSE_FUN),
        operation("k1", move(500, ANN, HOUSE), move(1, ANN, HOUSE)),
        operation("k1", move(500, ANN, HOUSE), reason="other"),
        operation("k1", move(500, ANN, HOUSE), actor="other"),
        operation("k1", move(500, ANN, HOUSE), kind="other"),
    ):
        with pytest.raises(Refusal) as refused:
            await ledger.post(other)
        assert refused.value.code is Code.KEY_REUSED
    assert await balances(ledger.database) == before
    assert await count(ledger) == 3


@pytest.mark.req("LED-5")
async def test_key_of_an_operation_that_was_refused_is_still_free(ledger: Ledger) -> None:
    with pytest.raises(IntegrityError):
        await ledger.post(bet("k1", PURSE + 1))
    assert not (await ledger.post(bet("k1", 5))).is_repeat


@pytest.mark.req("LED-6")
@pytest.mark.req("LED-7")
async def test_replace_reverses_and_repeats_in_one_step(ledger: Ledger) -> None:
    paid = bet("k1", 500, HOUSE, ANN)
    await ledger.post(paid)
    await ledger.post(bet("spent", PURSE + 200))
    undone = operation("k1:reversal", *(posting.reversed() for posting in paid.postings))
    async with ledger.database.writing() as connection:  # Ann has 300 left, and could not give back 500 first
        await Book(connection).replace(undone, bet("k1:again", 400, HOUSE, ANN), AT_MS)
    assert (await ledger.balance(ANN)).balance == 200
    assert await count(ledger) == 6
    await check_books(ledger.database)


@pytest.mark.req("LED-6")
async def test_transaction_that_does_not_end_leaves_nothing(ledger: Ledger) -> None:
    before = await balances(ledger.database)
    for step in range(4):
        try:
            async with ledger.database.writing() as connection:
                book = Book(connection)
                await book.post(bet("k1", 500), AT_MS)
                if step:
                    await book.hold({ANN.id: 300})
                if step > 1:
                    await book.open_accounts([accounts.charity("EUR")])
                await connection.exec_driver_sql("SELECT * FROM no_such_table")
        except Exception as error:  # noqa: BLE001
            assert "no_such_table" in str(error)
    assert await balances(ledger.database) == before
    assert (await count(ledger), await count(ledger, "postings")) == (2, 3)


async def test_balances_of_many_accounts_are_read_at_once(ledger: Ledger) -> None:
    many = [accounts.player_cash(f"player-{number:05}", "EUR") for number in range(33_000)]
    async with ledger.database.writing() as connection:
        book = Book(connection)
        await book.open_accounts(many)
        found = await book.balances([account.id for account in (*many, accounts.charity("EUR"))])
    assert len(found) == 33_000
    assert set(found.values()) == {("EUR", 0, 0)}
    assert await ledger.balance(ANN) == ("EUR", PURSE, 0)
