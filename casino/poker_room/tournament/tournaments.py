"""Tournaments of the room: announces and starts them, and answers the messages of players about them.

A message that moves money is answered once it is stored. Messages to a table are answered at once.
"""

import asyncio
import secrets
from collections import Counter, defaultdict
from collections.abc import Coroutine, Sequence
from typing import Any, Final

import structlog
from typing_extensions import TypedDict

from casino.clock import Clock
from casino.errors import Code, Refusal
from casino.poker.state import Hand, Status
from casino.poker.tournament.commands import (
    AddOn,
    Cancel,
    Command,
    Decline,
    HandDone,
    Means,
    Rebuy,
    Register,
    SeatChips,
    Start,
    TimePasses,
    Unregister,
)
from casino.poker.tournament.director import announce, begin, evolve
from casino.poker.tournament.events import Registered
from casino.poker.tournament.state import Entry, Tournament
from casino.poker.tournament.state import Status as TournamentStatus
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.balances import Balances
from casino.poker_room.decks import Decks
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import (
    ActInHand,
    ConnectionLost,
    Join,
    Message,
    PreAct,
    RoomPublisher,
    ShowCards,
    SitOut,
)
from casino.poker_room.pool import Draw
from casino.poker_room.running_table import TableMessage
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.senders import Sender
from casino.poker_room.tournament.announcer import Announcer
from casino.poker_room.tournament.cancellations import Cancellations
from casino.poker_room.tournament.director import Director
from casino.poker_room.tournament.due_times import next_due_ms
from casino.poker_room.tournament.entry_rows import Payment
from casino.poker_room.tournament.floor import TournamentFloor
from casino.poker_room.tournament.follow_steps import StepFollower, moves_money
from casino.poker_room.tournament.hexapro_lines import HexaproLines, Line
from casino.poker_room.tournament.hexapro_store import CommittedDraw, HexaproStore
from casino.poker_room.tournament.journal_store import JournalStore, Step, Stored
from casino.poker_room.tournament.messages import (
    BuyChips,
    CancelHexa,
    CancelTournament,
    DeclineOffer,
    FollowTournament,
    ListEntries,
    ListTournaments,
    PreviewCancellation,
    RegisterEntry,
    RegisterHexa,
    TournamentFromPlayer,
    UnfollowTournament,
    UnregisterEntry,
    ViewTournament,
)
from casino.poker_room.tournament.requirements import verify_requirements
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.scheduled import LOOK_MS, Schedule, row_of
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.poker_room.tournament.tournament_lobby import TournamentLobby
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.poker_room.tournament.tournament_views import own_entry_view, page_view, tournament_view
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.wire.outbound import Payload
from casino.wire.player_events import BALANCE
from casino.wire.poker_tournaments import (
    HEXA,
    TOURNAMENT,
    ChipsBoughtAck,
    HexaLine,
    HexaReveal,
    OwnEntry,
    RegisteredAck,
    TournamentRow,
    UnregisteredAck,
)

_log = structlog.get_logger()


class TournamentsInLobby(TypedDict):
    lines: list[HexaLine]
    tournaments: list[TournamentRow]


SCHEDULE: Final = "schedule"
"""Deadline of the next look at the schedule."""
Answer = Payload | Coroutine[Any, Any, Payload | None]
_CLOCKS: Final = {TournamentKind.SIT_AND_GO: "sng"}
_AS_CODES_OF_REGISTRATION: Final = {
    Code.TOO_LATE: Reason.REGISTRATION_CLOSED,
    Code.ALREADY_DECIDED: Reason.ALREADY_REGISTERED,
}
"""The rules know no registration desk: their refusals in the words of players."""


class Tournaments:
    """`draw` decides seats, moves and ties. Only tests pass `draw`."""

    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        publisher: RoomPublisher,
        clock: Clock,
        *,
        decks: Decks,
        draw: Draw,
        store: HandStore,
        money: SeatMoney,
    ) -> None:
        self.settings: Final = settings
        self.running: Final[dict[str, RunningTournament]] = {}
        self.journals: Final = JournalStore(database)
        self._publisher = publisher
        self._clock = clock
        self._draw = draw
        self._money = money
        self._by_entry: dict[str, RunningTournament] = {}
        self._of_player: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._cancellations = Cancellations(database, clock, draw)
        self._offering: set[str] = set()  # Sit & Gos that are being announced
        self._schedule = Schedule(settings, database, clock)
        self._database = database
        self._rebuys: dict[str, dict[str, Payment]] = {}  # asked for during a hand, by tournament and entry
        self.floor: Final = TournamentFloor(
            settings,
            database,
            publisher,
            clock,
            decks=decks,
            store=store,
            balances=Balances(money),
            report=self._report,
            run_due=self._run_due,
        )
        self._follower = StepFollower(
            settings, self.floor, publisher, Announcer(publisher), clock, on_closed=self._forget
        )
        self.lobby: Final = TournamentLobby(self.running, publisher, clock)
        self.hexapro: Final = HexaproLines(
            settings,
            HexaproStore(database, decks.seal),
            self.journals,
            money,
            clock,
            pick=draw,
            start=self._start_hexapro,
            playing=self._hexapro_games,
            changed=self.lobby.line_changed,
        )

    # Announcing

    async def offer_sit_and_gos(self) -> None:
        """Opens registration for every Sit & Go that has none open."""
        if self.floor.is_draining:
            return
        open_now = {
            running.spec.source
            for running in self.running.values()
            if running.state.status is TournamentStatus.REGISTERING
        }
        now_ms, new = self._clock(), list[tuple[TournamentSpec, TournamentTerms]]()
        for row in self.settings.sit_and_gos.sng:
            for buy_in in row.buy_ins:
                for currency in self.settings.room.currencies:
                    source = source_of(row.id, currency, buy_in.total)
                    if source in open_now | self._offering:
                        continue
                    kind = TournamentKind.SIT_AND_GO
                    spec = TournamentSpec(new_tournament_id(kind), kind, source, currency, "sng", now_ms)
                    new.append((spec, self.settings.sit_and_go_terms(row, buy_in, spec.tournament_id, now_ms)))
        self._offering |= {spec.source for spec, _ in new}
        try:
            await self._announce_all(new)
        finally:
            self._offering -= {spec.source for spec, _ in new}

    async def announce_scheduled(self) -> None:
        """Announces tournaments of the schedule whose registration is open by now, and looks again in a minute."""
        if self.floor.is_draining:
            return
        self.floor.deadlines.set(SCHEDULE, self._clock() + LOOK_MS)
        due = await self._schedule.due()
        await self._announce_all([self._schedule.terms(one, new_tournament_id(TournamentKind.MTT)) for one in due])

    async def _announce_all(self, new: Sequence[tuple[TournamentSpec, TournamentTerms]]) -> None:
        if not new:
            return
        announced = [(spec, announce(terms, self._clock())) for spec, terms in new]
        heads = await self.journals.announce_all(announced)
        for (spec, first), head in zip(announced, heads, strict=True):
            self.add(Stored(spec, head, (first,)), begin(first))

    async def announce(self, spec: TournamentSpec, terms: TournamentTerms) -> RunningTournament:
        announced = announce(terms, self._clock())
        head = await self.journals.announce(spec, announced)
        return self.add(Stored(spec, head, (announced,)), begin(announced))

    def add(self, stored: Stored, state: Tournament) -> RunningTournament:
        """Runs a stored tournament from this state on."""
        director = Director(
            stored.spec,
            state,
            stored.head,
            store=self.journals,
            follow=self._follow,
            clock=self._clock,
            pick=self._draw,
        )
        running = RunningTournament(director)
        self.running[stored.spec.tournament_id] = running
        for entry_id in state.entries:
            self._by_entry[entry_id] = running
        self.arm(running)
        self.lobby.changed(running)
        return running

    async def _follow(self, director: Director, steps: Sequence[Step]) -> None:
        running = self.running[director.tournament_id]
        for step in steps:
            if isinstance(step.event, Registered):
                self._by_entry[step.event.entry_id] = running
        await self._follower.follow(running, steps)
        self.arm(running)
        self._show(running)
        affected = {player_id for step in steps if moves_money(step.event) for player_id in _paid(step)}
        for player_id in sorted(affected):
            self.floor.tasks.spawn(self._balance_changed(running, player_id), "tournament balance")
        if running.spec.kind is TournamentKind.SIT_AND_GO and any(step.event.kind == "started" for step in steps):
            self.floor.tasks.spawn(self.offer_sit_and_gos(), "sit and go")

    def _forget(self, running: RunningTournament) -> None:
        """A tournament that is over stays in the database only."""
        self.floor.deadlines.set(running.tournament_id, None)
        self.running.pop(running.tournament_id, None)
        for entry_id in running.state.entries:
            self._by_entry.pop(entry_id, None)
        line = self.hexapro.lines.get(running.spec.source)
        if line is not None:  # its players may have waited for one of their games to end
            self.floor.tasks.spawn(self.hexapro.serve(line), "hexapro line")

    def _hexapro_games(self) -> Counter[str]:
        """Running HexaPro games of each player."""
        games = (running for running in self.running.values() if running.spec.kind is TournamentKind.HEXAPRO)
        return Counter(entry.player_id for running in games for entry in running.state.entries.values())

    async def _start_hexapro(
        self, line: Line, stored: Stored, steps: list[Step], draw: CommittedDraw, names: dict[str, str]
    ) -> None:
        """Reveals the draw to the three players and seats them."""
        running = self.add(stored, evolve(steps[-1].before, steps[-1].event))
        running.names = names
        await self._follow(running.director, steps)
        terms = running.state.terms
        assert terms.draw is not None
        (table,) = running.tables.values()
        reveal: HexaReveal = {
            "tournament_id": running.tournament_id,
            "line": line.line,
            "product": line.product.product_id,
            "game_no": draw.no,
            "buy_in": line.buy_in,
            "multiplier": terms.draw.multiplier,
            "number": draw.number,
            "secret": draw.secret,
            "commitment": draw.commitment,
            "prizes": [*running.state.prizes],
            "stack": terms.stack,
            "level_minutes": terms.structure.minutes,
            "first_hand_at": table.next_hand_at or self._clock(),
            "table_id": table.terms.table_id,
        }
        for player_id in names:
            self._publisher.to_player(player_id, HEXA(reveal))

    # Time

    def arm(self, running: RunningTournament) -> None:
        self.floor.deadlines.set(running.tournament_id, next_due_ms(running.state, self._clock()))

    def _run_due(self, tournament_id: str, now_ms: int) -> None:
        if tournament_id == SCHEDULE:
            self.floor.tasks.spawn(self.announce_scheduled(), "tournament schedule")
            return
        running = self.running.get(tournament_id)
        if running is None or self.floor.is_draining:
            return
        is_start = running.state.status is TournamentStatus.REGISTERING and now_ms >= running.state.terms.starts_ms
        running.director.post(Start() if is_start else TimePasses())

    def _report(self, running: RunningTournament, table_no: int, hand: Hand) -> None:
        if running.state.status is not TournamentStatus.RUNNING:
            return
        rebuys = self._rebuys.pop(running.tournament_id, {})
        command = hand_done(table_no, hand)
        if rebuys:
            self.floor.tasks.spawn(self._report_with_rebuys(running, command, rebuys), "tournament rebuys")
        else:
            running.director.post(command)

    async def _report_with_rebuys(
        self, running: RunningTournament, command: HandDone, rebuys: dict[str, Payment]
    ) -> None:
        """A rebuy that the balance does not cover any more is dropped, and the hand counts all the same."""
        here = {entry_id: payment for entry_id, payment in rebuys.items() if self._sits_at(running, entry_id, command)}
        others = {entry_id: payment for entry_id, payment in rebuys.items() if entry_id not in here}
        self._rebuys.setdefault(running.tournament_id, {}).update(others)
        if not here:
            running.director.post(command)
            return
        with_rebuys = HandDone(command.table_no, command.stacks, command.awards, command.is_void, tuple(here))
        try:
            await running.director.post(with_rebuys, *here.values())
        except Refusal:
            running.director.post(command)

    def _sits_at(self, running: RunningTournament, entry_id: str, command: HandDone) -> bool:
        entry = running.state.entries.get(entry_id)
        return entry is not None and entry.table_no == command.table_no

    # Messages

    def take(self, message: Message, now_ms: int) -> Answer | None:
        """Answers a message about tournaments or their tables; None if it is not one."""
        match message:
            case RegisterEntry() | UnregisterEntry() | BuyChips() | DeclineOffer() | RegisterHexa() | CancelHexa():
                return self._of(message)
            case FollowTournament() | UnfollowTournament() | ListTournaments() | ListEntries() | ViewTournament():
                return self._view(message, now_ms)
            case PreviewCancellation():
                return self._cancellations.preview(self.found(message.tournament_id))
            case CancelTournament():
                return self._cancel(message)
            case Join() | ActInHand() | PreAct() | ShowCards():
                table = self.floor.find(message.table_id)
                return None if table is None else self._at_table(table, message, now_ms)
            case SitOut():
                return self._sit_out(message, now_ms)
            case ConnectionLost():
                for table in self._tables_of(message.player_id):
                    table.lost(message.player_id, message.connection, now_ms)
                    self.floor.changed(table)
        return None

    def _at_table(self, table: TournamentTable, message: TableMessage, now_ms: int) -> Payload:
        try:
            return table.handle(message, now_ms)
        finally:
            self.floor.changed(table)

    def _sit_out(self, message: SitOut, now_ms: int) -> Payload | None:
        """A request for one table, or for all; the room answers the latter for its cash tables, too."""
        tables = self._tables_of(message.sender.player_id)
        if message.table_id is not None:
            tables = [table for table in tables if table.terms.table_id == message.table_id]
        for table in tables:
            table.sit_out(message.sender.player_id, now_ms, is_on=message.is_on)
            self.floor.changed(table)
        if message.table_id is None or not tables:
            return None
        return {"sitting_out": message.is_on, "until": None}

    def is_seated(self, player_id: str) -> bool:
        return bool(self._tables_of(player_id))

    def _tables_of(self, player_id: str) -> list[TournamentTable]:
        found = (running.seats.get(player_id) for running in self.running.values())
        return [table for table in found if table is not None]

    # Entries

    async def _of(self, message: TournamentFromPlayer) -> Payload:
        """One message of a player that moves money at a time: a repeated key finds what the first one has stored."""
        async with self._of_player[message.sender.player_id]:
            match message:
                case RegisterEntry():
                    return await self._register(message)
                case UnregisterEntry():
                    return await self._unregister(message)
                case BuyChips():
                    return await self._buy_chips(message)
                case DeclineOffer():
                    return await self._decline(message)
                case RegisterHexa():
                    return await self.hexapro.register(message, new_entry_id)
                case CancelHexa():
                    return await self.hexapro.cancel(message)
        raise Reason.BAD_REQUEST.refusal()

    async def _register(self, message: RegisterEntry) -> RegisteredAck:
        sender = message.sender
        known = await self.journals.known_entries(sender.player_id, message.key)
        if known:
            if known[0].tournament_id != message.tournament_id:
                raise Reason.KEY_REUSED.refusal()
            return {"entry_id": known[0].entry_id, "available": await self._money.available(sender.player_id)}
        running = self.found(message.tournament_id)
        self._verify_may_enter(running, sender)
        row = row_of(self.settings.schedule.tournament, running.spec.source, running.spec.currency)
        if row is not None and row.requirements:
            has_ticket = message.ticket_id is not None
            await verify_requirements(self._database, sender.player_id, row.requirements, has_ticket=has_ticket)
        total = message.amount or running.state.terms.price.total
        payment = Payment(sender.player_id, message.key, total, message.ticket_id)
        entry_id = new_entry_id()
        means = Means.TICKET if message.ticket_id is not None else Means.MONEY
        running.names[sender.player_id] = sender.name
        await self._entered(running, Register(entry_id, sender.player_id, means, message.amount), payment)
        if _is_full(running):
            running.director.post(Start())
        return {"entry_id": entry_id, "available": await self._send_balance(running, sender.player_id)}

    def _verify_may_enter(self, running: RunningTournament, sender: Sender) -> None:
        if self.floor.is_draining:
            raise Reason.TABLE_STOPPED.refusal()
        if running.spec.currency != sender.currency:
            raise Reason.OTHER_CURRENCY.refusal()
        if self._clock() < running.spec.opens_ms or running.spec.kind is TournamentKind.HEXAPRO:
            raise Reason.REGISTRATION_CLOSED.refusal()

    async def _entered(self, running: RunningTournament, command: Register, payment: Payment) -> None:
        try:
            await running.director.post(command, payment)
        except Refusal as refusal:
            reason = _AS_CODES_OF_REGISTRATION.get(refusal.code)
            raise (refusal if reason is None else reason.refusal()) from None

    async def _unregister(self, message: UnregisterEntry) -> UnregisteredAck:
        sender = message.sender
        running = self._by_entry.get(message.entry_id)
        entry = running.state.entries.get(message.entry_id) if running is not None else None
        if running is None or entry is None or entry.player_id != sender.player_id:
            return await self._unregistered_before(message)
        await running.director.post(Unregister(message.entry_id))
        self._by_entry.pop(message.entry_id, None)
        available = await self._send_balance(running, sender.player_id)
        return {"returned": entry.means.value, "available": available}

    async def _unregistered_before(self, message: UnregisterEntry) -> UnregisteredAck:
        """The same message again has the same answer."""
        returned = await self.journals.returned_means(message.sender.player_id, message.entry_id)
        if returned is None:
            raise Reason.NOT_REGISTERED.refusal()
        return {"returned": returned, "available": await self._money.available(message.sender.player_id)}

    async def _buy_chips(self, message: BuyChips) -> ChipsBoughtAck:
        """Between two hands, or for a player without chips: at once. During a hand: after it."""
        sender = message.sender
        running = self.found(message.tournament_id)
        entry = running.entry_of(sender.player_id)
        if entry is None:
            raise Reason.NOT_REGISTERED.refusal()
        known = await self.journals.purchase_of(sender.player_id, message.key)
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
                self._rebuys.setdefault(running.tournament_id, {})[entry.entry_id] = payment
            else:
                command: Command = AddOn(entry.entry_id) if message.is_add_on else Rebuy(entry.entry_id)
                await running.director.post(command, payment)
        chips = running.state.entries[entry.entry_id].chips
        available = await self._send_balance(running, sender.player_id)
        return {"entry_id": entry.entry_id, "stack": chips, "available": available}

    async def _decline(self, message: DeclineOffer) -> Payload:
        running = self.found(message.tournament_id)
        entry = running.entry_of(message.sender.player_id)
        if entry is None:
            raise Reason.NOT_REGISTERED.refusal()
        await running.director.post(Decline(entry.entry_id))
        return {}

    def found(self, tournament_id: str) -> RunningTournament:
        running = self.running.get(tournament_id)
        if running is None:
            raise Reason.NOT_FOUND.refusal()
        return running

    # Views

    def _view(
        self,
        message: FollowTournament | UnfollowTournament | ListTournaments | ListEntries | ViewTournament,
        now_ms: int,
    ) -> Payload:
        match message:
            case FollowTournament():
                running, connection = self.found(message.tournament_id), message.sender.connection
                if connection is not None:
                    self._publisher.subscribe(message.tournament_id, connection)
                return tournament_view(running, now_ms, message.sender.player_id)
            case UnfollowTournament():
                if message.sender.connection is not None:
                    self._publisher.unsubscribe(message.tournament_id, message.sender.connection)
                return {}
            case ListTournaments():
                return self.lobby.view(message.currency)
            case ListEntries():
                return {"entries": self.own_entries(message.player_id)}
            case ViewTournament():
                return page_view(self.found(message.tournament_id), message.page, message.player_id, now_ms)

    def lobby_part(self, currency: str | None) -> TournamentsInLobby:
        """Lines and tournaments of the lobby."""
        return {"lines": self.hexapro.rows(currency), "tournaments": self.lobby.rows(currency)}

    def own_entries(self, player_id: str) -> list[OwnEntry]:
        now_ms = self._clock()
        entries: list[tuple[RunningTournament, Entry]] = []
        for running in self.running.values():
            entry = running.entry_of(player_id)
            if entry is not None:
                entries.append((running, entry))
        playing = [own_entry_view(running, entry, now_ms) for running, entry in entries]
        return [*playing, *self.hexapro.own_entries(player_id)]

    def _show(self, running: RunningTournament) -> None:
        self._publisher.to_table(running.tournament_id, TOURNAMENT(tournament_view(running, self._clock(), None)))
        self.lobby.changed(running)

    async def _balance_changed(self, running: RunningTournament, player_id: str) -> None:
        await self._send_balance(running, player_id)

    async def _send_balance(self, running: RunningTournament, player_id: str) -> int:
        """Returns the available balance, or the last known one while the database is away."""
        try:
            cash = (await self._money.cash([player_id])).get(player_id)
        except Exception as error:  # noqa: BLE001  the next message has it
            _log.warning("poker_balance_not_sent", failure=type(error).__name__)
            return running.available.get(player_id, 0)
        if cash is None:
            return 0
        running.available[player_id] = cash.available
        table = running.seats.get(player_id)
        if table is not None:
            table.occupants[player_id].available = cash.available
        self._publisher.to_player(player_id, BALANCE({"balance": cash.balance, "available": cash.available}))
        return cash.available

    def show_tables(self, running: RunningTournament) -> None:
        """After a restart: tables know the level clock and the heads of their players."""
        self._follower.show(running)
        self.arm(running)

    # Staff

    async def _cancel(self, message: CancelTournament) -> Payload:
        await self._cancellations.cancel(self.found(message.tournament_id), message)
        return {}

    async def cancel(self, running: RunningTournament, reason: str, by: str) -> None:
        """By the published cases; hands in progress are void."""
        await running.director.post(Cancel(reason, by))

    # The end

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being stored or carried out."""
        return not self.floor.tasks and all(running.director.is_idle for running in self.running.values())

    async def stop(self) -> None:
        """Leaves everything as it is stored."""
        self.floor.deadlines.stop()
        for running in [*self.running.values()]:
            await running.director.stop()
        await self.floor.tasks.cancel()


def hand_done(table_no: int, hand: Hand) -> HandDone:
    """The report of a stored hand."""
    stacks = tuple(SeatChips(seat.seat_no, seat.stack) for seat in hand.seats)
    return HandDone(table_no, stacks, hand.awards, hand.status is Status.VOID)


def new_tournament_id(kind: TournamentKind) -> str:
    """An id without a colon, because names of accounts are put together with colons."""
    return f"{kind}-{secrets.token_hex(5)}"


def new_entry_id() -> str:
    return f"e-{secrets.token_hex(8)}"


def _is_full(running: RunningTournament) -> bool:
    """A Sit & Go starts when all seats are taken."""
    state = running.state
    is_waiting = state.status is TournamentStatus.REGISTERING and state.terms.is_sit_and_go
    return is_waiting and len(state.entries) == state.terms.entries_max


def _paid(step: Step) -> set[str]:
    """Players to whom this event moves money."""
    event, entries = step.event, step.before.entries
    match event.kind:
        case "prize_awarded":
            return {entries[event.entry_id].player_id}
        case "bounty_paid":
            return {entries[event.eliminator].player_id}
        case "vip_paid":
            return {entries[entry_id].player_id for entry_id, _ in event.parts}
        case "cancelled":
            return {entries[refund.entry_id].player_id for refund in event.refunds}
    return set()
