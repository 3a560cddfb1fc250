"""Verifies entries, tickets and bought chips: what players see of them follows from the events of their tournament."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from casino.poker.tournament.cancel import Case
from casino.poker.tournament.commands import Means
from casino.poker.tournament.entries import DAY_MS, TICKET_DAYS, Origin
from casino.poker.tournament.events import (
    CarriedOver,
    Eliminated,
    Event,
    Finished,
    FlightEnded,
    Registered,
    Unregistered,
)
from casino.poker.tournament.money_events import (
    BountyPaid,
    Cancelled,
    ChipsBought,
    PrizeAwarded,
    PrizeHeld,
    RegistrationClosed,
    VipPaid,
)
from casino.poker.tournament.state import Tournament
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec
from casino.users.promotion_tickets import ticket_id_of

Bought = Counter[tuple[str, str, int]]
"""Rebuys and add-ons: player, kind and time."""


@dataclass(slots=True)
class RecountedEntry:
    """An entry as the events lead to it. `has_ticket`: a ticket has paid for it and has not come back."""

    player_id: str
    is_by_ticket: bool
    has_ticket: bool
    registered_ms: int
    paid: int
    risked: int
    won: int = 0
    place: int | None = None
    status: str = "open"
    ended_ms: int | None = None
    bought: Bought = field(default_factory=Counter)

    def end(self, status: str, at_ms: int) -> None:
        if self.status == "open":
            self.status, self.ended_ms = status, at_ms


class WonTicket(NamedTuple):
    """A ticket as its satellite awarded it."""

    player_id: str
    value: int
    currency: str
    origin: str
    event: str | None
    issued_ms: int
    expires_ms: int


class EntryRecount:
    """Entries and tickets of one tournament, event by event."""

    def __init__(self, spec: TournamentSpec) -> None:
        self._spec = spec
        self.entries: dict[str, RecountedEntry] = {}
        self.tickets: dict[str, WonTicket] = {}

    def follow(self, before: Tournament, event: Event) -> None:  # noqa: C901, PLR0912  one case per event
        entries = self.entries
        match event:
            case Registered():
                is_ticket, total = event.means is Means.TICKET, event.price.total
                risked = 0 if is_ticket else total
                entries[event.entry_id] = RecountedEntry(
                    event.player_id, is_ticket, is_ticket, event.at_ms, total, risked
                )
            case CarriedOver():
                for survivor in event.survivors:
                    entries[survivor.entry_id] = RecountedEntry(
                        survivor.player_id,
                        is_by_ticket=False,
                        has_ticket=False,
                        registered_ms=event.at_ms,
                        paid=0,
                        risked=0,
                        status="ended",
                    )
            case Unregistered():
                entries[event.entry_id].end("returned", event.at_ms)
                entries[event.entry_id].has_ticket = False
            case ChipsBought():
                entry = entries[event.entry_id]
                entry.paid += event.price.total
                entry.risked += event.price.total
                entry.bought[entry.player_id, event.reason, event.at_ms] += 1
            case Eliminated():
                entries[event.entry_id].end("ended", event.at_ms)
                if not before.is_open:
                    entries[event.entry_id].place = before.place_of(event.out_no)
            case RegistrationClosed():
                for known in before.entries.values():
                    if known.out_no is not None:
                        entries[known.entry_id].place = before.place_of(known.out_no)
            case PrizeAwarded():
                entries[event.entry_id].place = event.place
                if event.means is Means.TICKET:
                    self._award_ticket(event)
                else:
                    entries[event.entry_id].won += event.amount
            case PrizeHeld():
                entries[event.entry_id].place = event.place
            case BountyPaid():
                entries[event.eliminator].won += event.amount
            case VipPaid():
                for entry_id, amount in event.parts:
                    entries[entry_id].won += amount
            case Finished() | FlightEnded():
                for entry in entries.values():
                    entry.end("ended", event.at_ms)
            case Cancelled():
                self._cancel(event)

    def follow_to_second_phase(self, carried: Mapping[str, RecountedEntry]) -> None:
        """An entry of a flight wins in the second phase. `carried` are the entries of all second phases."""
        for entry_id in self.entries.keys() & carried.keys():
            entry, later = self.entries[entry_id], carried[entry_id]
            entry.won += later.won
            entry.place = later.place if later.place is not None else entry.place

    def _award_ticket(self, event: PrizeAwarded) -> None:
        self.tickets[f"{self._spec.tournament_id}-{event.place}"] = WonTicket(
            self.entries[event.entry_id].player_id,
            event.amount,
            self._spec.currency,
            Origin.SATELLITE.value,
            None,
            event.at_ms,
            event.at_ms + TICKET_DAYS * DAY_MS,
        )

    def _cancel(self, event: Cancelled) -> None:
        for refund in event.refunds:
            entry = self.entries[refund.entry_id]
            if refund.ticket is None:
                entry.won += refund.fees + refund.share + refund.bounty
            else:
                entry.has_ticket = False
            entry.end("returned" if event.case is Case.NOT_STARTED else "ended", event.at_ms)

    def faults(self, rows: Sequence[Any], bought: Sequence[Any]) -> Iterator[str]:
        """Compares the stored entries of the tournament, and rebuys and add-ons."""
        stored = {row.id: row for row in rows}
        found: dict[str, Bought] = {row.id: Counter() for row in rows}
        for row in bought:
            found[row.entry_id][row.player_id, row.kind, row.at_ms] += 1
        for entry_id, entry in self.entries.items():
            row = stored.pop(entry_id, None)
            if row is None or not self._is_as_paid(entry, row):
                yield f"entry {entry_id} is not as it was paid for"
                continue
            if (row.status, row.ended_ms) != (entry.status, entry.ended_ms):
                yield f"entry {entry_id} is {row.status}, and {entry.status} by the journal"
            if (row.won, row.place) != (entry.won, entry.place):
                yield f"entry {entry_id} has not won what the journal says, or not at this place"
            if found[entry_id] != entry.bought:
                yield f"entry {entry_id}: its rebuys and add-ons are not those of the journal"
        for entry_id in stored:
            yield f"entry {entry_id} is in no event of its journal"

    def _is_as_paid(self, entry: RecountedEntry, row: Any) -> bool:  # noqa: ANN401  a row of the entries
        """Players of HexaPro have registered before their game was made."""
        is_hexapro = self._spec.kind is TournamentKind.HEXAPRO
        registered_ms = row.registered_ms if is_hexapro else entry.registered_ms
        line = self._spec.source if is_hexapro else None
        paid = (entry.player_id, entry.is_by_ticket, registered_ms, entry.paid, entry.risked, line)
        return paid == (row.player_id, row.ticket_id is not None, row.registered_ms, row.paid, row.risked, row.line)


class Tickets:
    """All tickets: who has won them or got them from staff, and which entries they have paid for."""

    def __init__(self) -> None:
        self._won: dict[str, WonTicket] = {}
        self._uses: dict[str, tuple[str, str, int]] = {}  # entry, player and value by ticket

    def add(self, recount: EntryRecount, rows: Sequence[Any]) -> None:
        """Adds the tickets that a tournament has awarded, and those that pay for its entries."""
        self._won |= recount.tickets
        for row in rows:
            entry = recount.entries.get(row.id)
            if entry is not None and entry.has_ticket and row.ticket_id is not None:
                self._uses[row.ticket_id] = (row.id, row.player_id, entry.paid - entry.risked)

    def add_issued(self, rows: Sequence[Any]) -> None:
        """Adds tickets of promotions, given the entries of the audit log about them."""
        for row in rows:
            try:
                after = json.loads(row.after)
                issued = row.at_ms, row.at_ms + TICKET_DAYS * DAY_MS
                ticket = WonTicket(
                    row.target.removeprefix("user "),
                    after["amount_minor"],
                    after["currency"],
                    Origin.PROMOTION.value,
                    None,
                    *issued,
                )
                self._won[ticket_id_of(after["key"])] = ticket
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # `credits` names entries that describe nothing

    def faults(self, rows: Sequence[Any]) -> Iterator[str]:
        for row in rows:
            won, use = self._won.pop(row.id, None), self._uses.pop(row.id, None)
            if won is None and row.origin == Origin.SATELLITE:
                yield f"ticket {row.id}: no satellite has awarded it"
            if won is None and row.origin == Origin.PROMOTION:
                yield f"ticket {row.id}: the audit log does not say who has issued it"
            fields = (row.player_id, row.value, row.currency, row.origin, row.event, row.issued_ms, row.expires_ms)
            if won is not None and won != fields:
                yield f"ticket {row.id}: it is not as it was won"
            if (row.status == "used") != (use is not None) or row.entry_id != (use[0] if use else None):
                yield f"ticket {row.id}: it is {row.status}, and the entries say otherwise"
            elif use is not None and use[1:] != (row.player_id, row.value):
                yield f"ticket {row.id}: it has paid for an entry of another player or value"
        for ticket_id in (*self._won, *self._uses):
            yield f"ticket {ticket_id}: it is missing"
