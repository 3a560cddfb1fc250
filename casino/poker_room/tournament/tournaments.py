"""Tournaments of the room: announces and starts them, and answers the messages of players about them.

A message that moves money is answered once it is stored. Messages to a table are answered at once.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Coroutine, Sequence
from typing import Any, Final

from casino.clock import Clock
from casino.poker.state import Hand, Status
from casino.poker.tournament.commands import Cancel, HandDone, SeatChips, Start, TimePasses
from casino.poker.tournament.director import evolve
from casino.poker.tournament.events import Registered
from casino.poker.tournament.state import Status as TournamentStatus
from casino.poker.tournament.state import Tournament
from casino.poker.tournament.structure import HOUR_MS
from casino.poker_room.balances import Balances
from casino.poker_room.decks import Decks
from casino.poker_room.hand_store import HandStore
from casino.poker_room.incidents import Incidents
from casino.poker_room.messages import Message, RoomPublisher
from casino.poker_room.pool import Draw
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.tournament.announcements import Announcements
from casino.poker_room.tournament.announcer import Announcer
from casino.poker_room.tournament.balance_publisher import BalancePublisher
from casino.poker_room.tournament.director import Director
from casino.poker_room.tournament.due_times import next_due_ms
from casino.poker_room.tournament.entry_rows import Payment
from casino.poker_room.tournament.floor import TournamentFloor
from casino.poker_room.tournament.follow_steps import StepFollower, moves_money
from casino.poker_room.tournament.hexapro_lines import HexaproLines, Line
from casino.poker_room.tournament.hexapro_reveal import reveal_view
from casino.poker_room.tournament.hexapro_store import CommittedDraw, HexaproStore
from casino.poker_room.tournament.ids import new_entry_id, new_tournament_id
from casino.poker_room.tournament.journal_store import JournalStore, Step, Stored
from casino.poker_room.tournament.messages import (
    BuyChips,
    CancelHexa,
    DeclineOffer,
    FollowTournament,
    ListEntries,
    ListTournaments,
    RegisterEntry,
    RegisterHexa,
    TournamentFromPlayer,
    UnfollowTournament,
    UnregisterEntry,
    ViewTournament,
)
from casino.poker_room.tournament.rebuy_requests import RebuyRequests, report_with_rebuys
from casino.poker_room.tournament.registration_desk import RegistrationDesk
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.satellite_winners import SatelliteWinners, target_source
from casino.poker_room.tournament.scheduled import LOOK_MS
from casino.poker_room.tournament.second_phases import SecondPhases
from casino.poker_room.tournament.spec import TournamentKind
from casino.poker_room.tournament.staff_desk import StaffDesk
from casino.poker_room.tournament.staff_messages import TournamentFromStaff
from casino.poker_room.tournament.staff_views import StaffViews
from casino.poker_room.tournament.table_desk import TableDesk
from casino.poker_room.tournament.ticket_expiry import expire_tickets
from casino.poker_room.tournament.tournament_lobby import TournamentLobby
from casino.poker_room.tournament.tournament_viewers import SHOW, TournamentViewers
from casino.poker_room.tournament.unreadable_tournaments import UnreadableTournaments
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.storage.database import Database
from casino.wire.outbound import Payload
from casino.wire.poker_hexapro import HEXA

SCHEDULE: Final = "schedule"
"""Deadline of the next look at the schedule."""
Answer = Payload | Coroutine[Any, Any, Payload | None]


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
        self._database = database
        self._requests = RebuyRequests()
        self._balances = BalancePublisher(money, publisher)
        self._tickets_due_ms = 0
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
        self.announcements: Final = Announcements(
            settings, database, self.journals, clock, running=self.running, add=self.add
        )
        self.desk: Final = RegistrationDesk(
            database,
            self.journals,
            self._balances,
            self._requests,
            clock,
            running=self.running,
            by_entry=self._by_entry,
            is_draining=lambda: self.floor.is_draining,
        )
        self.second_phases: Final = SecondPhases(database, money, clock)
        self.winners: Final = SatelliteWinners(self.running, database, clock, self._enter_winner)
        self.unreadable: Final = UnreadableTournaments(database, clock)
        self._staff = StaffDesk(
            settings,
            database,
            clock,
            draw,
            running=self.running,
            views=StaffViews(self.running, self.unreadable, database, clock),
            new_id=new_tournament_id,
            announce=self.announcements.announce,
            prepare=self.second_phases.bring_survivors,
        )
        self._tables = TableDesk(self.running, self.floor, Incidents(database, self.floor, clock), publisher, money)
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
        self.viewers: Final = TournamentViewers(
            self.running, self.lobby, self.hexapro, clock, publisher=publisher, deadlines=self.floor.deadlines
        )

    # Running tournaments

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
        self.viewers.publish(running)
        affected = {player_id for step in steps if moves_money(step.event) for player_id in _paid(step)}
        for player_id in sorted(affected):
            self.floor.tasks.spawn(self._send_balance(running, player_id), "tournament balance")
        winners = self.winners.in_steps(running, steps)
        if winners:
            entering = self.winners.enter_all(target_source(running), running.state.terms.ticket_value, winners)
            self.floor.tasks.spawn(entering, "satellite winners")
        if running.spec.kind is TournamentKind.SIT_AND_GO and any(step.event.kind == "started" for step in steps):
            self.floor.tasks.spawn(self.offer_sit_and_gos(), "sit and go")

    def _forget(self, running: RunningTournament) -> None:
        """A tournament that is over stays in the database only."""
        self.floor.deadlines.set(running.tournament_id, None)
        self.floor.deadlines.set(f"{SHOW}{running.tournament_id}", None)
        self.running.pop(running.tournament_id, None)
        self._requests.forget(running.tournament_id)
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
        reveal = reveal_view(running, line, draw, self._clock())
        running.reveal = reveal
        for player_id in names:
            self._publisher.to_player(player_id, HEXA(reveal))

    async def restore_reveal(self, running: RunningTournament) -> None:
        """After a restart: who follows the game sees its draw."""
        line, no = self.hexapro.lines.get(running.spec.source), running.spec.draw_no
        draw = await self.hexapro.draw(running.spec.source, no) if no is not None else None
        if line is not None and draw is not None:
            running.reveal = reveal_view(running, line, draw, self._clock())

    # Time

    def arm(self, running: RunningTournament) -> None:
        self.floor.deadlines.set(running.tournament_id, next_due_ms(running.state, self._clock()))

    def _run_due(self, tournament_id: str, now_ms: int) -> None:
        if tournament_id.startswith(SHOW):
            shown = self.running.get(tournament_id.removeprefix(SHOW))
            if shown is not None:
                self.viewers.publish(shown)
            return
        if tournament_id == SCHEDULE:
            self.floor.tasks.spawn(self.look_at_schedule(), "tournament schedule")
            return
        running = self.running.get(tournament_id)
        if running is None or self.floor.is_draining:
            return
        is_registering = running.state.status is TournamentStatus.REGISTERING
        if is_registering and running.state.terms.is_phase_two:
            self.floor.tasks.spawn(self.second_phases.start(running, self.floor.deadlines), "second phase")
            return
        is_start = is_registering and now_ms >= running.state.terms.starts_ms
        running.director.post(Start() if is_start else TimePasses())

    def _report(self, running: RunningTournament, table_no: int, hand: Hand) -> None:
        if running.state.status is not TournamentStatus.RUNNING:
            return
        requests = self._requests.take_of_table(running, table_no)
        command = hand_done(table_no, hand)
        if requests:
            self.floor.tasks.spawn(report_with_rebuys(running, command, requests), "tournament rebuys")
        else:
            running.director.post(command)

    async def offer_sit_and_gos(self) -> None:
        """Opens registration for every Sit & Go that has none open."""
        if not self.floor.is_draining:
            await self.announcements.offer_sit_and_gos()

    async def look_at_schedule(self) -> None:
        """Announces what is due, and looks again in a minute. Tickets expire once an hour."""
        if self.floor.is_draining:
            return
        now_ms = self._clock()
        self.floor.deadlines.set(SCHEDULE, now_ms + LOOK_MS)
        await self.announcements.announce_scheduled()
        await self._staff.planning.announce_approved()
        if now_ms >= self._tickets_due_ms:
            self._tickets_due_ms = now_ms + HOUR_MS
            for player_id in await expire_tickets(self._database, now_ms):
                await self._balances.send_outside(player_id)

    # Messages

    def take(self, message: Message, now_ms: int) -> Answer | None:
        """Answers a message about tournaments or their tables; None if it is not one."""
        if isinstance(message, TournamentFromStaff):
            return self._staff.take(message)
        match message:
            case RegisterEntry() | UnregisterEntry() | BuyChips() | DeclineOffer() | RegisterHexa() | CancelHexa():
                return self._of(message)
            case FollowTournament() | UnfollowTournament() | ListTournaments() | ListEntries() | ViewTournament():
                return self.viewers.answer(message, now_ms)
        return self._tables.take(message, now_ms)

    def is_seated(self, player_id: str) -> bool:
        return bool(self._tables.of_player(player_id))

    # Entries

    async def _of(self, message: TournamentFromPlayer) -> Payload:
        """One message of a player that moves money at a time: a repeated key finds what the first one has stored."""
        async with self._of_player[message.sender.player_id]:
            match message:
                case RegisterEntry():
                    return await self.desk.register(message)
                case UnregisterEntry():
                    return await self.desk.unregister(message)
                case BuyChips():
                    return await self.desk.buy_chips(message)
                case DeclineOffer():
                    return await self.desk.decline(message)
                case RegisterHexa():
                    return await self.hexapro.register(message, new_entry_id)
                case CancelHexa():
                    return await self.hexapro.cancel(message)
        raise Reason.BAD_REQUEST.refusal()

    async def show_tables(self, running: RunningTournament) -> None:
        """After a restart: tables know the level clock and the heads of their players."""
        running.touch_all()
        await self._follower.show(running)
        self.arm(running)

    async def _send_balance(self, running: RunningTournament, player_id: str) -> None:
        await self._balances.send(running, player_id)

    async def _enter_winner(self, running: RunningTournament, player_id: str, ticket_id: str, key: str) -> None:
        """Enters the winner of a satellite, and informs the player."""
        async with self._of_player[player_id]:
            payment = Payment(player_id, key, running.state.terms.price.total, ticket_id)
            name = (await self.second_phases.names([player_id]))[player_id]
            entry_id = await self.desk.enter_winner(running, name, payment)
        self._follower.announce_entry(running, entry_id)

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
