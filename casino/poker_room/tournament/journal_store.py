"""Journal store: appends the events of a decision with their money, entries and tickets, in one transaction.

The journal of a tournament is a hash chain. A transaction whose outcome is unknown is looked up by its last link.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

import orjson
from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.observability.crash_points import crash_point
from casino.poker.tournament.events import Announced, Event, dump_event, load_event
from casino.poker.tournament.money_events import PrizeHeld
from casino.poker.tournament.state import Status, Tournament
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.risk import Risk, lock_available, verify_risk
from casino.poker_room.tournament.entry_rows import EntryRows, Payment
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec
from casino.poker_room.tournament.tournament_money import operation_of
from casino.storage.bulk import insert_rows
from casino.storage.database import Database, retry_lost_races
from casino.storage.hash_chain import EMPTY, Head, head_of, link, move_head, row_signatures
from casino.storage.tournament_schema import tournament_entries, tournament_journal, tournament_purchases, tournaments

COLUMNS: Final = ("tournament_id", "seq", "kind", "at_ms", "event")


def chain_name(tournament_id: str) -> str:
    return f"tournament:{tournament_id}"


Payments = Sequence[Payment]
"""One of each player who pays."""


class Step(NamedTuple):
    """An event with the state before it, and its number in the journal."""

    before: Tournament
    event: Event
    seq: int


class Appended(NamedTuple):
    """A decision to store: `steps` follow `head`, lead to the state `after`, and are paid for by `payments`."""

    spec: TournamentSpec
    head: Head
    steps: Sequence[Step]
    after: Tournament
    payments: Payments = ()


class Stored(NamedTuple):
    """A stored tournament: `head` is the end of its journal."""

    spec: TournamentSpec
    head: Head
    events: tuple[Event, ...]


class KnownEntry(NamedTuple):
    """An entry found by the idempotency key of its registration."""

    entry_id: str
    tournament_id: str | None
    line: str | None
    paid: int


class Purchase(NamedTuple):
    """A stored rebuy or add-on: its entry and its kind."""

    entry_id: str
    kind: str


class JournalStore:
    """The only writer of the journals of its tournaments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def announce(self, spec: TournamentSpec, announced: Announced) -> Head:
        """Stores a new tournament with its first event, and opens its accounts."""

        async def transaction() -> Head:
            async with self._database.writing(for_table=True) as connection:
                await Book(connection).open_accounts(spec.accounts_of(announced.terms))
                return await insert_tournament(connection, spec, announced)

        return await retry_lost_races(transaction)

    async def announce_all(self, announced: Sequence[tuple[TournamentSpec, Announced]]) -> list[Head]:
        """Stores new tournaments together, each with its first event."""

        async def transaction() -> list[Head]:
            async with self._database.writing(for_table=True) as connection:
                accounts_of = [account for spec, first in announced for account in spec.accounts_of(first.terms)]
                await Book(connection).open_accounts(accounts_of)
                in_order = sorted(announced, key=lambda one: one[0].tournament_id)
                found = {spec: await insert_tournament(connection, spec, first) for spec, first in in_order}
                return [found[spec] for spec, _ in announced]

        return await retry_lost_races(transaction)

    async def append(self, appended: Appended) -> Head:
        """Stores the steps. Refuses what the player's balance or own limits do not cover, and an unusable ticket."""

        async def transaction() -> Head:
            async with self._database.writing(for_table=True) as connection:
                return await append(connection, appended)

        moved = await retry_lost_races(transaction)
        crash_point("tournament_committed")
        return moved

    async def is_stored(self, spec: TournamentSpec, head: Head, steps: Sequence[Step]) -> Head | None:
        """The head after these steps, if an attempt without an answer has stored them."""
        expected = moved_head(spec, head, steps)
        async with self._database.reading(for_table=True) as connection:
            found = await head_of(connection, chain_name(spec.tournament_id))
        return found if found.end == expected.end else None

    async def adopt(self, row: Row[Any]) -> Stored:
        """Takes over a stored tournament. Waits for a transaction of an earlier service that is still in flight."""
        spec = spec_of(row)
        columns = tournament_journal.c
        query = select(columns.event).where(columns.tournament_id == spec.tournament_id).order_by(columns.seq)
        async with self._database.writing(for_table=True) as connection:
            head = await head_of(connection, chain_name(spec.tournament_id), lock=True)
            events = (await connection.execute(query)).scalars().all()
        return Stored(spec, head, tuple(load_event(orjson.loads(text)) for text in events))

    async def unfinished(self) -> Sequence[Row[Any]]:
        """Rows of all tournaments that have neither finished nor been cancelled."""
        is_open = tournaments.c.status.in_([Status.REGISTERING.value, Status.RUNNING.value])
        async with self._database.reading(for_table=True) as connection:
            return (await connection.execute(select(tournaments).where(is_open).order_by(tournaments.c.id))).all()

    async def purchase_of(self, player_id: str, key: str) -> Purchase | None:
        """The rebuy or add-on with this key."""
        columns = tournament_purchases.c
        query = select(columns.entry_id, columns.kind).where(columns.player_id == player_id, columns.key == key)
        async with self._database.reading(for_table=True) as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else Purchase(*row)

    async def returned_means(self, player_id: str, entry_id: str) -> Literal["money", "ticket"] | None:
        """How an entry of the player was returned, if it was."""
        columns = tournament_entries.c
        query = select(columns.ticket_id).where(
            columns.id == entry_id, columns.player_id == player_id, columns.status == "returned"
        )
        async with self._database.reading(for_table=True) as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else "money" if row.ticket_id is None else "ticket"

    async def known_entries(self, player_id: str, key: str) -> list[KnownEntry]:
        """Entries that this key has paid for: one, or several of a HexaPro line, whose keys have a number."""
        columns = tournament_entries.c
        is_key = (columns.key == key) | columns.key.startswith(f"{key}#", autoescape=True)
        query = select(columns.id, columns.tournament_id, columns.line, columns.paid)
        query = query.where(columns.player_id == player_id, is_key).order_by(columns.key)
        async with self._database.reading(for_table=True) as connection:
            return [KnownEntry(*row) for row in await connection.execute(query)]


async def insert_tournament(connection: AsyncConnection, spec: TournamentSpec, announced: Announced) -> Head:
    terms = announced.terms
    await connection.execute(tournaments.insert().values(_row_of(spec, terms)))
    head = await head_of(connection, chain_name(spec.tournament_id), lock=True)
    assert head.end == EMPTY.end, "a new tournament has no journal"
    return await _write_journal(connection, spec, head, [Step(Tournament(terms), announced, 1)])


async def append(connection: AsyncConnection, appended: Appended) -> Head:
    """Within a transaction of the caller."""
    spec, head, steps, after, payments = appended
    book, rows = Book(connection), EntryRows(connection, spec)
    for payment in sorted(payments):
        if payment.ticket_id is not None:
            await rows.verify_ticket(payment, steps[0].event.at_ms)
        elif payment.amount:
            available = await lock_available(connection, payment.player_id, spec.currency)
            risk = Risk(payment.player_id, payment.amount, spec.currency)
            await verify_risk(connection, risk, available, steps[0].event.at_ms)
    crash_point("tournament_begun")
    posted = [(operation_of(spec, step.before, step.event, step.seq), step.event.at_ms) for step in steps]
    operations = [(operation, at_ms) for operation, at_ms in posted if operation is not None]
    held = [accounts.held(spec.tournament_id, player_id, spec.currency) for player_id in _held_back(steps)]
    await book.open_accounts(held)
    await book.post_many([operation for operation, _ in operations], [at_ms for _, at_ms in operations])
    crash_point("tournament_posted")
    paying = {payment.player_id: payment for payment in payments}
    for step in steps:
        await rows.note(step.before, step.event, paying)
    await rows.count_losses()
    before = steps[0].before
    if before.status is not after.status or before.terms is not after.terms:
        ended_ms = steps[-1].event.at_ms if after.status in (Status.FINISHED, Status.CANCELLED) else None
        changed = _row_of(spec, after.terms) | {"status": after.status.value, "ended_ms": ended_ms}
        await connection.execute(update(tournaments).where(tournaments.c.id == spec.tournament_id).values(changed))
    moved = await _write_journal(connection, spec, head, steps)
    crash_point("tournament_complete")
    return moved


def moved_head(spec: TournamentSpec, head: Head, steps: Sequence[Step]) -> Head:
    digest = head.digest
    for step in steps:
        digest = link(digest, journal_row(spec, step))
    return head.moved((steps[-1].seq, digest))


def journal_row(spec: TournamentSpec, step: Step) -> tuple[object, ...]:
    """The row of an event, without digest and signature."""
    text = orjson.dumps(dump_event(step.event), option=orjson.OPT_SORT_KEYS).decode()
    return (spec.tournament_id, step.seq, step.event.kind, step.event.at_ms, text)


def spec_of(row: Row[Any]) -> TournamentSpec:
    return TournamentSpec(
        row.id, TournamentKind(row.kind), row.source, row.currency, row.clock, row.opens_ms, row.draw_no
    )


async def _write_journal(connection: AsyncConnection, spec: TournamentSpec, head: Head, steps: Sequence[Step]) -> Head:
    name = chain_name(spec.tournament_id)
    digest, ends = head.digest, list[tuple[int, str]]()
    rows: list[tuple[object, ...]] = []
    for step in steps:
        if step.seq != head.seq + len(rows) + 1:
            raise RuntimeError(f"event {step.seq} does not follow event {head.seq} of {spec.tournament_id}")
        fields = journal_row(spec, step)
        digest = link(digest, fields)
        rows.append((*fields, digest))
        ends.append((step.seq, digest))
    moved = head.moved(ends[-1])
    await move_head(connection, name, head, moved)
    signed = [(*row, signature) for row, signature in zip(rows, row_signatures(connection, name, ends), strict=True)]
    await insert_rows(connection, tournament_journal, (*COLUMNS, "digest", "signature"), signed)
    return moved


def _row_of(spec: TournamentSpec, terms: TournamentTerms) -> dict[str, object]:
    return {
        "id": spec.tournament_id,
        "kind": spec.kind.value,
        "source": spec.source,
        "draw_no": spec.draw_no,
        "name": terms.name,
        "currency": spec.currency,
        "clock": spec.clock,
        "buy_in": terms.price.total,
        "status": Status.REGISTERING.value,
        "opens_ms": spec.opens_ms,
        "starts_ms": terms.starts_ms,
    }


def _held_back(steps: Sequence[Step]) -> set[str]:
    held = ((step.before, step.event) for step in steps)
    return {before.entries[event.entry_id].player_id for before, event in held if isinstance(event, PrizeHeld)}
