"""Writes anchors of a running service's hash chains to a file, to the log and to a configured web address.

A full anchor with the head of every chain is made at the start and at the end, a partial one with the heads that have
changed every hour, and a short one every minute in which something was stored. At the start the anchors show whether
the database is an older state than the one last served, such as a restored backup.
"""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.audit.anchors import Anchor, End, anchored_heads, anchors_in, current_anchor, in_force
from casino.observability.webhook import call_webhook
from casino.storage.database import Database
from casino.storage.hash_chain import database_id, signer_of
from casino.storage.poker_schema import poker_hands
from casino.storage.schema import audit, journal
from casino.storage.tournament_schema import tournament_journal
from casino.storage.url import PRIVATE_MODE

SHORT_SECONDS: Final = 60.0
SHORT_PER_PARTIAL: Final = 60
WEBHOOK_SECONDS: Final = 10.0
ACTION: Final = "restored_state_accepted"
_JOURNAL: Final = "journal:"
_POKER: Final = "poker:"
_TOURNAMENT: Final = "tournament:"

_log = structlog.get_logger()


class Anchoring:
    def __init__(
        self,
        database: Database,
        file: Path,
        webhook: str,
        clock: Callable[[], int],
        *,
        short_seconds: float = SHORT_SECONDS,
    ) -> None:
        self._database = database
        self._file = file
        self._webhook = webhook
        self._clock = clock
        self._short_seconds = short_seconds
        self._writes = -1
        self._anchored: Mapping[str, End] = {}

    async def older_than_anchored(self) -> str | None:
        """Why the database is not the state last served, in a sentence; None if it is, or if it is a new one."""
        async with self._database.reading() as connection:
            try:
                anchors = in_force(anchors_in(self._file, await database_id(connection)))
            except FileNotFoundError:
                return None
            now = await current_anchor(connection, self._clock())
            missing = max((anchor.writes for anchor in anchors), default=0) - now.writes
            if missing > 0:
                return f"{missing} transactions that were stored are missing"
            for chain, end in sorted(anchored_heads(anchors).items()):
                if now.chains.get(chain) != end and await _digest(connection, chain, end[0]) != end[1]:
                    return f"row {end[0]} of {chain} is missing, or not the one that was stored"
        return None

    async def state(self) -> Anchor:
        """The books as they are, to be accepted or not."""
        async with self._database.reading() as connection:
            return await current_anchor(connection, self._clock())

    async def accept(self, state: Anchor, why: str) -> None:
        """A person has said that this state is the right one, although it is older than the one last served."""
        entry = audit_log.Entry("system", "system", ACTION, "books", why)
        async with self._database.writing() as connection:
            await audit_log.write(connection, entry, self._clock())
            signer = signer_of(connection)
        await self._record(replace(state, is_accepted=True).signed(signer))

    async def run(self) -> None:
        """Until it is cancelled."""
        await self.anchor()
        while True:
            for _ in range(SHORT_PER_PARTIAL - 1):
                await asyncio.sleep(self._short_seconds)
                await self.anchor(is_short=True)
            await asyncio.sleep(self._short_seconds)
            await self.anchor(is_partial=True)

    async def anchor(self, *, is_short: bool = False, is_partial: bool = False) -> None:
        """Failing to anchor stops nothing; the log says so, and the next anchor says all that this one would have.

        Heads that another program has written are never anchored.
        """
        try:
            async with self._database.reading() as connection:
                anchor = await current_anchor(connection, self._clock())
                signer = signer_of(connection)
                is_genuine = signer is None or anchor.signature is not None
            if not is_genuine:
                _log.error("chain_heads_changed_from_outside", what_to_do="stop the service and run casino verify")
                return
            if not is_short:
                named = anchor.changed_since(self._anchored).signed(signer) if is_partial else anchor
                await self._record(named)
                self._anchored = anchor.chains
                await self._send(named)
            elif anchor.writes != self._writes:
                await asyncio.to_thread(self._append, anchor.short())
            self._writes = anchor.writes
        except Exception as error:  # noqa: BLE001  the database or the disk may be away for a moment
            _log.warning("anchor_write_failed", exc_info=error)

    async def _record(self, anchor: Anchor) -> None:
        record = anchor.plain()
        _log.info(record.pop("event"), **record)
        await asyncio.to_thread(self._append, anchor)

    def _append(self, anchor: Anchor) -> None:
        """One write at the end of the file: several services may share it."""
        if not self._file.parent.exists():
            self._file.parent.mkdir(parents=True, mode=0o700)
        descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_MODE)
        try:
            os.write(descriptor, anchor.line())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    async def _send(self, anchor: Anchor) -> None:
        if not self._webhook:
            return
        failure = await call_webhook(self._webhook, anchor.plain(), WEBHOOK_SECONDS)
        if failure is not None:
            _log.warning("anchor_webhook_failed", failure=failure)


@asynccontextmanager
async def anchored(anchoring: Anchoring) -> AsyncIterator[None]:
    """While the block runs. The last anchor is made by the caller, who knows whether the books are still its own."""
    running = asyncio.create_task(anchoring.run(), name="anchors")
    try:
        yield
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def _digest(connection: AsyncConnection, chain: str, seq: int) -> str | None:
    if chain == audit_log.CHAIN:
        query = select(audit.c.digest).where(audit.c.id == seq)
    elif chain.startswith(_POKER):
        hands = poker_hands.c
        query = select(hands.digest).where(hands.table_id == chain.removeprefix(_POKER), hands.no == seq)
    elif chain.startswith(_TOURNAMENT):
        events = tournament_journal.c
        tournament_id = chain.removeprefix(_TOURNAMENT)
        query = select(events.digest).where(events.tournament_id == tournament_id, events.seq == seq)
    else:
        query = select(journal.c.digest).where(journal.c.table_id == chain.removeprefix(_JOURNAL), journal.c.seq == seq)
    digest: str | None = await connection.scalar(query)
    return digest
