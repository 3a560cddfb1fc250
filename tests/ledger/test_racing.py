"""Concurrent spending of the same money through the book: available money is spent once."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import move
from casino.storage import schema
from tests.ledger.invariants import check_books
from tests.ledger.purses import ANN, BOB, HOUSE, PURSE, Ledger, bet, operation

TASKS = 100


async def successes(attempt: Callable[[int], Awaitable[object]]) -> int:
    """How many of a hundred at once get through; the others must be refused by the database."""
    outcomes = await asyncio.gather(*(attempt(number) for number in range(TASKS)), return_exceptions=True)
    failures = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert all(isinstance(failure, IntegrityError) for failure in failures), failures
    return TASKS - len(failures)


@pytest.mark.req("LED-2")
async def test_hundred_concurrent_holds_of_the_balance_succeed_once(ledger: Ledger) -> None:
    assert await successes(lambda number: ledger.post(bet(f"k{number}", PURSE))) == 1
    assert (await ledger.balance(ANN)).balance == 0
    assert (await ledger.balance(HOUSE)).balance == PURSE
    await check_books(ledger.database)


@pytest.mark.req("LED-2")
async def test_hundred_concurrent_holds_of_a_seventh_succeed_seven_times(ledger: Ledger) -> None:
    assert await successes(lambda number: ledger.post(bet(f"k{number}", PURSE // 7))) == 7
    assert (await ledger.balance(ANN)).balance == PURSE % 7
    await check_books(ledger.database)


@pytest.mark.req("LED-2")
async def test_a_hundred_rounds_cannot_hold_the_same_money(ledger: Ledger) -> None:
    for number in range(TASKS):
        await ledger.open_round(f"r{number}")
    assert await successes(lambda number: ledger.hold(f"r{number}", {"ann": PURSE // 3})) == 3
    assert (await ledger.balance(ANN)).available == PURSE % 3
    await check_books(ledger.database)


@pytest.mark.req("LED-2")
async def test_spending_and_holding_race_for_the_same_money(ledger: Ledger) -> None:
    for number in range(TASKS):
        await ledger.open_round(f"r{number}")

    def spend_or_hold(number: int) -> Awaitable[object]:
        return ledger.post(bet(f"k{number}", PURSE)) if number % 2 else ledger.hold(f"r{number}", {"ann": PURSE})

    assert await successes(spend_or_hold) == 1
    assert (await ledger.balance(ANN)).available == 0
    await check_books(ledger.database)


@pytest.mark.req("LED-5")
async def test_hundred_requests_with_one_key_move_money_once_and_get_the_same_reply(ledger: Ledger) -> None:
    posted = await asyncio.gather(*(ledger.post(bet("k", 500), at_ms) for at_ms in range(TASKS)))
    assert len({(one.operation_id, one.at_ms) for one in posted}) == 1
    assert sum(not one.is_repeat for one in posted) == 1
    assert (await ledger.balance(ANN)).balance == PURSE - 500
    await check_books(ledger.database)


@pytest.mark.req("LED-5")
async def test_a_hundred_with_one_key_and_two_inputs_agree_on_the_first(ledger: Ledger) -> None:
    wishes = [bet("k", 500 + number % 2) for number in range(TASKS)]
    outcomes = await asyncio.gather(*(ledger.post(wish) for wish in wishes), return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
    assert {refusal.code for refusal in refused} == {Code.KEY_REUSED}
    assert len(refused) == TASKS // 2
    assert (await ledger.balance(ANN)).balance in (PURSE - 500, PURSE - 501)
    await check_books(ledger.database)


@pytest.mark.req("LED-3")
async def test_crossing_operations_all_get_through(ledger: Ledger) -> None:
    """They touch the same accounts in either order, and none waits for another for ever."""

    def crossing(number: int) -> Awaitable[object]:
        steps = (move(5, ANN, HOUSE), move(7, HOUSE, BOB), move(3, BOB, HOUSE), move(4, HOUSE, ANN))
        return ledger.post(operation(f"k{number}", *(steps if number % 2 else steps[::-1])))

    assert await successes(crossing) == TASKS
    assert (await ledger.balance(ANN)).balance == PURSE - TASKS
    assert (await ledger.balance(BOB)).balance == PURSE + 4 * TASKS
    await check_books(ledger.database)


async def test_account_opened_concurrently_is_opened_once_without_an_error(ledger: Ledger) -> None:
    """The first bets of a currency at several tables: each opens the account of the house in it."""

    async def open_one(number: int) -> None:
        async with ledger.database.writing() as connection:
            await Book(connection).open_accounts([accounts.house(f"C{number // 10:02}")])

    await asyncio.gather(*(open_one(number) for number in range(TASKS)))
    async with ledger.database.reading() as connection:
        opened = select(func.count()).where(schema.accounts.c.id.startswith("house:C"))
        assert await connection.scalar(opened) == TASKS // 10
