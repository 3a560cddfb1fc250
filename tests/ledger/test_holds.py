"""Holds: captured or released, each at most once."""

import pytest
from sqlalchemy.exc import IntegrityError

from casino.ledger import accounts
from casino.ledger.book import Book, Holds
from tests.ledger.invariants import check_books
from tests.ledger.purses import ANN, AT_MS, BOB, GUS, PURSE, Ledger


@pytest.fixture
async def held(ledger: Ledger) -> Ledger:
    """Two rounds; Ann has bet in both."""
    await ledger.open_round("r1")
    await ledger.open_round("r2")
    await ledger.hold("r1", {"ann": 500, "bob": 300, "gus": 200})
    await ledger.hold("r2", {"ann": 700})
    return ledger


async def test_held_money_is_still_the_players_but_not_to_be_spent(held: Ledger) -> None:
    assert await held.balance(ANN) == ("EUR", PURSE, 1_200)
    assert (await held.balance(ANN)).available == PURSE - 1_200
    await check_books(held.database)


async def test_new_total_replaces_the_old_one(held: Ledger) -> None:
    for total in (900, 100, 500):
        await held.hold("r1", {"ann": total})
        assert (await held.balance(ANN)).held == total + 700
        await check_books(held.database)


@pytest.mark.req("LED-2")
async def test_holds_beyond_the_balance_are_refused_and_leave_no_bet(held: Ledger) -> None:
    before = await held.hold_states()
    with pytest.raises(IntegrityError):
        await held.hold("r1", {"bob": 400, "ann": PURSE - 700 + 1, "gus": 300})
    assert await held.hold_states() == before
    await held.hold("r1", {"ann": PURSE - 700})
    assert (await held.balance(ANN)).available == 0
    await check_books(held.database)


@pytest.mark.req("LED-4")
async def test_released_hold_is_free_again_and_may_be_placed_again(held: Ledger) -> None:
    await held.hold("r1", {"ann": 0})
    assert (await held.hold_states())["r1", "ann"] == (500, "released")
    assert (await held.balance(ANN)).held == 700
    await held.hold("r1", {"ann": 0})
    assert (await held.balance(ANN)).held == 700, "releasing it again releases nothing"
    await held.hold("r1", {"ann": 600})
    assert (await held.hold_states())["r1", "ann"] == (600, "open")
    await check_books(held.database)


@pytest.mark.req("LED-4")
async def test_capture_moves_what_was_held_and_holds_it_no_longer(held: Ledger) -> None:
    captured = await held.capture("r1")
    assert captured == [("ann", "EUR", 500), ("bob", "EUR", 300), ("gus", "FUN", 200)]
    assert await held.balance(ANN) == ("EUR", PURSE - 500, 700)
    assert await held.balance(GUS) == ("FUN", PURSE - 200, 0)
    assert (await held.balance(accounts.escrow("r1", "EUR"))).balance == 800
    assert (await held.balance(accounts.escrow("r1", "FUN"))).balance == 200
    assert {state for (round_id, _), (_, state) in (await held.hold_states()).items() if round_id == "r1"} == {
        "captured"
    }
    await check_books(held.database)


@pytest.mark.req("LED-4")
async def test_captured_hold_can_neither_be_released_nor_changed_nor_captured_again(held: Ledger) -> None:
    await held.capture("r1")
    before = await held.hold_states()
    await held.release("r1")
    with pytest.raises(IntegrityError):
        await held.hold("r1", {"ann": 600})
    with pytest.raises(AssertionError, match="moves something"):
        await held.capture("r1")
    assert await held.hold_states() == before
    assert await held.balance(ANN) == ("EUR", PURSE - 500, 700)
    await check_books(held.database)


@pytest.mark.req("LED-4")
async def test_release_ends_every_hold_of_its_round_and_no_other(held: Ledger) -> None:
    for _ in range(3):
        await held.release("r1")
    assert await held.hold_states() == {
        ("r1", "ann"): (500, "released"),
        ("r1", "bob"): (300, "released"),
        ("r1", "gus"): (200, "released"),
        ("r2", "ann"): (700, "open"),
    }
    assert await held.balance(BOB) == ("EUR", PURSE, 0)
    await check_books(held.database)


@pytest.mark.req("LED-4")
@pytest.mark.req("LED-5")
async def test_capture_that_is_repeated_moves_nothing(held: Ledger) -> None:
    """The same closing of bets stored once more, by a caller without a reply to the first one."""
    await held.capture("r1")
    async with held.database.reading() as connection:
        assert await Holds(connection, Book(connection), "r1").open() == []
    assert await held.balance(ANN) == ("EUR", PURSE - 500, 700)


async def test_more_players_than_one_statement_has_room_for_can_leave_at_once(ledger: Ledger) -> None:
    players = [f"player-{number:05}" for number in range(33_000)]
    await ledger.open_round("r1")
    async with ledger.database.writing() as connection:
        book = Book(connection)
        await book.open_accounts(accounts.player_cash(player, "EUR") for player in players)
        await Holds(connection, book, "r1").place(dict.fromkeys(players, 0), {}, {}, AT_MS)
    assert await ledger.hold_states() == {}
