"""Deposits and withdrawals with a working provider: keys, limits, held money, races, notifications."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from casino.cashier.cashier import PENDING_MAX
from casino.cashier.payments import FIRST_RETRY_MS, RETRY_MS_MAX, Payment
from casino.cashier.provider import PlayMoney, Status, Verdict
from casino.errors import Code, Refusal
from casino.money import MINOR_MAX
from casino.settings import ServiceSettings
from casino.settings.service import Cashier as Bounds
from casino.settings.service import Guests
from casino.storage.database import Database
from tests.cashier.faulty import Fault, FaultyProvider
from tests.cashier.window import PURSE, Window
from tests.live_table.stored_rounds import BookedTable


@pytest.fixture
def window(database: Database) -> Window:
    return Window(database, PlayMoney())


async def code_of(asked: Awaitable[object]) -> Code:
    with pytest.raises(Refusal) as refused:
        await asked
    return refused.value.code


@pytest.mark.req("LED-5")
async def test_repeated_key_gives_the_first_answer_and_moves_nothing(window: Window) -> None:
    ann = await window.person()
    first = await window.cashier.deposit(ann, 500, "k")
    assert (first.status, first.balance, first.available) == (Status.SUCCEEDED, PURSE + 500, PURSE + 500)
    await window.cashier.withdraw(ann, 200, "other")
    for _ in range(3):
        assert await window.cashier.deposit(ann, 500, "k") == first
    assert await window.money(ann) == (PURSE + 300, PURSE + 300)
    assert await code_of(window.cashier.deposit(ann, 501, "k")) is Code.KEY_REUSED
    assert await code_of(window.cashier.withdraw(ann, 500, "k")) is Code.KEY_REUSED
    await window.verified()


async def test_key_is_the_players_own(window: Window) -> None:
    ann, bob = await window.person(), await window.person()
    await window.cashier.deposit(ann, 500, "k")
    assert (await window.cashier.deposit(bob, 700, "k")).balance == PURSE + 700


@pytest.mark.req("LED-2")
async def test_withdrawal_never_takes_held_money(window: Window) -> None:
    ann = await window.person()
    table = await BookedTable.open(window.database)
    await table.do(table.bet(ann.id, 4_000, 1_000))
    assert await window.money(ann) == (PURSE, 1_000)
    assert await code_of(window.cashier.withdraw(ann, 1_001, "k")) is Code.INSUFFICIENT_FUNDS
    paid = await window.cashier.withdraw(ann, 1_000, "k")
    assert (paid.balance, paid.available) == (9_000, 0)
    await table.do(table.bet(ann.id, 0))
    assert await window.money(ann) == (9_000, 9_000)


@pytest.mark.req("LED-2")
async def test_money_on_its_way_out_cannot_be_bet(database: Database) -> None:
    window = Window(database, FaultyProvider([Fault.SILENCE, Fault.REFUSED]))
    ann = await window.person()
    paid = await window.cashier.withdraw(ann, 9_000, "k")
    assert paid.status is Status.PENDING
    table = await BookedTable.open(database)
    refusal = await table.refusal(table.bet(ann.id, 600))
    assert refusal is not None
    assert refusal.code is Code.INSUFFICIENT_FUNDS
    window.now_ms += FIRST_RETRY_MS
    assert await window.cashier.retry_due() == 1
    assert await window.money(ann) == (PURSE, PURSE)
    await table.do(table.bet(ann.id, 600))


@pytest.mark.req("LED-2")
async def test_racing_withdrawals_spend_a_balance_once(window: Window) -> None:
    ann = await window.person()
    asked = [window.cashier.withdraw(ann, 2_500, f"k{number}") for number in range(10)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert {refusal.code for refusal in refused} == {Code.INSUFFICIENT_FUNDS}
    assert len(refused) == 6
    assert await window.money(ann) == (0, 0)
    await window.verified()


@pytest.mark.req("LED-5")
async def test_the_same_payment_asked_for_many_times_at_once_happens_once(window: Window) -> None:
    ann = await window.person()
    for kind in (window.cashier.deposit, window.cashier.withdraw):
        answers = await asyncio.gather(*(kind(ann, 500, kind.__name__) for _ in range(10)))
        assert len({answer.id for answer in answers}) == 1
    assert await window.money(ann) == (PURSE, PURSE)
    assert len(await window.cashier.payments(ann, 10)) == 2
    await window.verified()


async def test_payments_are_within_the_configured_bounds(window: Window) -> None:
    window.settings = ServiceSettings().model_copy(update={"cashier": Bounds(amount_min=100, amount_max=5_000)})
    window.cashier = window.opened()
    ann = await window.person()
    for pay in (window.cashier.deposit, window.cashier.withdraw):
        assert await code_of(pay(ann, 99, "k")) is Code.BELOW_MINIMUM
        assert await code_of(pay(ann, 5_001, "k")) is Code.ABOVE_MAXIMUM
        assert await code_of(pay(ann, MINOR_MAX, "k")) is Code.ABOVE_MAXIMUM
    assert await window.money(ann) == (PURSE, PURSE)
    assert await window.cashier.payments(ann, 10) == []


async def test_play_money_is_topped_up_within_bounds_and_never_withdrawn(window: Window) -> None:
    guest = await window.person("FUN", 999_000)
    assert (await window.cashier.deposit(guest, 1_000, "k1")).balance == 1_000_000
    assert await code_of(window.cashier.deposit(guest, 1, "k2")) is Code.ABOVE_MAXIMUM
    assert await code_of(window.cashier.withdraw(guest, 1, "k3")) is Code.FORBIDDEN


async def test_play_money_stays_play_money_when_its_currency_is_renamed(window: Window) -> None:
    old = await window.person("FUN", 999_000)
    window.settings = ServiceSettings().model_copy(update={"guests": Guests(currency="PLY")})
    window.reopen()
    assert not window.cashier.may_withdraw(old)
    assert await code_of(window.cashier.withdraw(old, 1, "k1")) is Code.FORBIDDEN
    assert await code_of(window.cashier.deposit(old, 1_001, "k2")) is Code.ABOVE_MAXIMUM
    assert (await window.cashier.deposit(old, 1_000, "k3")).balance == 1_000_000


async def test_real_money_stays_real_when_the_configured_currency_changes(window: Window) -> None:
    """Before, every account in another currency than the configured one counted as play money."""
    ann = await window.person("EUR", 5_000)
    service = window.settings.service.model_copy(update={"currency": "USD"})
    window.settings = window.settings.model_copy(update={"service": service})
    window.reopen()
    assert window.cashier.may_withdraw(ann)
    assert (await window.cashier.withdraw(ann, 5_000, "k1")).balance == 0


async def test_without_a_named_provider_only_play_money_is_paid(database: Database) -> None:
    window = Window(database, None)
    ann, guest = await window.person("EUR", 5_000), await window.person("FUN", 5_000)
    assert await code_of(window.cashier.deposit(ann, 100, "k1")) is Code.FORBIDDEN
    assert await code_of(window.cashier.withdraw(ann, 100, "k2")) is Code.FORBIDDEN
    assert await window.money(ann) == (5_000, 5_000)
    assert (await window.cashier.deposit(guest, 100, "k3")).balance == 5_100


async def test_pending_payment_waits_while_no_provider_is_named(database: Database) -> None:
    window = Window(database, FaultyProvider([Fault.EXCEPTION]))
    ann = await window.person("EUR", 5_000)
    payment = await window.cashier.withdraw(ann, 5_000, "k1")
    assert payment.status is Status.PENDING
    window.provider = None
    window.reopen()
    assert payment.retry_ms is not None
    window.now_ms = payment.retry_ms
    assert await window.cashier.retry_due() == 1
    assert (await window.cashier.withdraw(ann, 5_000, "k1")).status is Status.PENDING
    assert await window.money(ann) == (0, 0)


async def test_retries_back_off_and_never_end(database: Database) -> None:
    window = Window(database, FaultyProvider([Fault.EXCEPTION] * 12))
    ann = await window.person()
    payment = await window.cashier.deposit(ann, 500, "k")
    waits = []
    while payment.status is Status.PENDING:
        assert payment.retry_ms is not None
        waits.append(payment.retry_ms - window.now_ms)
        window.now_ms = payment.retry_ms - 1
        assert await window.cashier.retry_due() == 0
        window.now_ms += 1
        assert await window.cashier.retry_due() == 1
        payment = (await window.cashier.payments(ann, 1))[0]
    assert waits == sorted(waits)
    assert (waits[0], waits[-1], len(waits)) == (FIRST_RETRY_MS, RETRY_MS_MAX, 12)
    assert await window.money(ann) == (PURSE + 500, PURSE + 500)


async def test_unfinished_payments_of_one_player_are_bounded(database: Database) -> None:
    window = Window(database, FaultyProvider([Fault.SLOW]))
    ann = await window.person()
    for number in range(PENDING_MAX):
        await window.cashier.deposit(ann, 1, f"k{number}")
    assert await code_of(window.cashier.deposit(ann, 1, "one more")) is Code.RATE_LIMITED
    assert (await window.cashier.deposit(ann, 1, "k0")).status is Status.SUCCEEDED, "asked for again, it is known"


async def test_players_are_notified_when_their_money_moves(database: Database) -> None:
    window = Window(database, FaultyProvider([Fault.SLOW]))
    ann = await window.person()
    paid = await window.cashier.withdraw(ann, 1_000, "k1")
    assert window.changes == [(ann.id, PURSE - 1_000, PURSE - 1_000)]
    await window.cashier.confirm(paid.id, Verdict(Status.FAILED))
    assert window.changes[1:] == [(ann.id, PURSE, PURSE)]
    paid = await window.cashier.deposit(ann, 1_000, "k2")
    assert len(window.changes) == 2, "nothing has come in yet"
    await window.cashier.confirm(paid.id, Verdict(Status.SUCCEEDED))
    assert window.changes[2:] == [(ann.id, PURSE + 1_000, PURSE + 1_000)]


async def test_unknown_payment_cannot_be_confirmed(window: Window) -> None:
    assert await code_of(window.cashier.confirm("nobody's", Verdict(Status.SUCCEEDED))) is Code.NOT_FOUND


async def test_payments_are_paged_newest_first_and_only_the_own(window: Window) -> None:
    ann, bob = await window.person(), await window.person()
    kinds: list[Callable[..., Awaitable[object]]] = [window.cashier.deposit, window.cashier.withdraw]
    for number in range(7):
        window.now_ms += number % 3 * 1_000  # some in the same moment
        await kinds[number % 2](ann, 100 + number, f"k{number}")
    other = await window.cashier.deposit(bob, 100, "k")
    everything = await window.cashier.payments(ann, 100)
    assert [p.asked_ms for p in everything] == sorted((p.asked_ms for p in everything), reverse=True)
    paged: list[Payment] = []
    before = None
    while page := await window.cashier.payments(ann, 2, before):
        paged += page
        before = page[-1].id
    assert paged == everything
    assert len({payment.id for payment in paged}) == 7
    assert await code_of(window.cashier.payments(ann, 2, other.id)) is Code.BAD_REQUEST
