"""Random rounds at one table on real books: bets, changes, decisions, pauses, corrections.

Everything is said aloud, first what is asked and then, once it is stored, what was answered: whoever listens knows
what had been acknowledged when the voice broke off. Time is made up, so that a round of a minute takes no time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sqlalchemy import func, select

from casino.cards.card import DECK, Card
from casino.errors import Refusal
from casino.ledger import accounts
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Answer, Request
from casino.storage import schema
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.uth.bets import Action
from casino.uth.commands import (
    Advance,
    ApproveProposal,
    CancelRound,
    Command,
    CorrectCard,
    CorrectRound,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    ReportProblem,
    Resume,
    UndoCard,
    VoidBetting,
    WithdrawBet,
)
from casino.uth.paytable import STANDARD
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.terms import Layout, Terms
from tests.uth.tabletop import CONFIRMED, LIMITS, NOON_MS, SHARED

Say = Callable[..., None]

TERMS = {"uth-1": SHARED, "uth-2": Terms(Layout.OWN, LIMITS, STANDARD, CONFIRMED)}
"""Two tables for the same players: one hand for all, dealt by a machine; own hands, scanned card by card."""

PURSES = {f"p{number}": ("FUN" if number % 3 == 0 else "EUR", 5_000 * number**3) for number in range(1, 8)}
"""Currency and money of each player; the first cannot afford much."""


COUNTED = ("p2", "p7")
"""They have limited their losses, beyond all they could lose: so every loss of theirs is counted."""


async def fill_purses(database: Database) -> None:
    """Once: the key of the credit sees to that."""
    async with database.writing() as connection:
        book = Book(connection)
        purses = {player: accounts.player_cash(player, currency) for player, (currency, _) in PURSES.items()}
        await book.open_accounts([*purses.values(), accounts.cashier("EUR"), accounts.cashier("FUN")])
        credits_ = [move(PURSES[p][1], accounts.cashier(purse.currency), purse) for p, purse in purses.items()]
        await book.post(Operation("purses", "credit", tuple(credits_), "test"), NOON_MS)
        people = [(p, p, p, "player", currency, 0, int(currency == "FUN")) for p, (currency, _) in PURSES.items()]
        columns: tuple[str, ...] = ("id", "name", "name_folded", "role", "currency", "created_ms", "play_money")
        await insert_rows(connection, schema.users, columns, people, or_else="ON CONFLICT (id) DO NOTHING")
        limits = [(player, "loss", "day", 10**12, 0) for player in COUNTED]
        columns = ("player_id", "kind", "period", "value", "at_ms")
        await insert_rows(connection, schema.safeguards, columns, limits, or_else="ON CONFLICT DO NOTHING")


async def latest_ms(database: Database) -> int:
    """The last moment anything was written down."""
    async with database.reading() as connection:
        last = (await connection.execute(select(func.max(schema.journal.c.at_ms)))).scalar_one_or_none()
    return max(last or 0, NOON_MS)


@dataclass
class RandomDealer:
    database: Database
    keeper: TableUnitOfWork
    table_id: str
    chance: Random
    say: Say
    now_ms: int
    round: Round | None = None
    deck: Sequence[Card] = ()

    async def play_round(self) -> None:
        self.now_ms += 5_000
        number = self.now_ms // 1000 - NOON_MS // 1000
        round_id = f"{self.table_id}-{number}"
        self.deck = self.chance.sample(DECK, 52)
        command = OpenBetting(round_id, self.table_id, TERMS[self.table_id])
        self.say("opening", self.table_id, round_id)
        self.round = await self.keeper.open_round(command, self.now_ms, sealed_shoe=" ".join(self.deck))
        self.say("opened", self.table_id, round_id)
        await self._bet()
        await self.finish_round()

    async def go_on(self, round_: Round) -> None:
        """Play a round to its end that was found unfinished, from the same shoe."""
        shoe = select(schema.rounds.c.sealed_shoe).where(schema.rounds.c.id == round_.round_id)
        async with self.database.reading() as connection:
            self.deck = [Card(card) for card in (await connection.execute(shoe)).scalar_one().split()]
        self.round = round_
        await self.finish_round()

    async def finish_round(self) -> None:
        while not self._live.is_over:
            if self._live.paused or self.chance.random() < 0.06:
                await self._interrupt()
            elif self._live.expects:
                await self._deal()
            elif self._live.is_deciding:
                await self._decide()
            else:
                await self._wait()
        if self._live.phase is Phase.SETTLED and self.chance.random() < 0.3:
            await self._correct()

    @property
    def _live(self) -> Round:
        assert self.round is not None
        return self.round

    async def ask(self, *requests: Request | Command) -> list[Answer]:
        asked = [r if isinstance(r, Request) else Request(r, self.now_ms) for r in requests]
        before = self._live
        self.say("asking", self.table_id, before.round_id, [_plain(before, r.command) for r in asked])
        try:
            handled = await self.keeper.commit(before, asked)
        except Refusal as refusal:
            self.say("refused", self.table_id, before.round_id, refusal.code)
            return []
        self.round = handled.round
        accepted = [
            _plain(before, request.command)
            for request, answer in zip(asked, handled.answers, strict=True)
            if answer.refusal is None
        ]
        self.say("answered", self.table_id, before.round_id, handled.round.phase, self.keeper.head[:2], accepted)
        return handled.answers

    async def _wait(self) -> None:
        assert self._live.due_ms is not None, self._live
        self.now_ms = max(self.now_ms, self._live.due_ms)
        await self.ask(Advance())

    async def _bet(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            self.now_ms += 500
            players = self.chance.sample(sorted(PURSES), self.chance.randint(1, len(PURSES)))
            await self.ask(*(self._bet_of(player) for player in players))
        self.now_ms += 500
        outcome = self.chance.random()
        if outcome < 0.1:
            await self.ask(VoidBetting("the server stops"))
        elif outcome < 0.4:
            assert self._live.due_ms is not None
            late = Request(Advance(), self._live.due_ms)
            self.now_ms = late.at_ms
            await self.ask(Request(self._bet_of("p7"), late.at_ms - 1), late)

    def _bet_of(self, player: str) -> Command:
        if self.chance.random() < 0.1:
            return WithdrawBet(player)
        ante = 100 * self.chance.choice((0, 2, 3, 5, 10, 20))
        trips = 100 * self.chance.choice((0, 0, 1, 5)) if ante else 0
        return PlaceBet(self._live.round_id, player, ante, trips, 0, seat_no=int(player[1:]))

    async def _deal(self) -> None:
        next_card, street = len(self._live.cards), self.chance.choice((1, 2, 9))
        cards = self.deck[next_card : next_card + street]
        await self.ask(*(DealCard(self._live.round_id, card) for card in cards))
        if self._live.is_street_complete and self.chance.random() < 0.3:
            await self.ask(UndoCard(self._live.round_id))

    async def _decide(self) -> None:
        for _ in range(self.chance.randint(0, 3)):
            if not self._live.is_deciding or self._live.paused:
                return
            self.now_ms += 500
            players = self.chance.sample(sorted(self._live.seats), self.chance.randint(1, len(self._live.seats)))
            actions = list(Action)
            await self.ask(
                *(
                    Decide(self._live.round_id, player, self.chance.choice(actions), 0, self._live.phase)
                    for player in players
                )
            )
        if self._live.is_deciding:
            await self._wait()

    async def _interrupt(self) -> None:
        if not self._live.paused:
            await self.ask(ReportProblem("a card fell down", "presenter:eve"))
        if self._live.cards and self.chance.random() < 0.5:
            slot = self.chance.choice(self._live.slots[: len(self._live.cards)])
            await self.ask(CorrectCard(self._live.round_id, slot, self._spare_card(), "misread", "manager:max"))
            if self._live.proposal and self.chance.random() < 0.7:
                await self.ask(ApproveProposal(self._live.proposal.proposal_id, "manager:mia"))
        self.now_ms += 1000
        outcome = self.chance.random()
        if outcome < 0.2:
            await self.ask(CancelRound("it cannot go on", "manager:max"))
        else:
            await self.ask(Resume("manager:max", "solved"))

    async def _correct(self) -> None:
        for _ in range(self.chance.randint(1, 2)):
            slot = self.chance.choice(self._live.slots)
            cards = ((slot, self._spare_card()),)
            await self.ask(CorrectRound(cards, "seen on the recording", "manager:max"))

    def _spare_card(self) -> Card:
        """None of those that may still be dealt: 21 at most."""
        return self.chance.choice([card for card in self.deck[25:] if card not in self._live.cards])


def _plain(round_: Round, command: Command) -> list[Any]:
    """The request, as far as its loss could be noticed later."""
    match command:
        case PlaceBet(player_id=player, ante=ante, trips=trips):
            return ["bet", player, 2 * ante + trips]
        case WithdrawBet(player_id=player):
            return ["bet", player, 0]
        case Decide(player_id=player, action=action):
            return ["decision", player, round_.phase, action]
        case _:
            return [type(command).__name__]
