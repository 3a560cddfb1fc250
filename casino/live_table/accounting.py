"""One batch of commands, one transaction: journal, holds, postings, round status and audit log together.

Nothing is acknowledged before it is stored: whoever asked hears the answer only after `handle` returns. If storing
fails, nothing has happened, and the caller still holds the round as it was and may ask again. Should the database
fall silent during the commit itself and stay so, nobody knows what happened. What was to be stored is kept then, and
nothing else is stored before the journal has told: `certainty` asks it.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.clock import utc_day
from casino.crash import crash_point
from casino.errors import Code, Refusal
from casino.ledger import accounts
from casino.ledger.book import Balance, Book, Posted
from casino.ledger.holds import Holds
from casino.ledger.posting import net_changes
from casino.people.protection import losses
from casino.people.protection.safeguards import Safeguard, safeguards_of
from casino.storage import schema
from casino.storage.bulk import insert_rows
from casino.storage.chain import ForkedChainError, Head
from casino.storage.database import Database, is_lost_race
from casino.table import journal, settling, stakes
from casino.table.batch import Answer, Batch, Request, Step, bettors_in, players_in
from casino.uth.commands import OpenBetting
from casino.uth.events import (
    BettingClosed,
    BettingVoided,
    CardCorrected,
    Event,
    IncidentClassified,
    RoundCancelled,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
)
from casino.uth.results import results
from casino.uth.round import begin, open_round
from casino.uth.state import Round

STATUS_AFTER: Final[Mapping[type, str]] = {
    BettingVoided: "void",
    RoundSettled: "settled",
    RoundCancelled: "cancelled",
    RoundCorrected: "corrected",
}
LOST_RACES_MAX: Final = 5
"""How often a batch is tried again when PostgreSQL has put another transaction before it."""

_Audited = RoundPaused | IncidentClassified | RoundResumed | CardCorrected | RoundCancelled | RoundCorrected

Beside = Callable[[AsyncConnection], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Handled:
    """`balances` of those who asked, where they are known already."""

    round: Round
    answers: list[Answer]
    balances: Mapping[str, Balance] | None


class Doubt(NamedTuple):
    """Where the journal ends if the commit that broke off was stored, and what has happened then."""

    head: Head
    handled: Handled


class Bookkeeper:
    """The only writer of one table's rounds. A second one for the same table is found out by the journal's head."""

    def __init__(self, database: Database, table_id: str, head: Head) -> None:
        self._database = database
        self._table_id = table_id
        self._head = head
        self._doubt: Doubt | None = None

    @classmethod
    async def of(cls, database: Database, table_id: str) -> "Bookkeeper":
        async with database.writing(for_table=True) as connection:
            return cls(database, table_id, await journal.locked_head(connection, table_id))

    @property
    def head(self) -> Head:
        """Where the journal of the table ends, as far as this writer knows."""
        return self._head

    @property
    def is_in_doubt(self) -> bool:
        return self._doubt is not None

    async def certainty(self) -> Handled | None:
        """What was in doubt and has been stored after all; None if nothing was, or it never happened."""
        if self._doubt is None:
            return None
        async with self.writing() as connection:
            found = await journal.locked_head(connection, self._table_id)  # it waits for what is still on its way
        doubt, self._doubt = self._doubt, None
        if found != doubt.head:
            return None
        self._head = found
        return doubt.handled

    async def open_round(
        self, command: OpenBetting, at_ms: int, *, presenter: str | None = None, sealed_shoe: str | None = None
    ) -> Round:
        opened = open_round(command, at_ms)
        async with self._page() as page:
            await page.connection.execute(
                schema.rounds.insert().values(
                    id=command.round_id,
                    table_id=self._table_id,
                    day=utc_day(at_ms),
                    game_number=opened.game_number,
                    status="open",
                    started_ms=at_ms,
                    presenter=presenter,
                    sealed_shoe=sealed_shoe,
                )
            )
            crash_point("opening_round")
            await page.write([(command.round_id, opened)])
            page.handled = Handled(begin(opened), [], None)
        crash_point("round_opened")
        return begin(opened)

    async def balances(self, players: Sequence[str]) -> dict[str, Balance]:
        """What these players have, as it stands."""
        async with self.reading() as connection:
            return await _balances(Book(connection), players)

    async def note(self, entry: audit_log.Entry, at_ms: int) -> None:
        """What happened around the rounds, for the audit log alone."""
        async with self.writing() as connection:
            await audit_log.write(connection, entry, at_ms)

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Also for what belongs to the table and not to its rounds: nobody else's requests stand before it."""
        return self._database.reading(for_table=True)

    def writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._database.writing(for_table=True)

    async def sealed_shoe(self, round_id: str) -> str | None:
        rounds = schema.rounds
        async with self.reading() as connection:
            sealed: str | None = await connection.scalar(select(rounds.c.sealed_shoe).where(rounds.c.id == round_id))
            return sealed

    async def handle(self, round_: Round, requests: Sequence[Request], beside: Beside | None = None) -> Handled:
        """Decide the requests in their order and store what follows; each is answered on its own.

        `beside` is stored in the same transaction, if anything is; a refusal of it undoes the whole.
        """
        for _ in range(LOST_RACES_MAX):
            try:
                return await self._handle(round_, requests, beside)
            except DBAPIError as error:
                if not is_lost_race(error):
                    raise
        return await self._handle(round_, requests, beside)

    async def _handle(self, round_: Round, requests: Sequence[Request], beside: Beside | None) -> Handled:
        async with self._page() as page:
            book = Book(page.connection)
            balances = await _balances(book, players_in(round_, requests))
            batch = Batch(round_, balances, await _safeguards(page.connection, round_, requests))
            for request in requests:
                batch.take(request)
            crash_point("batch_decided")
            if batch.events:
                await _Store(page, book, batch, requests[-1].at_ms).all()
                if beside:
                    await beside(page.connection)
            page.handled = Handled(batch.round, batch.answers, batch.left())
            crash_point("batch_stored_not_committed")
        crash_point("batch_committed")
        return page.handled

    @asynccontextmanager
    async def _page(self) -> AsyncIterator["_Page"]:
        """One transaction. If its commit breaks off, the journal says whether it was stored all the same."""
        if await self.certainty():
            raise ForkedChainError(f"the journal of {self._table_id} has moved on meanwhile")
        page = None
        try:
            async with self.writing() as connection:
                page = _Page(connection, self._table_id, self._head)
                yield page
        except (DBAPIError, OSError):
            if page is None or page.handled is None:
                raise
            if page.head != self._head:
                self._doubt = Doubt(page.head, page.handled)
                if await self.certainty() is None:
                    raise
        assert page is not None
        self._head = page.head


@dataclass(slots=True)
class _Page:
    """What one transaction writes into the journal of a table."""

    connection: AsyncConnection
    table_id: str
    head: Head
    handled: Handled | None = None  # all that was to be done, once it is done

    async def write(self, events: Sequence[tuple[str, Event]]) -> None:
        self.head = await journal.append(self.connection, self.table_id, self.head, events)


async def _balances(book: Book, players: Sequence[str]) -> dict[str, Balance]:
    ids = {accounts.player_cash_id(player_id): player_id for player_id in players}
    found = await book.balances(list(ids))
    return {ids[id_]: balance for id_, balance in found.items()}


async def _safeguards(
    connection: AsyncConnection, round_: Round, requests: Sequence[Request]
) -> dict[str, list[Safeguard]]:
    """Read when the accounts are locked already: so no other table takes a bet of the same player meanwhile. What is
    lost counts on the day the round began, so a bet after midnight is held against the day before, too."""
    bettors = bettors_in(requests)
    if not bettors:
        return {}
    bet_ms, lost_ms = requests[-1].at_ms, round_.started_ms
    return await safeguards_of(connection, bettors, bet_ms, lost_ms=lost_ms, beside_round=round_.round_id)


class _Store:
    """Writes one decided batch, step by step, into the open transaction."""

    def __init__(self, page: _Page, book: Book, batch: Batch, at_ms: int) -> None:
        self._page = page
        self._connection = page.connection
        self._book = book
        self._holds = Holds(page.connection, book, batch.round.round_id)
        self._batch = batch
        self._round = batch.round
        self._at_ms = at_ms

    async def all(self) -> None:
        if self._batch.bets:
            batch = self._batch
            await self._holds.place(batch.bets, batch.at_risk, batch.bet_changes, self._at_ms)
        crash_point("holds_written")
        for step in self._batch.steps:
            if isinstance(step.event, BettingVoided):
                await self._holds.release()
            elif isinstance(step.event, BettingClosed):
                await self._capture()
                crash_point("stakes_captured")
        await self._plays(self._page.head.seq)
        for step in self._batch.steps:
            await self._settle(step)
        crash_point("money_moved")
        for step in self._batch.steps:
            await self._end(step.event)
            await self._count(step)
        for step in self._batch.steps:
            await self._audit(step.event)
        await self._page.write([(self._round.round_id, event) for event in journal.stored(self._batch.events)])

    async def _capture(self) -> None:
        held = await self._holds.open()
        on_table = {player: 2 * seat.ante + seat.trips for player, seat in self._round.seats.items()}
        assert {hold.player_id: hold.amount for hold in held} == on_table, "what is held is what was bet"
        currencies = {hold.currency for hold in held}
        await self._book.open_accounts(accounts.escrow(self._round.round_id, currency) for currency in currencies)
        await self._book.open_accounts(accounts.house(currency) for currency in currencies)
        await self._holds.capture(held, stakes.capture(self._round, held), self._at_ms)
        await insert_rows(
            self._connection,
            schema.seats,
            ("round_id", "player_id", "currency", "started_ms"),
            [(self._round.round_id, player, currency, self._round.started_ms) for player, currency, _ in held],
        )

    async def _plays(self, number: int) -> None:
        """PLAY bets decided in this batch; the journal's head makes the number unlike any other batch's."""
        played = self._batch.plays
        if played:
            plays = [(player, self._batch.balances[player].currency, amount) for player, amount in played.items()]
            await self._book.post(stakes.play(self._round, plays, number), self._at_ms)

    async def _settle(self, step: Step) -> None:
        event, after = step.event, step.after
        if isinstance(event, RoundSettled) and after.seats:
            currencies, ended = await self._currencies(), results(after)
            posted = await self._book.post(stakes.settle(after, currencies, ended=ended), self._at_ms)
            await self._write(posted, settling.settlement(after, currencies, "settled", ended))
        elif isinstance(event, RoundCancelled) and after.seats:
            currencies = await self._currencies()
            posted = await self._book.post(stakes.refund(after, currencies), self._at_ms)
            await self._write(posted, settling.settlement(after, currencies, "cancelled"))
        elif isinstance(event, RoundCorrected):
            await self._settle_anew(step, event)

    async def _settle_anew(self, step: Step, event: RoundCorrected) -> None:
        """Take the last settlement back and put the right one in its place, if everybody can pay the difference."""
        currencies, number = await self._currencies(), await self._corrections() + 1
        wrong = stakes.settle(step.before, currencies, correction=number - 1)
        reversal = stakes.reverse(wrong, number, event.by, event.reason)
        right = stakes.settle(step.after, currencies, correction=number)
        net = net_changes((*reversal.postings, *right.postings))
        for id_, balance in (await self._book.balances(list(net))).items():
            if id_.startswith("player:") and balance.available < -net[id_]:
                raise Refusal(Code.INSUFFICIENT_FUNDS, f"{id_} no longer has the {-net[id_]} it would have to return.")
        taken_back, anew = await self._book.replace(reversal, right, self._at_ms)
        await self._write(taken_back, settling.settlement(step.before, currencies, "reversal"))
        await self._write(anew, settling.settlement(step.after, currencies, "corrected"))

    async def _write(self, posted: Posted, settled: settling.Settlement) -> None:
        rounds = schema.rounds
        on_shift = select(rounds.c.presenter).where(rounds.c.id == self._round.round_id)
        await settling.write(self._connection, posted.operation_id, await self._connection.scalar(on_shift), settled)

    async def _end(self, event: Event) -> None:
        status = STATUS_AFTER.get(type(event))
        if status:
            rounds = schema.rounds
            ended = update(rounds).where(rounds.c.id == self._round.round_id)
            await self._connection.execute(ended.values(status=status, ended_ms=event.at_ms))

    async def _audit(self, event: Event) -> None:
        """Who interfered with the round. The log has one end for the whole house, so it is held for a moment only."""
        if isinstance(event, _Audited):
            await audit_log.write(self._connection, _audit_entry(self._round, event), event.at_ms)

    async def _count(self, step: Step) -> None:
        """What the round costs players who have limited their losses. A cancelled one costs nobody anything."""
        event, before, after = step.event, step.before, step.after
        if not isinstance(event, RoundSettled | RoundCorrected) or not after.seats:
            return
        players = await losses.limited_in(self._connection, after.round_id)
        if players:
            was = _played(before) if isinstance(event, RoundCorrected) else {}
            ended = _played(after)
            changes = {player_id: ended[player_id].minus(was.get(player_id)) for player_id in players}
            await losses.add(self._connection, after.started_ms, changes)

    async def _corrections(self) -> int:
        operations = schema.operations
        query = select(func.count()).where(
            operations.c.round_id == self._round.round_id, operations.c.kind == "reversal"
        )
        return (await self._connection.execute(query)).scalar_one()

    async def _currencies(self) -> dict[str, str]:
        seats = schema.seats
        query = select(seats.c.player_id, seats.c.currency).where(seats.c.round_id == self._round.round_id)
        return {row.player_id: row.currency for row in await self._connection.execute(query)}


def _played(round_: Round) -> dict[str, losses.Played]:
    ended = results(round_)
    return {player_id: losses.Played(result.staked, result.returned) for player_id, result in ended.items()}


def _audit_entry(round_: Round, event: _Audited) -> audit_log.Entry:
    before = {"slot": event.slot, "card": event.was} if isinstance(event, CardCorrected) else {}
    after = {"slot": event.slot, "card": event.card} if isinstance(event, CardCorrected) else {}
    if isinstance(event, IncidentClassified):
        after = {"incident_class": event.incident_class}
    role = stakes.SYSTEM if event.by == stakes.SYSTEM else "staff"
    return audit_log.Entry(event.by, role, event.kind, f"round {round_.round_id}", event.reason, before, after)
