"""Verifies tournaments: their journals replayed, with the money, entries, tickets and hands that follow from them.

Links and signatures of journals are those of `chains`; the hands themselves are those of `poker`.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from sqlalchemy import func, select

from casino.ledger.accounts import Kind
from casino.ledger.posting import Posting
from casino.poker.positions import Positions
from casino.poker.state import Hand
from casino.poker.terms import Terms
from casino.poker.tournament.director import begin, evolve
from casino.poker.tournament.entries import Origin, Ticket
from casino.poker.tournament.events import Announced, Event, HandDealt, HandEnded, load_event
from casino.poker.tournament.money_events import PrizeAwarded, PrizeHeld, RegistrationClosed
from casino.poker.tournament.registration import prizes_if_closed
from casino.poker.tournament.state import Status, Tournament
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.tournament.hexapro_store import CANCEL, REGISTER
from casino.poker_room.tournament.journal_store import spec_of
from casino.poker_room.tournament.spec import TournamentSpec
from casino.poker_room.tournament.table_terms import table_id_of
from casino.poker_room.tournament.ticket_expiry import KIND as TICKET_EXPIRED
from casino.poker_room.tournament.ticket_expiry import operation_of as expiry_of
from casino.poker_room.tournament.tournament_money import KINDS, heads_left, operation_of, pool_left
from casino.poker_room.tournament.unreadable_tournaments import KIND as FORFEITED
from casino.poker_room.tournament.unreadable_tournaments import forfeit_key
from casino.storage.schema import audit
from casino.storage.tournament_schema import (
    tickets,
    tournament_entries,
    tournament_journal,
    tournament_purchases,
    tournaments,
)
from casino.users.promotion_tickets import KIND as TICKET_ISSUED
from casino.verify.findings import Findings
from casino.verify.flights import Flights
from casino.verify.hexapro import HexaproLines
from casino.verify.ledger import Stored
from casino.verify.snapshot import Snapshot
from casino.verify.tournament_entries import EntryRecount, RecountedEntry, Tickets

_KINDS: Final = frozenset((*KINDS.values(), REGISTER, CANCEL, TICKET_EXPIRED, FORFEITED))
_UNREADABLE: Final = (ValueError, TypeError, KeyError, IndexError, AssertionError, AttributeError, StopIteration)
"""Errors that forged rows cause when they are replayed."""
_OVER: Final = (Status.FINISHED, Status.CANCELLED)

Stacks = tuple[tuple[int, int], ...]


class PlayedHand(NamedTuple):
    """A hand of a tournament table as `poker` has replayed it."""

    hand_id: str
    is_void: bool
    terms: Terms
    positions: Positions
    starts: Stacks
    ends: Stacks

    @classmethod
    def of(cls, hand: Hand, *, is_void: bool) -> "PlayedHand":
        starts = tuple(sorted((seat.seat_no, seat.start) for seat in hand.seats))
        ends = tuple(sorted((seat.seat_no, seat.stack) for seat in hand.seats))
        return cls(hand.hand_id, is_void, hand.terms, hand.positions, starts, ends)


class Tournaments:
    """Collects operations from the ledger and hands from `poker`; `compare` then reads the journals."""

    def __init__(self, findings: Findings, step: Callable[[int], None], keys: Sequence[str]) -> None:
        self._findings = findings
        self._fault = findings.tournaments.fault
        self._step = step
        self._posted: dict[str, tuple[str, int]] = {}  # input hash and time by key
        self.hands: dict[str, deque[PlayedHand]] = defaultdict(deque)
        """By table, in order; hands whose deck was spent without a deal are left out."""
        seals = [ShoeSeal(key) for key in keys]
        self._tickets = Tickets()
        self._flights = Flights()
        self._carried: dict[str, RecountedEntry] = {}
        self._of_flights: list[tuple[Any, EntryRecount]] = []  # their entries may win in the second phase
        self._lines = HexaproLines(self._fault, lambda key: self._posted.pop(key, None), seals)

    def add(self, row: Any, _moved: Sequence[Posting]) -> None:  # noqa: ANN401  a row of the operations
        if row.kind in _KINDS:
            self._posted[row.key] = (row.input_hash, row.at_ms)

    async def compare(self, snapshot: Snapshot, stored: Mapping[str, Stored]) -> None:
        for row in (await snapshot.connection.execute(select(tournaments).order_by(tournaments.c.id))).all():
            await self._tournament(snapshot, stored, row)
        for row, recount in self._of_flights:
            recount.follow_to_second_phase(self._carried)
            await self._entries(snapshot, row, recount)
        await self._lines.compare(snapshot, stored, self._flights.waiting)
        for text in self._flights.faults():
            self._fault(text)
        await self._expired_tickets(snapshot)
        for key in self._posted:
            self._fault(f"operation {key}: it belongs to no event of a tournament")
        for table_id, hands in self.hands.items():
            if hands:
                self._fault(f"poker table {table_id}: its hands are those of no tournament")
        await self._ticket_values(snapshot, stored)

    async def _tournament(self, snapshot: Snapshot, stored: Mapping[str, Stored], row: Any) -> None:  # noqa: ANN401
        self._findings.tournaments.counted += 1
        columns, recount = tournament_journal.c, EntryRecount(spec_of(row))
        query = select(columns.seq, columns.event, columns.at_ms).where(columns.tournament_id == row.id)
        events = (await snapshot.connection.execute(query.order_by(columns.seq))).all()
        self._step(len(events))
        try:
            state = self._replay(row, events, recount)
        except _UNREADABLE as error:
            self._posted.pop(forfeit_key(row.id), None)
            self._fault(f"tournament {row.id}: its journal cannot be replayed ({type(error).__name__})")
            return
        if state.terms.draw is not None:
            self._lines.numbers[row.source, row.draw_no] = state.terms.draw.number
        if self._posted.pop(forfeit_key(row.id), None) is not None:
            return  # it could not go on, and its money was given to charity
        for text in (*_row_faults(row, state, events[-1].at_ms), *_account_faults(spec_of(row), state, stored)):
            self._fault(f"tournament {row.id}: {text}")
        if state.terms.is_phase_two:
            self._carried |= recount.entries
        elif state.terms.flight_ends_level is not None:
            self._of_flights.append((row, recount))
        else:
            await self._entries(snapshot, row, recount)

    def _replay(self, row: Any, rows: Sequence[Any], recount: EntryRecount) -> Tournament:  # noqa: ANN401
        spec = spec_of(row)
        first, *more = ((seq, load_event(orjson.loads(text))) for seq, text, _ in rows)
        assert isinstance(first[1], Announced)
        state = begin(first[1])
        dealt: dict[int, HandDealt] = {}
        for seq, event in more:
            for text in self._event(spec, state, event, dealt):
                self._fault(f"tournament {row.id}, event {seq}: {text}")
            self._flights.add(spec, state, event)
            operation = operation_of(spec, state, event, seq)
            posted = self._posted.pop(f"{row.id}:{seq}", None)
            if posted != ((operation.input_hash(), event.at_ms) if operation else None):
                self._fault(f"tournament {row.id}, event {seq}: its postings are not those that follow from it")
            recount.follow(state, event)
            state = evolve(state, event)
        self._last_hands(row.id, state)
        return state

    def _event(
        self, spec: TournamentSpec, state: Tournament, event: Event, dealt: dict[int, HandDealt]
    ) -> Iterator[str]:
        match event:
            case HandDealt():
                dealt[event.table_no] = event
            case HandEnded():
                yield from self._hand(spec, state, event, dealt.get(event.table_no))
            case RegistrationClosed():
                expected = prizes_if_closed(state)
                if (event.prizes, event.tickets, event.overlay) != (
                    expected.prizes,
                    expected.tickets,
                    expected.overlay,
                ):
                    yield "its prizes are not those of the entries"
            case PrizeAwarded() | PrizeHeld():
                is_paid = 1 <= event.place <= len(state.prizes)
                if not is_paid or event.amount != state.prizes[event.place - 1]:
                    yield f"it pays {event.amount} for place {event.place}"

    def _hand(
        self, spec: TournamentSpec, state: Tournament, event: HandEnded, order: HandDealt | None
    ) -> Iterator[str]:
        """The report of a hand, compared with the stored one. A void hand may have been lost in a crash."""
        hands = self.hands[table_id_of(spec.tournament_id, event.table_no)]
        table = state.tables[event.table_no]
        by_seat = dict(table.seats)
        starts = tuple(sorted((seat_no, state.entries[by_seat[seat_no]].chips) for seat_no in table.dealt_in))
        ends = tuple(sorted((seat.seat_no, seat.chips) for seat in event.stacks))
        if order is None:
            yield "a hand has ended that was never dealt"
            return
        expected = state.terms.structure.level(order.level).terms(state.terms.game)
        is_stored = bool(hands) and (hands[0].is_void, hands[0].starts, hands[0].ends) == (event.is_void, starts, ends)
        if not is_stored:
            if not event.is_void:
                yield "the hand it reports is not stored so"
            return
        hand = hands.popleft()
        if (hand.terms, hand.positions) != (expected, order.positions):
            yield f"hand {hand.hand_id} was not played with the blinds and positions that were ordered"

    def _last_hands(self, tournament_id: str, state: Tournament) -> None:
        """Hands no event tells of: void ones at the end, and one that was being stored at a cancellation (303)."""
        of_this = [table_id for table_id in self.hands if table_id.rpartition("-")[0] == tournament_id]
        for table_id in of_this:
            left = self.hands.pop(table_id)
            ended = [hand for hand in left if state.status not in _OVER or not hand.is_void]
            is_fine = len(ended) <= (0 if state.status is Status.FINISHED else 1)
            if not is_fine:
                self._fault(f"poker table {table_id}: its director knows nothing of hand {left[0].hand_id}")

    async def _entries(self, snapshot: Snapshot, row: Any, recount: EntryRecount) -> None:  # noqa: ANN401
        run, entries, bought = snapshot.connection.execute, tournament_entries.c, tournament_purchases
        of_this = entries.tournament_id == row.id
        rows = (await run(select(tournament_entries).where(of_this).order_by(entries.id))).all()
        purchases = select(bought).join(tournament_entries, entries.id == bought.c.entry_id).where(of_this)
        for text in recount.faults(rows, (await run(purchases)).all()):
            self._fault(f"tournament {row.id}: {text}")
        self._tickets.add(recount, rows)

    async def _expired_tickets(self, snapshot: Snapshot) -> None:
        """Each one is money of its player, or money of the house again."""
        query = select(tickets).where(tickets.c.status == "expired").order_by(tickets.c.id)
        for row in (await snapshot.connection.execute(query)).all():
            ticket = Ticket(row.id, row.value, row.currency, Origin(row.origin), row.issued_ms)
            operation = expiry_of(ticket, row.player_id)
            input_hash, at_ms = self._posted.pop(operation.key, ("", 0))
            if input_hash != operation.input_hash() or at_ms < row.expires_ms:
                self._fault(f"ticket {row.id}: its value was not paid out when it expired")

    async def _ticket_values(self, snapshot: Snapshot, stored: Mapping[str, Stored]) -> None:
        columns = tickets.c
        issued = select(audit.c.target, audit.c.after, audit.c.at_ms).where(audit.c.action == TICKET_ISSUED)
        self._tickets.add_issued((await snapshot.connection.execute(issued)).all())
        for text in self._tickets.faults((await snapshot.connection.execute(select(tickets))).all()):
            self._fault(text)
        query = select(columns.currency, func.sum(columns.value)).where(columns.status == "open")
        found = await snapshot.connection.execute(query.group_by(columns.currency))
        values = {currency: int(total) for currency, total in found}
        for id_, account in stored.items():
            if account.kind == Kind.TICKETS and account.balance != values.get(account.currency, 0):
                open_value = values.get(account.currency, 0)
                self._fault(f"account {id_}: it has {account.balance}, open tickets are worth {open_value}")


def _row_faults(row: Any, state: Tournament, last_ms: int) -> Iterator[str]:  # noqa: ANN401
    """`last_ms` is the time of its last event."""
    terms = state.terms
    if (row.id, row.name, row.buy_in, row.starts_ms) != (
        terms.tournament_id,
        terms.name,
        terms.price.total,
        terms.starts_ms,
    ):
        yield "its row is not what its journal says"
    if row.kind != row.id.partition("-")[0] or (row.draw_no is None) != (terms.draw is None):
        yield f"it is no tournament of the kind {row.kind}"
    if row.ended_ms != (last_ms if state.status in _OVER else None):
        yield "it has not ended when its journal ends"
    if row.status != state.status:
        yield f"it is {row.status}, and {state.status} by its journal"


def _account_faults(spec: TournamentSpec, state: Tournament, stored: Mapping[str, Stored]) -> Iterator[str]:
    """What the accounts of the tournament must hold now."""
    is_over = state.status in _OVER
    expected = {
        spec.pool.id: 0 if is_over else pool_left(state),
        spec.bounties.id: 0 if is_over else heads_left(state),
        spec.fees.id: 0 if is_over else state.fees,
    }
    for id_, amount in expected.items():
        account = stored.get(id_)
        if account is None or account.balance != amount:
            yield f"account {id_} has {account.balance if account else None}, events lead to {amount}"
