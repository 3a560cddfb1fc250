"""Rows of entries and tickets that follow from the events of a tournament, and the losses of players with a limit.

An entry counts for loss limits when it ends, on the day it was paid for. What it wins later, such as a prize that is
paid after the knock-out, is added to that day.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.poker.tournament.cancel import Case
from casino.poker.tournament.commands import Means
from casino.poker.tournament.entries import DAY_MS, TICKET_DAYS, Origin
from casino.poker.tournament.events import Eliminated, Event, Finished, FlightEnded, Registered, Unregistered
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
from casino.refusals import Reason
from casino.responsible_gaming import daily_losses
from casino.responsible_gaming.daily_losses import Played
from casino.storage.bulk import update_rows
from casino.storage.tournament_schema import tickets, tournament_entries, tournament_purchases

_entry = tournament_entries.c


class Payment(NamedTuple):
    """What a player pays for an entry, a rebuy or an add-on: `ticket_id` is None for money."""

    player_id: str
    key: str
    amount: int
    ticket_id: str | None = None


def ticket_id_of(tournament_id: str, place: int) -> str:
    """Id of the ticket that this place of a satellite has won."""
    return f"{tournament_id}-{place}"


class EntryRows:
    """Rows of one transaction."""

    def __init__(self, connection: AsyncConnection, spec: TournamentSpec) -> None:
        self._connection = connection
        self._spec = spec
        self._played: dict[int, dict[str, Played]] = defaultdict(dict)  # by day and player

    async def note(self, before: Tournament, event: Event, payments: Mapping[str, Payment]) -> None:  # noqa: C901, PLR0912  one case per event
        match event:
            case Registered():
                await self._register(event, payments)
            case Unregistered():
                await self._end([event.entry_id], event.at_ms, status="returned")
                if event.means is Means.TICKET:
                    await self._reopen_ticket(event.entry_id)
            case ChipsBought():
                total = event.price.total
                await self._change(event.entry_id, risked=_entry.risked + total, paid=_entry.paid + total)
                await self._purchase(event, payments[before.entries[event.entry_id].player_id])
            case Eliminated():
                await self._end([event.entry_id], event.at_ms)
                if not before.is_open:
                    await self._change(event.entry_id, place=before.place_of(event.out_no))
            case RegistrationClosed():
                out = [entry for entry in before.entries.values() if entry.out_no is not None]
                places = [(entry.entry_id, before.place_of(entry.out_no or 0)) for entry in out]
                if places:
                    await update_rows(self._connection, tournament_entries, ("id",), ("place",), places)
            case PrizeAwarded():
                await self._change(event.entry_id, place=event.place)
                if event.means is Means.TICKET:
                    await self._issue_ticket(before, event)
                else:
                    await self._won(event.entry_id, event.amount)
            case PrizeHeld():
                await self._change(event.entry_id, place=event.place)
            case BountyPaid():
                await self._won(event.eliminator, event.amount)
            case VipPaid():
                for entry_id, amount in event.parts:
                    await self._won(entry_id, amount)
            case Finished() | FlightEnded():
                left = [entry.entry_id for entry in before.entries.values() if entry.out_no is None]
                await self._end(left, event.at_ms)
            case Cancelled():
                await self._cancel(event)

    async def count_losses(self) -> None:
        """Adds what has ended to the daily losses of players with a loss limit."""
        players = sorted({player_id for played in self._played.values() for player_id in played})
        limited = await daily_losses.limited_among(self._connection, players) if players else frozenset()
        for day_ms, played in sorted(self._played.items()):
            counted = {player_id: amounts for player_id, amounts in played.items() if player_id in limited}
            await daily_losses.add(self._connection, day_ms, counted)

    async def _register(self, event: Registered, payments: Mapping[str, Payment]) -> None:
        if self._spec.kind is TournamentKind.HEXAPRO:
            entered = update(tournament_entries).where(_entry.id == event.entry_id, _entry.status == "waiting")
            found = await self._connection.execute(
                entered.values(status="open", tournament_id=self._spec.tournament_id)
            )
            if found.rowcount != 1:
                raise RuntimeError(f"entry {event.entry_id} does not wait in the line")
            return
        payment, total = payments[event.player_id], event.price.total
        if event.means is Means.TICKET:
            await self._use_ticket(event, payment)
        row = {
            "id": event.entry_id,
            "player_id": event.player_id,
            "key": payment.key,
            "tournament_id": self._spec.tournament_id,
            "ticket_id": payment.ticket_id,
            "status": "open",
            "registered_ms": event.at_ms,
            "risked": 0 if event.means is Means.TICKET else total,
            "paid": total,
        }
        await self._connection.execute(tournament_entries.insert().values(row))

    async def _purchase(self, event: ChipsBought, payment: Payment) -> None:
        row = {"player_id": payment.player_id, "key": payment.key, "entry_id": event.entry_id}
        bought = {"kind": event.reason, "at_ms": event.at_ms}
        await self._connection.execute(tournament_purchases.insert().values(row | bought))

    async def verify_ticket(self, payment: Payment, at_ms: int) -> None:
        """Refuses a ticket that does not pay for this entry, before money moves."""
        usable = select(tickets.c.id).where(*self._is_usable(payment, at_ms))
        if await self._connection.scalar(usable) is None:
            raise Reason.TICKET_UNUSABLE.refusal()

    async def _use_ticket(self, event: Registered, payment: Payment) -> None:
        paid = payment._replace(player_id=event.player_id, amount=event.price.total)
        used = update(tickets).where(*self._is_usable(paid, event.at_ms))
        changed = await self._connection.execute(used.values(status="used", entry_id=event.entry_id))
        if changed.rowcount != 1:
            raise Reason.TICKET_UNUSABLE.refusal()

    def _is_usable(self, payment: Payment, at_ms: int) -> tuple[ColumnElement[bool], ...]:
        columns, spec = tickets.c, self._spec
        own = (columns.id == payment.ticket_id, columns.player_id == payment.player_id)
        is_open = (columns.currency == spec.currency, columns.status == "open", columns.expires_ms > at_ms)
        fits = columns.event.is_(None) | (columns.event == spec.source)
        return (*own, *is_open, columns.value == payment.amount, fits)

    async def _reopen_ticket(self, entry_id: str) -> None:
        reopened = update(tickets).where(tickets.c.entry_id == entry_id)
        await self._connection.execute(reopened.values(status="open", entry_id=None))

    async def _issue_ticket(self, before: Tournament, event: PrizeAwarded) -> None:
        row = {
            "id": ticket_id_of(self._spec.tournament_id, event.place),
            "player_id": before.entries[event.entry_id].player_id,
            "value": event.amount,
            "currency": self._spec.currency,
            "origin": Origin.SATELLITE.value,
            "issued_ms": event.at_ms,
            "expires_ms": event.at_ms + TICKET_DAYS * DAY_MS,
            "status": "open",
        }
        await self._connection.execute(tickets.insert().values(row))

    async def _cancel(self, event: Cancelled) -> None:
        for refund in event.refunds:
            if refund.ticket is not None:
                await self._reopen_ticket(refund.entry_id)
            else:
                await self._won(refund.entry_id, refund.fees + refund.share + refund.bounty)
        status = "returned" if event.case is Case.NOT_STARTED else "ended"
        await self._end([refund.entry_id for refund in event.refunds], event.at_ms, status=status)

    async def _change(self, entry_id: str, **values: Any) -> None:  # noqa: ANN401  any column
        await self._connection.execute(update(tournament_entries).where(_entry.id == entry_id).values(values))

    async def _won(self, entry_id: str, amount: int) -> None:
        if not amount:
            return
        await self._change(entry_id, won=_entry.won + amount)
        query = select(_entry.player_id, _entry.registered_ms).where(_entry.id == entry_id, _entry.status == "ended")
        row = (await self._connection.execute(query)).first()
        if row is not None:
            self._count(row.player_id, row.registered_ms, Played(0, amount))

    async def _end(self, entry_ids: list[str], at_ms: int, *, status: str = "ended") -> None:
        ended = update(tournament_entries).where(_entry.id.in_(entry_ids), _entry.status == "open")
        columns = (_entry.player_id, _entry.registered_ms, _entry.risked, _entry.won)
        for row in (
            await self._connection.execute(ended.values(status=status, ended_ms=at_ms).returning(*columns))
        ).all():
            if status == "ended":
                self._count(row.player_id, row.registered_ms, Played(row.risked, row.won))

    def _count(self, player_id: str, registered_ms: int, played: Played) -> None:
        day = self._played[daily_losses.day_of(registered_ms)]
        so_far = day.get(player_id, Played())
        day[player_id] = Played(so_far.staked + played.staked, so_far.returned + played.returned)
