"""Registration desk: players enter tournaments and leave them, buy chips, and decline offers.

A repeated key is the same entry or purchase. A message that moves money is answered once it is stored.
"""

from collections.abc import Callable, Mapping
from typing import Final

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.poker.tournament.commands import AddOn, Command, Decline, Means, Rebuy, Register, Start, Unregister
from casino.poker.tournament.state import Entry, Status
from casino.poker_room.senders import Sender
from casino.poker_room.tournament.balance_publisher import BalancePublisher
from casino.poker_room.tournament.entry_rows import Payment
from casino.poker_room.tournament.ids import new_entry_id
from casino.poker_room.tournament.journal_store import JournalStore
from casino.poker_room.tournament.messages import BuyChips, DeclineOffer, RegisterEntry, UnregisterEntry
from casino.poker_room.tournament.rebuy_requests import RebuyRequests
from casino.poker_room.tournament.requirements import verify_requirements
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind
from casino.refusals import Reason
from casino.storage.database import Database
from casino.wire.outbound import Payload
from casino.wire.poker_entries import ChipsBoughtAck, RegisteredAck, UnregisteredAck

_AS_CODES_OF_REGISTRATION: Final = {
    Code.TOO_LATE: Reason.REGISTRATION_CLOSED,
    Code.ALREADY_DECIDED: Reason.ALREADY_REGISTERED,
}
"""The rules know no registration desk: their refusals in the words of players."""


class RegistrationDesk:
    """`by_entry` is the tournament of each entry."""

    def __init__(
        self,
        database: Database,
        journals: JournalStore,
        balances: BalancePublisher,
        requests: RebuyRequests,
        clock: Clock,
        *,
        running: Mapping[str, RunningTournament],
        by_entry: dict[str, RunningTournament],
        is_draining: Callable[[], bool],
    ) -> None:
        self._database = database
        self._journals = journals
        self._balances = balances
        self._requests = requests
        self._clock = clock
        self._running = running
        self._by_entry = by_entry
        self._is_draining = is_draining

    async def register(self, message: RegisterEntry) -> RegisteredAck:
        sender = message.sender
        known = await self._journals.known_entries(sender.player_id, message.key)
        if known:
            if known[0].tournament_id != message.tournament_id:
                raise Reason.KEY_REUSED.refusal()
            return {"entry_id": known[0].entry_id, "available": await self._balances.available(sender.player_id)}
        running = self._found(message.tournament_id)
        self._verify_may_enter(running, sender)
        total = message.amount or running.state.terms.price.total
        payment = Payment(sender.player_id, message.key, total, message.ticket_id)
        entry_id = await self._enter(running, sender.name, payment, message.amount)
        return {"entry_id": entry_id, "available": await self._balances.send(running, sender.player_id)}

    async def enter_winner(self, running: RunningTournament, name: str, payment: Payment) -> str:
        """Enters the winner of a satellite with the ticket; returns the entry."""
        if self._is_draining():
            raise Reason.TABLE_STOPPED.refusal()
        return await self._enter(running, name, payment)

    async def _enter(self, running: RunningTournament, name: str, payment: Payment, amount: int = 0) -> str:
        player_id, has_ticket = payment.player_id, payment.ticket_id is not None
        requirements = running.state.terms.requirements
        if requirements:
            await verify_requirements(self._database, player_id, requirements, has_ticket=has_ticket)
        entry_id = new_entry_id()
        running.names[player_id] = name
        command = Register(entry_id, player_id, Means.TICKET if has_ticket else Means.MONEY, amount)
        try:
            await running.director.post(command, payment)
        except Refusal as refusal:
            reason = _AS_CODES_OF_REGISTRATION.get(refusal.code)
            raise (refusal if reason is None else reason.refusal()) from None
        if _is_full(running):
            running.director.post(Start())
        return entry_id

    def _verify_may_enter(self, running: RunningTournament, sender: Sender) -> None:
        if self._is_draining():
            raise Reason.TABLE_STOPPED.refusal()
        if running.spec.currency != sender.currency:
            raise Reason.OTHER_CURRENCY.refusal()
        if self._clock() < running.spec.opens_ms or running.spec.kind is TournamentKind.HEXAPRO:
            raise Reason.REGISTRATION_CLOSED.refusal()

    async def unregister(self, message: UnregisterEntry) -> UnregisteredAck:
        sender = message.sender
        running = self._by_entry.get(message.entry_id)
        entry = running.state.entries.get(message.entry_id) if running is not None else None
        if running is None or entry is None or entry.player_id != sender.player_id:
            return await self._unregistered_before(message)
        await running.director.post(Unregister(message.entry_id))
        self._by_entry.pop(message.entry_id, None)
        available = await self._balances.send(running, sender.player_id)
        return {"returned": entry.means.value, "available": available}

    async def _unregistered_before(self, message: UnregisterEntry) -> UnregisteredAck:
        """The same message again has the same answer."""
        returned = await self._journals.returned_means(message.sender.player_id, message.entry_id)
        if returned is None:
            raise Reason.NOT_REGISTERED.refusal()
        return {"returned": returned, "available": await self._balances.available(message.sender.player_id)}

    async def buy_chips(self, message: BuyChips) -> ChipsBoughtAck:
        """Between two hands, or for a player without chips: at once. During a hand: after it."""
        sender = message.sender
        running, entry = self._own(message.tournament_id, sender)
        known = await self._journals.purchase_of(sender.player_id, message.key)
        if known is not None:
            is_same = known.entry_id in running.state.entries and (known.kind == "add_on") == message.is_add_on
            if not is_same:
                raise Reason.KEY_REUSED.refusal()
        else:
            terms = running.state.terms
            offer = terms.addon if message.is_add_on else terms.rebuy
            if offer is None:
                raise Reason.NOT_OFFERED.refusal()
            payment = Payment(sender.player_id, message.key, offer.price.total)
            table = running.seats.get(sender.player_id)
            if not message.is_add_on and table is not None and table.is_dealt_in(sender.player_id):
                self._requests.add(running, entry.entry_id, payment)
            else:
                command: Command = AddOn(entry.entry_id) if message.is_add_on else Rebuy(entry.entry_id)
                await running.director.post(command, payment)
        chips = running.state.entries[entry.entry_id].chips
        available = await self._balances.send(running, sender.player_id)
        return {"entry_id": entry.entry_id, "stack": chips, "available": available}

    async def decline(self, message: DeclineOffer) -> Payload:
        running, entry = self._own(message.tournament_id, message.sender)
        await running.director.post(Decline(entry.entry_id))
        return {}

    def _own(self, tournament_id: str, sender: Sender) -> tuple[RunningTournament, Entry]:
        running = self._found(tournament_id)
        entry = running.entry_of(sender.player_id)
        if entry is None:
            raise Reason.NOT_REGISTERED.refusal()
        return running, entry

    def _found(self, tournament_id: str) -> RunningTournament:
        running = self._running.get(tournament_id)
        if running is None:
            raise Reason.NOT_FOUND.refusal()
        return running


def _is_full(running: RunningTournament) -> bool:
    """A Sit & Go starts when all seats are taken."""
    state = running.state
    is_waiting = state.status is Status.REGISTERING and state.terms.is_sit_and_go
    return is_waiting and len(state.entries) == state.terms.entries_max
