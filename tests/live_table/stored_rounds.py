"""Round played through the books: as in `tabletop`, but every step is a transaction."""

from dataclasses import dataclass

from sqlalchemy import select

from casino.cards.card import parse_cards
from casino.errors import Refusal
from casino.ledger import accounts
from casino.ledger.book import Balance, Book
from casino.ledger.posting import Operation, move
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Answer, Request
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import Advance, Command, DealCard, Decide, OpenBetting, PlaceBet
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.terms import Terms
from tests.uth.tabletop import NOON_MS, SHARED, hands

PURSE = 100_000
PLAYERS = {"ann": "EUR", "bob": "EUR", "gus": "FUN"}


async def fill_purses(database: Database, players: dict[str, str] | None = None, amount: int = PURSE) -> None:
    """Give every player money from outside, in the own currency."""
    players = players or PLAYERS
    async with database.writing() as connection:
        book = Book(connection)
        for currency in sorted(set(players.values())):
            cashier = accounts.cashier(currency)
            purses = [accounts.player_cash(player, owned) for player, owned in players.items() if owned == currency]
            await book.open_accounts([cashier, *purses])
            credit = tuple(move(amount, cashier, purse) for purse in purses)
            await book.post(Operation(f"seed:{currency}", "credit", credit, "test"), NOON_MS)


@dataclass
class BookedTable:
    database: Database
    unit_of_work: TableUnitOfWork
    round: Round
    now_ms: int = NOON_MS

    @classmethod
    async def open(
        cls,
        database: Database,
        terms: Terms = SHARED,
        *,
        round_id: str = "r1",
        at_ms: int = NOON_MS,
        table: str = "uth-1",
    ) -> "BookedTable":
        unit_of_work = await TableUnitOfWork.of(database, table)
        round_ = await unit_of_work.open_round(OpenBetting(round_id, table, terms), at_ms)
        return cls(database, unit_of_work, round_, at_ms)

    async def ask(self, *commands: Command) -> list[Answer]:
        handled = await self.unit_of_work.commit(self.round, [Request(command, self.now_ms) for command in commands])
        self.round = handled.round
        return handled.answers

    async def do(self, *commands: Command) -> None:
        for answer in await self.ask(*commands):
            if answer.refusal:
                raise answer.refusal

    async def refusal(self, command: Command) -> Refusal | None:
        return (await self.ask(command))[0].refusal

    def bet(self, player: str, ante: int, trips: int = 0) -> PlaceBet:
        return PlaceBet(self.round.round_id, player, ante, trips, available_minor=0)

    def answer(self, player: str, action: Action) -> Decide:
        return Decide(self.round.round_id, player, action, available_minor=0)

    async def deal(self, text: str) -> None:
        await self.do(*(DealCard(self.round.round_id, card) for card in parse_cards(text)))

    async def time_out(self) -> None:
        assert self.round.due_ms is not None
        self.now_ms = self.round.due_ms
        await self.do(Advance())

    async def play_to(self, phase: Phase, deal: str = "As Kd | 7h 7c 2s Jd 3c | Qh Qd") -> None:
        """Ann, Bob and Gus bet and check their way to this phase."""
        player, board, dealer = hands(deal)
        await self.do(self.bet("ann", 500), self.bet("bob", 1000, 300), self.bet("gus", 200, 200))
        if phase is Phase.BETTING:
            return
        await self.time_out()
        for street in (player, board[:3], board[3:], dealer):
            if self.round.phase is phase:
                return
            await self.deal(" ".join(street))
            if self.round.phase is phase:
                return
            await self.time_out()
        assert self.round.phase is phase


async def balances(database: Database) -> dict[str, Balance]:
    table = schema.accounts
    async with database.reading() as connection:
        rows = await connection.execute(select(table.c.id, table.c.currency, table.c.balance, table.c.held))
        return {row.id: Balance(row.currency, row.balance, row.held) for row in rows}


async def purse(database: Database, player: str) -> Balance:
    return (await balances(database))[accounts.player_cash_id(player)]


async def statuses(database: Database) -> dict[str, str]:
    async with database.reading() as connection:
        return {row.id: row.status for row in await connection.execute(select(schema.rounds))}
