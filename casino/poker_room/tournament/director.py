"""Tournament director: decides commands in order, stores the events, then notifies tables and players.

The rules are `casino.poker.tournament`. Nothing is published before it is stored. Commands without a payment that wait
together share a transaction. While the database is away they wait; a decision that cannot be stored stops the director,
and its tables wait between two hands.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

import structlog
from sqlalchemy.exc import DBAPIError, IntegrityError

from casino.clock import Clock
from casino.errors import Refusal
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import Command
from casino.poker.tournament.director import decide
from casino.poker.tournament.replay import evolve
from casino.poker.tournament.state import Tournament
from casino.poker_room.tournament.entry_rows import Payment
from casino.poker_room.tournament.journal_store import Appended, JournalStore, Payments, Step
from casino.poker_room.tournament.spec import TournamentSpec
from casino.refusals import Reason
from casino.storage.database import is_unavailable
from casino.storage.hash_chain import Head

RETRY_SECONDS: Final = 1.0
COMMANDS_MAX: Final = 64
"""Commands in one transaction."""

_log = structlog.get_logger()


class Follow(Protocol):
    """Carries out stored steps at tables, and notifies players."""

    async def __call__(self, director: "Director", steps: Sequence[Step]) -> None: ...


class _Waiting(NamedTuple):
    command: Command
    payments: Payments
    reply: "asyncio.Future[Tournament]"


class Director:
    """`head` is the end of the stored journal, `state` what it leads to."""

    def __init__(
        self,
        spec: TournamentSpec,
        state: Tournament,
        head: Head,
        *,
        store: JournalStore,
        follow: Follow,
        clock: Clock,
        pick: Pick,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self.spec: Final = spec
        self.state = state
        self.is_stopped = False
        self._head = head
        self._store = store
        self._follow = follow
        self._clock = clock
        self._pick = pick
        self._retry_seconds = retry_seconds
        self._waiting: deque[_Waiting] = deque()
        self._running: asyncio.Task[None] | None = None

    @property
    def tournament_id(self) -> str:
        return self.spec.tournament_id

    @property
    def is_idle(self) -> bool:
        return self._running is None

    def post(self, command: Command, *payments: Payment) -> "asyncio.Future[Tournament]":
        """The future has the state after the command once it is stored and carried out, or its refusal."""
        reply: asyncio.Future[Tournament] = asyncio.get_running_loop().create_future()
        reply.add_done_callback(_seen)
        if self.is_stopped:
            reply.set_exception(Reason.TABLE_FAILED.refusal())
            return reply
        self._waiting.append(_Waiting(command, payments, reply))
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name=f"tournament {self.tournament_id}")
        return reply

    async def stop(self) -> None:
        """Leaves everything as it is stored."""
        self.is_stopped = True
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        self._refuse_waiting()

    async def _run(self) -> None:
        try:
            while self._waiting and not self.is_stopped:
                await self._decide(self._batch())
        except Exception as error:  # noqa: BLE001  other tournaments go on, and staff see this one
            self.is_stopped = True
            _log.error("tournament_stopped", tournament_id=self.tournament_id, exc_info=error)
        finally:
            self._running = None
            if self.is_stopped:
                self._refuse_waiting()

    def _batch(self) -> list[_Waiting]:
        """A payment is a transaction of its own, because it may be refused."""
        batch = [self._waiting.popleft()]
        while not batch[0].payments and self._waiting and not self._waiting[0].payments and len(batch) < COMMANDS_MAX:
            batch.append(self._waiting.popleft())
        return batch

    async def _decide(self, batch: Sequence[_Waiting]) -> None:
        steps: list[Step] = []
        state, taken = self.state, list[_Waiting]()
        for waiting in batch:
            try:
                events = decide(state, waiting.command, self._clock(), self._pick)
            except Refusal as refusal:
                _answer(waiting, refusal)
                continue
            except Exception as error:
                _answer(waiting, Reason.TABLE_FAILED.refusal())
                _log.error("tournament_command_failed", command=type(waiting.command).__name__, exc_info=error)
                raise
            taken.append(waiting)
            for event in events:
                steps.append(Step(state, event, self._head.seq + len(steps) + 1))
                state = evolve(state, event)
        if steps:
            try:
                self._head = await self._stored(steps, state, batch[0].payments)
            except Refusal as refusal:
                for waiting in taken:
                    _answer(waiting, refusal)
                return
            except BaseException:
                for waiting in taken:
                    _answer(waiting, Reason.OUTCOME_UNKNOWN.refusal())
                raise
        self.state = state
        try:
            await self._follow(self, steps)
        finally:
            for waiting in taken:
                if not waiting.reply.done():
                    waiting.reply.set_result(state)

    async def _stored(self, steps: Sequence[Step], after: Tournament, payments: Payments) -> Head:
        """Waits while the database is away. An attempt without an answer may have been stored."""
        is_in_doubt = False
        while True:
            try:
                if is_in_doubt and (found := await self._store.is_stored(self.spec, self._head, steps)):
                    return found
                return await self._store.append(Appended(self.spec, self._head, steps, after, payments))
            except Exception as error:
                if payments and isinstance(error, DBAPIError) and not is_unavailable(error):
                    raise self._payment_refusal(error) from error
                if isinstance(error, Refusal) or not is_unavailable(error):
                    raise
                is_in_doubt = True
                _log.warning("tournament_waits", tournament_id=self.tournament_id, failure=type(error).__name__)
                await asyncio.sleep(self._retry_seconds)

    def _payment_refusal(self, error: DBAPIError) -> Refusal:
        """A payment is a transaction of its own: what the database refuses of it concerns its sender alone."""
        if isinstance(error, IntegrityError):  # the key has paid for something else in the same moment
            return Reason.KEY_REUSED.refusal()
        _log.error("tournament_payment_failed", tournament_id=self.tournament_id, exc_info=error)
        return Reason.TABLE_FAILED.refusal()

    def _refuse_waiting(self) -> None:
        while self._waiting:
            _answer(self._waiting.popleft(), Reason.TABLE_STOPPED.refusal())


def _seen(reply: "asyncio.Future[Tournament]") -> None:
    """Tables do not wait for the answer to their report: a refusal of it is no unhandled error."""
    if not reply.cancelled():
        reply.exception()


def _answer(waiting: _Waiting, refusal: Refusal) -> None:
    if not waiting.reply.done():
        waiting.reply.set_exception(refusal)
