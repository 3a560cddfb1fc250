"""Money of a tournament: the ledger operation of each event, at most one.

An operation follows from the event and the state before it, so that `casino verify` recomputes it. Its key is the id of
the tournament and the number of the event in the journal. Chips have no value; prizes, heads and fees are money.
"""

from collections.abc import Iterator
from typing import Final

from casino.ledger import accounts
from casino.ledger.accounts import Account
from casino.ledger.posting import Operation, Posting, move
from casino.poker.tournament.commands import Means
from casino.poker.tournament.events import CarriedOver, Event, Finished, FlightEnded, Registered, Unregistered
from casino.poker.tournament.money_events import (
    BountyPaid,
    Cancelled,
    ChipsBought,
    PrizeAwarded,
    PrizeHeld,
    RegistrationClosed,
    VipPaid,
)
from casino.poker.tournament.records import RefundRecord
from casino.poker.tournament.state import Entry, Tournament
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of

KINDS: Final[dict[type[Event], str]] = {
    Registered: "mtt_register",
    Unregistered: "mtt_unregister",
    ChipsBought: "mtt_chips",
    RegistrationClosed: "mtt_overlay",
    PrizeAwarded: "mtt_prize",
    PrizeHeld: "mtt_prize_held",
    BountyPaid: "mtt_bounty",
    VipPaid: "mtt_vip",
    Cancelled: "mtt_refund",
    FlightEnded: "mtt_flight_end",
    CarriedOver: "mtt_phase_two",
    Finished: "mtt_end",
}
"""Operation kinds by event, as the ledger and its exports name them."""


def operation_of(spec: TournamentSpec, before: Tournament, event: Event, seq: int) -> Operation | None:
    """The operation of an event, None if it moves no money. `before` is the state without the event."""
    kind = KINDS.get(type(event))
    if kind is None:
        return None
    postings = tuple(_Mover(spec, before).postings(event))
    return Operation(f"{spec.tournament_id}:{seq}", kind, postings, spec.tournament_id) if postings else None


def pool_left(state: Tournament) -> int:
    """What the account of the pool holds: the money of the house comes when registration closes."""
    return state.pool + (0 if state.is_open else _from_house(state, state.overlay)) - state.credited - state.held


def heads_left(state: Tournament) -> int:
    return sum(entry.head for entry in state.entries.values())


def _from_house(state: Tournament, overlay: int) -> int:
    """Overlay and added money; a flight has neither, and a drawn pool may leave the house a part."""
    return 0 if state.terms.flight_ends_level is not None else overlay + state.terms.added


class _Mover:
    def __init__(self, spec: TournamentSpec, before: Tournament) -> None:
        self._spec = spec
        self._before = before

    def postings(self, event: Event) -> Iterator[Posting]:  # noqa: C901, PLR0912  one case per event
        spec, currency = self._spec, self._spec.currency
        promo = accounts.promo(currency)
        match event:
            case Registered():
                payer = self._payer(event)
                yield from _some(event.price.pool, payer, spec.pool)
                yield from _some(event.price.bounty, payer, spec.bounties)
                yield from _some(event.price.fee, payer, spec.fees)
            case Unregistered():
                entry = self._before.entries[event.entry_id]
                back = accounts.tickets(currency) if event.means is Means.TICKET else self._cash(event.entry_id)
                yield from _some(entry.price.pool, spec.pool, back)
                yield from _some(entry.price.bounty, spec.bounties, back)
                yield from _some(entry.price.fee, spec.fees, back)
            case ChipsBought():
                yield from _some(event.price.pool, self._cash(event.entry_id), spec.pool)
                yield from _some(event.price.fee, self._cash(event.entry_id), spec.fees)
            case RegistrationClosed():
                added = _from_house(self._before, event.overlay)
                yield from _some(added, promo, spec.pool)
                yield from _some(-added, spec.pool, promo)
            case PrizeAwarded():
                to = accounts.tickets(currency) if event.means is Means.TICKET else self._cash(event.entry_id)
                yield from _some(event.amount, spec.pool, to)
            case PrizeHeld():
                player_id = self._before.entries[event.entry_id].player_id
                yield from _some(event.amount, spec.pool, accounts.held(spec.tournament_id, player_id, currency))
            case BountyPaid():
                yield from _some(event.amount, spec.bounties, self._cash(event.eliminator))
            case VipPaid():
                for entry_id, amount in event.parts:
                    yield from _some(amount, promo, self._cash(entry_id))
            case Cancelled():
                yield from self._cancelled(event)
            case FlightEnded():
                yield from self._flight_ended(event)
            case CarriedOver():
                yield from self._carried_over(event)
            case Finished():
                assert not pool_left(self._before), "a finished tournament has paid its whole pool"
                yield from _some(self._before.fees, spec.fees, accounts.fees(currency))
                yield from _some(heads_left(self._before), spec.bounties, promo)

    def _flight_ended(self, event: FlightEnded) -> Iterator[Posting]:
        """The pool waits for the second phase, with the fees of those who go on to it."""
        spec, target = self._spec, self._before.terms.target
        assert target is not None, "a flight leads to a second phase"
        brought = sum(survivor.fees for survivor in event.survivors)
        waiting = source_of(target, spec.currency)
        yield from _some(event.pool, spec.pool, accounts.tournament_pool(waiting, spec.currency))
        yield from _some(brought, spec.fees, accounts.tournament_fees(waiting, spec.currency))
        yield from _some(self._before.fees - brought, spec.fees, accounts.fees(spec.currency))

    def _carried_over(self, event: CarriedOver) -> Iterator[Posting]:
        spec = self._spec
        fees = accounts.tournament_fees(spec.source, spec.currency)
        yield from _some(event.pool, accounts.tournament_pool(spec.source, spec.currency), spec.pool)
        yield from _some(sum(survivor.fees for survivor in event.survivors), fees, spec.fees)
        yield from _some(event.fees_earned, fees, accounts.fees(spec.currency))

    def _cancelled(self, event: Cancelled) -> Iterator[Posting]:
        """Refunds; what is left is the house's: the rest of pool and heads was its own, fees of others are earned."""
        spec, promo = self._spec, accounts.promo(self._spec.currency)
        from_pool = sum(refund.share for refund in event.refunds)
        from_fees = sum(refund.fees for refund in event.refunds)
        from_heads = sum(refund.bounty for refund in event.refunds)
        for refund in event.refunds:
            if refund.ticket is not None:
                price = self._before.entries[refund.entry_id].price
                from_pool, from_fees = from_pool + price.pool, from_fees + price.fee
                from_heads += price.bounty
        pool, fees, heads = pool_left(self._before), self._before.fees, heads_left(self._before)
        yield from _some(from_pool - pool, promo, spec.pool)
        yield from _some(from_fees - fees, promo, spec.fees)
        for refund in event.refunds:
            yield from self._refund(refund)
        yield from _some(pool - from_pool, spec.pool, promo)
        yield from _some(fees - from_fees, spec.fees, accounts.fees(spec.currency))
        yield from _some(heads - from_heads, spec.bounties, promo)

    def _refund(self, refund: RefundRecord) -> Iterator[Posting]:
        spec, entry = self._spec, self._before.entries[refund.entry_id]
        if refund.ticket is not None:
            to, price = accounts.tickets(spec.currency), entry.price
            parts = (price.pool, price.bounty, price.fee)
        else:
            to = self._cash(refund.entry_id)
            parts = (refund.share, refund.bounty, refund.fees)
        for amount, account in zip(parts, (spec.pool, spec.bounties, spec.fees), strict=True):
            yield from _some(amount, account, to)

    def _cash(self, entry_id: str) -> Account:
        entry: Entry = self._before.entries[entry_id]
        return accounts.player_cash(entry.player_id, self._spec.currency)

    def _payer(self, event: Registered) -> Account:
        if self._spec.kind is TournamentKind.HEXAPRO:
            return self._spec.line_pool  # paid when the player joined the line
        if event.means is Means.TICKET:
            return accounts.tickets(self._spec.currency)
        return accounts.player_cash(event.player_id, self._spec.currency)


def _some(amount: int, source: Account, destination: Account) -> Iterator[Posting]:
    if amount > 0:
        yield move(amount, source, destination)
