"""Tips: moved once, never from held money, to the presenter on shift; `casino verify` checks them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from casino.chat.tips import Given, Tip, TipService
from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.responsible_gaming.player_limits import Kind
from casino.settings import TableSettings
from casino.storage.database import Database
from casino.storage.schema import safeguards
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.uth.phases import Phase
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import PURSE, BookedTable, balances, fill_purses
from tests.uth.tabletop import NOON_MS

pytestmark = pytest.mark.req("LED-5")

TABLE = TableSettings(id="uth-1", name="Table 1", dealing="presenter")


class Parlour:
    """Ann, Bob and Gus with their purses, and two presenters."""

    def __init__(self, database: Database, ids: dict[str, str]) -> None:
        self.database = database
        self.ids = ids
        self.jar = TipService(database)

    async def give(
        self, amount: int = 500, key: str = "k", *, by: str = "ann", to: str | None = "Pia", at: TableSettings = TABLE
    ) -> Given:
        return await self.jar.give(Tip(at.id, by, amount, key), to, at, NOON_MS)

    async def refusal(self, amount: int = 500, key: str = "k", **more: object) -> Code:
        before = await balances(self.database)
        with pytest.raises(Refusal) as refused:
            await self.give(amount, key, **more)  # type: ignore[arg-type]
        assert await balances(self.database) == before
        return refused.value.code

    async def in_jar(self, presenter: str, currency: str = "EUR") -> int:
        jar = (await balances(self.database)).get(accounts.tips(self.ids[presenter], currency).id)
        return jar.balance if jar else 0


@pytest.fixture
async def parlour(database: Database) -> AsyncIterator[Parlour]:
    await fill_purses(database)
    boss, ids = Actor("boss", "admin"), {}
    async with database.writing() as connection:
        for name in ("Pia", "Per"):
            user = await Users(connection).add(name, Role.PRESENTER, "EUR", password_hash=None, by=boss, at_ms=1)
            ids[name] = user.id
    yield Parlour(database, ids)
    findings = await verify(database)
    assert findings.tips.is_ok
    assert findings.accounts.is_ok


async def test_tip_goes_from_the_player_to_the_presenter_on_shift(parlour: Parlour) -> None:
    given = await parlour.give(500)
    assert (given.purse.balance, given.purse.available, given.is_repeat) == (PURSE - 500, PURSE - 500, False)
    assert await parlour.in_jar("Pia") == 500
    await parlour.give(300, "another", to="Per")
    assert (await parlour.in_jar("Pia"), await parlour.in_jar("Per")) == (500, 300)


async def test_repeated_tip_moves_once_after_a_change_of_presenter(parlour: Parlour) -> None:
    first = await parlour.give()
    for presenter in ("Pia", "Per", None):
        again = await parlour.give(to=presenter)
        assert again == Given(first.purse, is_repeat=True)
    assert (await parlour.in_jar("Pia"), await parlour.in_jar("Per")) == (500, 0)


async def test_tips_at_the_same_moment_under_one_key_are_one(parlour: Parlour) -> None:
    given = await asyncio.gather(*(parlour.give() for _ in range(5)))
    assert sorted(one.is_repeat for one in given) == [False, True, True, True, True]
    assert await parlour.in_jar("Pia") == 500


async def test_key_of_another_tip_is_refused_and_keys_are_the_players_own(parlour: Parlour) -> None:
    await parlour.give(500, "k")
    assert await parlour.refusal(600, "k") is Code.KEY_REUSED
    other = TableSettings(id="uth-2", name="Table 2", dealing="presenter")
    assert await parlour.refusal(500, "k", at=other) is Code.KEY_REUSED
    assert not (await parlour.give(600, "k", by="bob")).is_repeat


async def test_refusals_move_nothing(parlour: Parlour) -> None:
    assert await parlour.refusal(to=None) is Code.NO_PRESENTER
    assert await parlour.refusal(99) is Code.BELOW_MINIMUM
    assert await parlour.refusal(50_001) is Code.ABOVE_MAXIMUM
    rich = TABLE.model_copy(update={"limits": TABLE.limits.model_copy(update={"ante_max": 10**9})})
    assert await parlour.refusal(PURSE + 1, at=rich) is Code.INSUFFICIENT_FUNDS


@pytest.mark.req("RGP")
async def test_player_on_a_break_cannot_tip(parlour: Parlour) -> None:
    async with parlour.database.writing() as connection:
        row = {"player_id": "ann", "kind": Kind.TIME_OUT, "period": "", "value": NOON_MS + 1, "at_ms": NOON_MS}
        await connection.execute(safeguards.insert(), row)
    assert await parlour.refusal() is Code.LIMIT_REACHED
    await parlour.give(by="bob")


async def test_held_money_is_never_given_away(parlour: Parlour) -> None:
    table = await BookedTable.open(parlour.database)
    await table.do(table.bet("ann", 10_000))
    assert table.round.phase is Phase.BETTING
    await parlour.give(50_000, "first")
    assert await parlour.refusal(30_001) is Code.INSUFFICIENT_FUNDS
    assert (await parlour.give(30_000)).purse.available == 0


async def test_guest_tips_play_money_into_a_jar_of_its_own(parlour: Parlour) -> None:
    await parlour.give(500, by="gus")
    assert (await parlour.in_jar("Pia", "EUR"), await parlour.in_jar("Pia", "FUN")) == (0, 500)


@pytest.mark.req("LED-2")
async def test_tips_racing_for_one_purse_spend_it_once(parlour: Parlour) -> None:
    tries = await asyncio.gather(*(parlour.give(30_000, f"k{n}") for n in range(5)), return_exceptions=True)
    refused = [failure.code for failure in tries if isinstance(failure, Refusal)]
    assert refused == [Code.INSUFFICIENT_FUNDS] * 2
    assert await parlour.in_jar("Pia") == 90_000
    async with parlour.database.reading() as connection:
        purse = (await Book(connection).balances([accounts.player_cash_id("ann")])).popitem()[1]
    assert purse.balance == PURSE - 90_000


@pytest.mark.req("LED-3")
@pytest.mark.parametrize(
    "forged",
    [
        ("tip:ann:1", "tip", "bob", "table uth-1", "player"),  # signed by another
        ("tip:bob:1", "tip", "bob", "table uth-1", "player"),  # from another's purse
        ("tip:1", "tip", "ann", "table uth-1", "player"),  # a key of no player
        ("tip:ann:1", "tip", "ann", "", "player"),  # at no table
        ("gift:1", "gift", "boss", "", "house"),  # not a tip at all
        ("tip:ann:1", "tip", "ann", "table uth-1", "house"),  # from the house's account
    ],
)
async def test_tip_account_money_without_a_tip_is_found(
    database: Database, forged: tuple[str, str, str, str, str]
) -> None:
    await fill_purses(database)
    key, kind, actor, reason, source = forged
    jar = accounts.tips("pia", "EUR")
    giver = accounts.house("EUR") if source == "house" else accounts.player_cash("ann", "EUR")
    async with database.writing() as connection:
        book = Book(connection)
        await book.open_accounts([jar, giver])
        await book.post(Operation(key, kind, (move(500, giver, jar),), actor, reason), NOON_MS)
    findings = await verify(database)
    assert not findings.tips.is_ok
    assert findings.accounts.is_ok
