"""Accounting of a table: the unit of work that stores a batch of commands with holds, captures and settlements.

Journal, holds, postings, round status and audit entries of a batch are one transaction of the table's commit log
(`casino.hosting.commit_log`). If storing fails, nothing has happened, and the caller still has the old round.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.clock import utc_day
from casino.hosting.commit_log import CommitLog, Transaction
from casino.ledger import accounts
from casino.ledger.book import Balance, Book, Holds, Posted
from casino.ledger.posting import net_changes
from casino.live_table import journal, postings, settlement_records
from casino.live_table.batch import Answer, Batch, Request, Step, bettors_in, players_in
from casino.live_table.receivables import Advance, advances
from casino.live_table.reveal import reveal
from casino.live_table.shoe import Seal
from casino.observability.crash_points import crash_point
from casino.responsible_gaming import daily_losses
from casino.responsible_gaming.player_limits import PlayerLimit, player_limits_of
from casino.storage import schema
from casino.storage.bulk import insert_rows
from casino.storage.database import Database
from casino.storage.hash_chain import Head
from casino.uth.bets import initial_stake
from casino.uth.commands import OpenBetting
from casino.uth.events import (
    BettingClosed,
    BettingVoided,
    CardCorrected,
    CardsSwapped,
    DecisionsReopened,
    Event,
    IncidentClassified,
    ProposalEvent,
    ProposalMade,
    RoundCancelled,
    RoundCorrected,
    RoundPaused,
    RoundResumed,
    RoundSettled,
)
from casino.uth.results import results
from casino.uth.round import begin, open_round
from casino.uth.state import Round

STATUS_AFTER: Final[Mapping[type, Literal["void", "settled", "cancelled", "corrected"]]] = {
    BettingVoided: "void",
    RoundSettled: "settled",
    RoundCancelled: "cancelled",
    RoundCorrected: "corrected",
}
_Audited = (
    RoundPaused
    | IncidentClassified
    | RoundResumed
    | CardCorrected
    | CardsSwapped
    | DecisionsReopened
    | RoundCancelled
    | RoundCorrected
    | ProposalEvent
)

ExtraWrite = Callable[[AsyncConnection], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class CommitResult:
    """`balances` of the senders, where known already."""

    round: Round
    answers: list[Answer]
    balances: Mapping[str, Balance] | None


class TableUnitOfWork:
    """The only writer of one table's rounds. The journal's head detects a second one."""

    def __init__(
        self, log: CommitLog[CommitResult], table_id: str, seal: Seal | None = None, last_started_ms: int | None = None
    ) -> None:
        """`seal` opens the server seeds of machine-dealt rounds, which are revealed at the end of a round.

        `last_started_ms` is the start of the last round of an earlier run.
        """
        self._log = log
        self._seal = seal
        self._table_id = table_id
        self.last_started_ms: Final = last_started_ms
        self.currencies: Final[dict[str, str]] = {}  # by player, as far as this round has needed them

    @classmethod
    async def of(cls, database: Database, table_id: str, seal: Seal | None = None) -> "TableUnitOfWork":
        rounds = schema.rounds.c
        query = select(rounds.started_ms).where(rounds.table_id == table_id)
        log: CommitLog[CommitResult] = await CommitLog.of(database, journal.chain_name(table_id))
        async with log.writing() as connection:  # after an earlier writer, whose last round may be in flight until then
            last = await connection.scalar(query.order_by(rounds.day.desc(), rounds.game_number.desc()).limit(1))
        return cls(log, table_id, seal, last)

    @property
    def head(self) -> Head:
        """Journal head of the table, as far as this writer knows."""
        return self._log.head

    @property
    def is_in_doubt(self) -> bool:
        return self._log.is_in_doubt

    async def resolve_in_doubt(self) -> CommitResult | None:
        """Returns the commit in doubt if it was stored; None if there was none or it was lost."""
        return await self._log.resolve_in_doubt()

    async def open_round(
        self, command: OpenBetting, at_ms: int, *, presenter: str | None = None, sealed_shoe: str | None = None
    ) -> Round:
        opened = open_round(command, at_ms)

        async def write(page: Transaction[CommitResult]) -> CommitResult:
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
            await journal.append(page, self._table_id, command.round_id, [opened])
            return CommitResult(begin(opened), [], None)

        await self._log.commit(write)
        self.currencies.clear()
        crash_point("round_opened")
        return begin(opened)

    async def balances(self, players: Sequence[str]) -> dict[str, Balance]:
        """Returns the current balances of these players."""
        async with self.reading() as connection:
            return self._remembered(await _balances(Book(connection), players))

    def _remembered(self, balances: dict[str, Balance]) -> dict[str, Balance]:
        self.currencies.update({player_id: balance.currency for player_id, balance in balances.items()})
        return balances

    async def write_audit(self, entry: audit_log.Entry, at_ms: int) -> None:
        """Writes only an audit entry, for changes outside rounds."""
        async with self.writing() as connection:
            await audit_log.write(connection, entry, at_ms)

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._log.reading()

    def writing(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return self._log.writing()

    async def sealed_shoe(self, round_id: str) -> str | None:
        rounds = schema.rounds
        async with self.reading() as connection:
            sealed: str | None = await connection.scalar(select(rounds.c.sealed_shoe).where(rounds.c.id == round_id))
            return sealed

    async def commit(
        self, round_: Round, requests: Sequence[Request], extra_write: ExtraWrite | None = None
    ) -> CommitResult:
        """Decides the requests in order and stores the result; each has its own reply.

        `extra_write` runs in the same transaction, if anything is stored; its refusal rolls back everything.
        """

        async def write(page: Transaction[CommitResult]) -> CommitResult:
            book = Book(page.connection)
            balances = self._remembered(await _balances(book, players_in(round_, requests)))
            batch = Batch(round_, balances, await _player_limits(page.connection, round_, requests))
            for request in requests:
                batch.apply(request)
            crash_point("batch_decided")
            if batch.events:
                await _BatchWriter(page, book, batch, requests[-1].at_ms).write(self._seal)
                if extra_write:
                    await extra_write(page.connection)
            crash_point("batch_stored_not_committed")
            return CommitResult(batch.round, batch.answers, batch.balances_after())

        stored = await self._log.commit(write)
        crash_point("batch_committed")
        return stored


async def _balances(book: Book, players: Sequence[str]) -> dict[str, Balance]:
    ids = {accounts.player_cash_id(player_id): player_id for player_id in players}
    found = await book.balances(list(ids))
    return {ids[id_]: balance for id_, balance in found.items()}


async def _player_limits(
    connection: AsyncConnection, round_: Round, requests: Sequence[Request]
) -> dict[str, list[PlayerLimit]]:
    """Read under account locks, so that no other table takes a bet of the same player at the same time.

    Losses count on the day the round began, so a bet after midnight is checked against the day before, too.
    """
    bettors = bettors_in(requests)
    if not bettors:
        return {}
    bet_ms, lost_ms = requests[-1].at_ms, round_.started_ms
    return await player_limits_of(connection, bettors, bet_ms, lost_ms=lost_ms, except_round=round_.round_id)


class _BatchWriter:
    """Writes one decided batch, step by step, into the open transaction."""

    def __init__(self, page: Transaction[CommitResult], book: Book, batch: Batch, at_ms: int) -> None:
        self._page = page
        self._connection = page.connection
        self._book = book
        self._holds = Holds(page.connection, book, batch.round.round_id)
        self._batch = batch
        self._round = batch.round
        self._at_ms = at_ms
        self._advances: list[Advance] = []

    async def write(self, seal: Seal | None) -> None:
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
        events = self._batch.events
        kept = journal.stored(events)
        if self._batch.steps:  # bets and decisions alone end no round
            kept += await reveal(self._connection, self._round, events, seal)
        await journal.append(self._page, self._round.table_id, self._round.round_id, kept)

    async def _capture(self) -> None:
        held = await self._holds.open()
        on_table = {player: initial_stake(seat.ante, seat.trips) for player, seat in self._round.seats.items()}
        assert {hold.player_id: hold.amount for hold in held} == on_table, "what is held is what was bet"
        currencies = {hold.currency for hold in held}
        await self._book.open_accounts(accounts.escrow(self._round.round_id, currency) for currency in currencies)
        await self._book.open_accounts(accounts.house(currency) for currency in currencies)
        await self._holds.capture(held, postings.capture(self._round, held), self._at_ms)
        await insert_rows(
            self._connection,
            schema.seats,
            ("round_id", "player_id", "currency", "started_ms"),
            [(self._round.round_id, player, currency, self._round.started_ms) for player, currency, _ in held],
        )

    async def _plays(self, number: int) -> None:
        """Posts PLAY bets of this batch; the journal's head makes their number unique."""
        played = self._batch.plays
        if played:
            plays = [(player, self._batch.balances[player].currency, amount) for player, amount in played.items()]
            await self._book.post(postings.play(self._round, plays, number), self._at_ms)

    async def _settle(self, step: Step) -> None:
        event, after = step.event, step.after
        if isinstance(event, RoundSettled) and after.seats:
            currencies, ended = await self._currencies(), results(after)
            posted = await self._book.post(postings.settle(after, currencies, ended=ended), self._at_ms)
            await self._write(posted, settlement_records.settlement(after, currencies, "settled", ended))
        elif isinstance(event, RoundCancelled) and after.seats:
            currencies = await self._currencies()
            posted = await self._book.post(postings.refund(after, currencies), self._at_ms)
            await self._write(posted, settlement_records.settlement(after, currencies, "cancelled"))
        elif isinstance(event, RoundCorrected):
            await self._resettle(step, event)
        elif isinstance(event, DecisionsReopened):
            returned = postings.play_return(step.before, event.phase, await self._currencies())
            if returned:
                await self._book.post(returned, self._at_ms)

    async def _resettle(self, step: Step, event: RoundCorrected) -> None:
        """Reverses the last settlement and posts the correct one; what players cannot pay back, they owe."""
        currencies, number = await self._currencies(), await self._corrections() + 1
        wrong = postings.settle(step.before, currencies, correction=number - 1)
        reversal = postings.reverse(wrong, number, event.by, event.reason)
        right = postings.settle(step.after, currencies, correction=number)
        net = net_changes((*reversal.postings, *right.postings))
        balances = await self._book.balances(list(net))
        self._advances = list(advances(event, (self._round.round_id, number), net, balances, currencies))
        debts = [advance.debt for advance in self._advances]
        await self._book.open_accounts(accounts.receivable(debt.player_id, debt.currency) for debt in debts)
        advanced = [advance.operation for advance in self._advances]
        taken_back, resettled = await self._book.replace(reversal, right, self._at_ms, advanced)
        await self._write(taken_back, settlement_records.settlement(step.before, currencies, "reversal"))
        await self._write(resettled, settlement_records.settlement(step.after, currencies, "corrected"))

    async def _write(self, posted: Posted, settled: settlement_records.Settlement) -> None:
        rounds = schema.rounds
        on_shift = select(rounds.c.presenter).where(rounds.c.id == self._round.round_id)
        presenter = settlement_records.presenter_of(self._round, await self._connection.scalar(on_shift))
        await settlement_records.write(self._connection, posted.operation_id, presenter, settled)

    async def _end(self, event: Event) -> None:
        status = STATUS_AFTER.get(type(event))
        if status:
            rounds = schema.rounds
            ended = update(rounds).where(rounds.c.id == self._round.round_id)
            await self._connection.execute(ended.values(status=status, ended_ms=event.at_ms))

    async def _audit(self, event: Event) -> None:
        """Writes interventions to the audit log. Its single head is locked late, and briefly."""
        if isinstance(event, _Audited):
            await audit_log.write(self._connection, _audit_entry(self._round, event), event.at_ms)
        if isinstance(event, RoundCorrected):
            for advance in self._advances:
                await audit_log.write(self._connection, advance.audit_entry(self._round.round_id, event), self._at_ms)

    async def _count(self, step: Step) -> None:
        """Counts the cost of the round for players with a loss limit; a cancelled round costs nothing."""
        event, before, after = step.event, step.before, step.after
        if not isinstance(event, RoundSettled | RoundCorrected) or not after.seats:
            return
        players = await daily_losses.limited_in(self._connection, after.round_id)
        if players:
            was = _played(before) if isinstance(event, RoundCorrected) else {}
            ended = _played(after)
            changes = {player_id: ended[player_id].minus(was.get(player_id)) for player_id in players}
            await daily_losses.add(self._connection, after.started_ms, changes)

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


def _played(round_: Round) -> dict[str, daily_losses.Played]:
    ended = results(round_)
    return {player_id: daily_losses.Played(result.staked, result.returned) for player_id, result in ended.items()}


def _audit_entry(round_: Round, event: _Audited) -> audit_log.Entry:
    before, after = {}, {}
    if isinstance(event, CardCorrected):
        before, after = {"slot": event.slot, "card": event.was}, {"slot": event.slot, "card": event.card}
    elif isinstance(event, CardsSwapped):
        before = {event.slot: event.other_card, event.other_slot: event.card}
        after = {event.slot: event.card, event.other_slot: event.other_card}
    elif isinstance(event, IncidentClassified):
        after = {"incident_class": event.incident_class}
    elif isinstance(event, DecisionsReopened):
        after = {"phase": event.phase}
    elif isinstance(event, RoundCancelled) and event.phase:
        after = {"phase": event.phase, **_lapsed_noted(event)}
    elif isinstance(event, ProposalEvent):
        after = _proposal_noted(event)
    role = postings.SYSTEM if event.by == postings.SYSTEM else "staff"
    return audit_log.Entry(event.by, role, event.kind, f"round {round_.round_id}", event.reason, before, after)


def _lapsed_noted(event: RoundCancelled) -> dict[str, str]:
    return {"proposal": "lapsed", "proposed_by": event.proposed_by} if event.proposed_by else {}


def _proposal_noted(event: ProposalEvent) -> dict[str, str]:
    if not isinstance(event, ProposalMade):
        return {"proposal": event.proposal_id, "proposed_by": event.proposed_by}
    change = {"slot": event.slot, "card": event.card} if event.slot and event.card else {}
    if event.other_slot:
        change["other_slot"] = event.other_slot
    return {"proposal": event.proposal_id, "proposes": event.proposes, **change}
