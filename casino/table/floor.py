"""What a table does with messages and with time: it opens rounds, deals, plays them through the books, and tells.

The actor calls `serve` with what has arrived, in order; nothing else runs in between.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

import structlog

from casino.audit.log import Entry
from casino.clock import Clock
from casino.errors import Refusal
from casino.figures import Figures
from casino.settings import TableSettings
from casino.storage.database import is_away
from casino.table.batch import Answer, Request
from casino.table.bookkeeping import Bookkeeper, Handled
from casino.table.console import Console
from casino.table.course import Course
from casino.table.dealing import Dealing, ShoeLostError
from casino.table.downtime import Downtime
from casino.table.messages import (
    CloseTable,
    CorrectSettled,
    CountCard,
    CountDeck,
    EndCount,
    Envelope,
    Join,
    Leave,
    OfTheConsole,
    OpenTable,
    Outlet,
    Payload,
    PreviewCancel,
    Retire,
    SetLimits,
    StartRound,
    Tipped,
    Watch,
)
from casino.table.past import Past
from casino.table.presence import Presence
from casino.table.propriety import verify_command, verify_idle_hands, verify_start
from casino.table.said_again import SaidAgain
from casino.table.shift import Shift
from casino.table.shoe import Seal
from casino.table.tally import Tally
from casino.table.town_crier import TownCrier
from casino.uth.commands import (
    Advance,
    CancelRound,
    Command,
    Continue,
    CorrectCard,
    DealCard,
    Decide,
    OpenBetting,
    PlaceBet,
    ReportProblem,
    VoidBetting,
    WithdrawBet,
)
from casino.uth.events import RoundCorrected
from casino.uth.phases import Phase
from casino.uth.state import Round
from casino.uth.views import bets_view, pause_view

SYSTEM: Final = "system"
TABLE_NEWS_MS: Final = 500
"""How often, at most, everybody hears who is here, has bet and has still to decide."""
_log = structlog.get_logger()
_AROUND: Final = Watch | OpenTable | CloseTable | StartRound | Tipped | Retire | OfTheConsole


def _kind(envelope: Envelope) -> object:
    """What is done in one go if it arrived in one go: coming, going, playing; all else on its own."""
    message = envelope.message
    if isinstance(message, Join | Leave):
        return type(message)
    return _AROUND if isinstance(message, _AROUND) else Command


class Floor:
    """The state of one table around its round. `round` is the last one until the next begins."""

    def __init__(
        self,
        settings: TableSettings,
        bookkeeper: Bookkeeper,
        outlet: Outlet,
        seal: Seal,
        clock: Clock,
        *,
        running: Round | None,
        names: Mapping[str, str],
        past: Iterable[Payload],
        figures: Figures,
        console: Console | None = None,
    ) -> None:
        self._console = console or Console(settings, bookkeeper, deck=None, incidents={}, of_file=None)
        self._target: Final = f"table {settings.id}"  # as the audit log calls it
        self._bookkeeper = bookkeeper
        self._clock = clock
        self._course = Course.of(settings)
        is_machine = settings.dealing == "auto"
        self._dealing = Dealing(bookkeeper, seal, is_machine=is_machine, card_ms=self._course.card_ms)
        self._tally = Tally(figures, settings.id)
        self._presence = Presence.of(settings.terms().seats if settings.hands == "own" else 0, running, names)
        self.past = Past(past)
        self._crier = TownCrier(settings, bookkeeper, outlet, self._presence, self._console)
        self._round = running
        self._said_again = SaidAgain(bookkeeper)
        self._shift = Shift(is_open=is_machine)
        self._start_ms: int | None = None
        self._has_news = False  # a count, or whether the table is open, has changed since it was told
        self._told_ms = 0
        self._gone: dict[str, int] = {}  # who has left, and when, until an open bet is returned
        resume_within_ms = round(settings.seconds.resume_within * 1000)
        self._downtime = Downtime(is_resumed=running is not None, resume_within_ms=resume_within_ms, now_ms=clock())

    @property
    def is_at_rest(self) -> bool:
        return self._round is None or self._round.is_over

    def due_ms(self) -> int | None:
        """When something happens by itself next."""
        if self._gone or self._crier.is_behind or self._downtime.is_owed or self._bookkeeper.is_in_doubt:
            return 0  # the database has failed; it is tried again
        news_ms = self._told_ms + TABLE_NEWS_MS if self._has_news else None
        return min((due_ms for due_ms in (self._round_due_ms(), news_ms) if due_ms is not None), default=None)

    def _round_due_ms(self) -> int | None:
        if not self.is_at_rest:
            assert self._round is not None
            if self._dealing.deals(self._round):
                return self._dealing.due_ms
            return self._downtime.gives_up_ms(self._round) if self._round.due_ms is None else self._round.due_ms
        return self._start_ms if self._may_start() else None

    def summary(self) -> Payload:
        return self._crier.table_view(self._round, is_open=self._shift.is_open, presenter=self._shift.presenter)

    def standing(self) -> Payload:
        round_ = self._round
        return self.summary() | {
            "phase": round_.phase if round_ else Phase.IDLE,
            "game_number": round_.game_number if round_ else None,
            "started_at": round_.started_ms if round_ else None,
            "paused": pause_view(round_.paused) if round_ else None,
            "expects": round_.expects if round_ else None,
            "incident": self._console.view(round_)["incident"],
            "is_count_due": self._console.is_count_due,
            "tips": self._shift.tips,
        }

    async def serve(self, envelopes: Sequence[Envelope], now_ms: int, waiting_since_ms: int | None = None) -> None:
        """Messages in their order, runs of round commands as one transaction each; then what is due.

        Some may have to wait for the next turn. No window ends before what arrived in it is heard.
        """
        self._downtime.look(self._round, now_ms)
        await self._catch_up(now_ms)
        for kind, run in groupby(envelopes, _kind):
            together = list(run)
            await self._pay(now_ms)
            if kind is Join:
                await self._welcome(together, now_ms)
            elif kind is Leave:
                await self._part_with(together)
            elif kind is Command:
                await self._play(together, now_ms)
            else:
                for envelope in together:
                    await self._attend(envelope, now_ms)
        await self._pay(now_ms)
        await self._tick(now_ms if waiting_since_ms is None else min(now_ms, waiting_since_ms))

    def keep_in_mind(self, envelopes: Sequence[Envelope]) -> None:
        """It could not be stored that they have left; nobody says so again, and nobody has to."""
        for envelope in envelopes:
            if isinstance(envelope.message, Leave) and not envelope.reply.done():
                self._let_go(envelope.message.player_id, envelope.at_ms)

    def interrupt(self, now_ms: int) -> None:
        """Nothing can be stored. Nobody is to lose a decision to it, and everybody is told."""
        if not self._downtime.is_owed:
            self._downtime.is_owed = True
            if not self.is_at_rest:
                self._crier.tell_interrupted(now_ms)

    @property
    def is_in_doubt(self) -> bool:
        return self._bookkeeper.is_in_doubt

    async def pause_by_itself(self, now_ms: int) -> None:
        if not self.is_at_rest:
            await self._do(ReportProblem("The table had a technical problem.", SYSTEM), now_ms)

    # After the database was away

    async def _catch_up(self, now_ms: int) -> None:
        """Before anything else: what was stored though nobody heard it, what was not told, what time has run."""
        if stored := await self._bookkeeper.certainty():
            await self._learn(stored, now_ms)
        await self._crier.tell_each()
        await self._pay(now_ms)
        await self._return_bets()  # once the window is open again: nobody's time has run out meanwhile

    async def _pay(self, now_ms: int) -> None:
        """The time the house has taken from people, before anything else is made of their silence."""
        if self._downtime.is_owed:
            with self._downtime.paid():
                if self._round is not None and not self.is_at_rest and self._round.due_ms is not None:
                    await self._do(Continue(are_here=True), max(now_ms, self._clock()))

    async def _learn(self, stored: Handled, now_ms: int) -> None:
        """It has happened, and whoever asked for it was told that nobody knows."""
        round_, events = stored.round, [event for answer in stored.answers for event in answer.events]
        if any(isinstance(event, RoundCorrected) for event in events):
            await self._corrected(round_, round_, now_ms)
        elif self._round is not None and self._round.round_id == round_.round_id:
            await self._take_over(self._round, replace(stored, balances=None), now_ms)  # others have moved on
        else:
            self._dealing.forget()
            self._begin(round_, now_ms)

    # Coming and going: when a line is cut, thousands do it at once

    async def _welcome(self, envelopes: Sequence[Envelope], now_ms: int) -> None:
        joining = [envelope.message for envelope in envelopes if isinstance(envelope.message, Join)]
        for message in joining:
            is_bound = self._is_in_round(message.player_id)
            self._presence.join(message.player_id, message.name, message.seat_no, may_move=not is_bound)
        self._has_news = True
        self._wake(now_ms)
        balances = await self._bookkeeper.balances([message.player_id for message in joining])
        table = self.summary()
        for envelope, message in zip(envelopes, joining, strict=True):
            balance = balances.get(message.player_id)
            envelope.answer(self._crier.snapshot(self._round, message.player_id, balance, table, now_ms))

    async def _part_with(self, envelopes: Sequence[Envelope]) -> None:
        for envelope in envelopes:
            assert isinstance(envelope.message, Leave)
            self._let_go(envelope.message.player_id, envelope.at_ms)
        await self._return_bets()
        for envelope in envelopes:
            envelope.answer({})

    def _let_go(self, player_id: str, at_ms: int) -> None:
        self._presence.leave(player_id, keeps_seat=True)
        self._gone[player_id] = at_ms
        self._has_news = True

    async def _return_bets(self) -> None:
        """Of those who have left, as of that moment. What could not be stored then is stored before all else."""
        if self._round and self._round.phase is Phase.BETTING:
            withdrawn = [
                Request(WithdrawBet(one), at_ms) for one, at_ms in self._gone.items() if self._is_in_round(one)
            ]
            if withdrawn:
                await self._handle(withdrawn, withdrawn[-1].at_ms)
        for player_id in self._gone:
            if player_id not in self._presence.here:
                self._presence.leave(player_id, keeps_seat=self._is_in_round(player_id))
        self._gone.clear()

    # Messages around the round

    async def _attend(self, envelope: Envelope, now_ms: int) -> None:
        try:
            envelope.answer(await self._around(envelope, now_ms))
        except Refusal as refusal:
            envelope.refuse(refusal)

    async def _around(self, envelope: Envelope, now_ms: int) -> Payload:
        match envelope.message:
            case Watch():
                return {"host": self._crier.host_payload(self._round, self._shift, now_ms)}
            case OpenTable(by, role):
                opened = self._shift.opened(by, is_presenter=role == "presenter")
                self._downtime.taken_in_hand()
                await self._change_shift(opened, Entry(by, role, "table_opened", self._target), now_ms)
                self._wake(now_ms)
            case CloseTable(by, role):
                await self._change_shift(self._shift.closed(), Entry(by, role, "table_closed", self._target), now_ms)
            case Tipped(player_id, amount, is_play_money):
                self._shift = self._shift.tipped(amount, is_play_money=is_play_money)
                await self._crier.tell_spent(self._round, player_id)
            case Retire():
                self._shift = self._shift.retired()
                if not self.is_at_rest:
                    await self._do(VoidBetting("the server stops"), now_ms)
            case StartRound(by):
                verify_start(by, self._shift, is_machine=self._dealing.is_machine, is_at_rest=self.is_at_rest)
                self._console.verify_ready()
                self._shift = self._shift.wanting(is_wanted=True)
                self._wake(now_ms)
            case message if isinstance(message, OfTheConsole):
                return await self._at_the_console(message, now_ms)
        self._has_news = True
        return {}

    async def _at_the_console(self, message: OfTheConsole, now_ms: int) -> Payload:
        console, answer = self._console, {}
        try:
            match message:
                case CountDeck():
                    verify_idle_hands(is_machine=self._dealing.is_machine, is_at_rest=self.is_at_rest)
                    console.count_deck(message, self._shift)
                case CountCard():
                    await console.count_card(message, now_ms)
                case EndCount():
                    await console.end_count(message, now_ms)
                case SetLimits():
                    answer = await console.set_limits(message, now_ms, at_rest=self.is_at_rest)
                    self._has_news = True
                case PreviewCancel():
                    return await console.previewed(self._round, self._presence.names)
                case CorrectSettled():
                    answer = await self._correct(message, now_ms)
        finally:
            self._crier.tell_hosts(self._round, self._shift, now_ms)
        return answer

    async def _correct(self, asked: CorrectSettled, now_ms: int) -> Payload:
        """What everybody who played it has now."""
        before, handled = await self._console.correct(asked, now_ms)
        return await self._corrected(before, handled.round, now_ms)

    async def _corrected(self, before: Round, corrected: Round, now_ms: int) -> Payload:
        is_last = self._round is not None and self._round.round_id == corrected.round_id
        if is_last:
            self._round = corrected
        self.past.correct(corrected)
        return await self._crier.tell_corrected(before, corrected, self._shift, now_ms, is_last=is_last)

    async def _change_shift(self, shift: Shift, entry: Entry, now_ms: int) -> None:
        """Asked for again, it changes nothing and is not written down again."""
        if shift != self._shift:
            await self._bookkeeper.note(entry, now_ms)
            self._shift = shift.at_rest() if self.is_at_rest else shift

    def _is_in_round(self, player_id: str) -> bool:
        return not self.is_at_rest and self._round is not None and player_id in self._round.seats

    # The round

    async def _play(self, envelopes: Sequence[Envelope], now_ms: int) -> None:
        round_ = self._round
        requests, asked = [], []
        for envelope in await self._said_again.answer(envelopes):
            try:
                verify_command(envelope.message, round_, self._shift, is_machine=self._dealing.is_machine)  # type: ignore[arg-type]
                command = self._with_seat(envelope.message)  # type: ignore[arg-type]
            except Refusal as refusal:
                envelope.refuse(refusal)
            else:
                requests.append(Request(command, envelope.at_ms))
                asked.append(envelope)
        if not requests:
            return
        for envelope, answer in zip(asked, await self._handle(requests, now_ms), strict=True):
            if answer.refusal:
                envelope.refuse(answer.refusal)
            else:
                envelope.answer(self._reply(envelope.message, answer))  # type: ignore[arg-type]

    def _with_seat(self, command: Command) -> Command:
        if self._presence.seats and isinstance(command, PlaceBet):
            return replace(command, seat_no=self._presence.seat_of.get(command.player_id))
        if isinstance(command, DealCard | CorrectCard | ReportProblem):
            self._downtime.taken_in_hand()
            return self._console.understood(command)
        return command

    def _reply(self, command: Command, answer: Answer) -> Payload:
        if not isinstance(command, PlaceBet | Decide):
            return {}
        assert self._round is not None
        seat = self._round.seats.get(command.player_id)
        bets = bets_view(seat.bets) if seat else {"ante": 0, "blind": 0, "trips": 0, "play": 0}
        return {"bets": bets, "available": answer.available_minor}

    async def _do(self, command: Command, at_ms: int) -> None:
        for answer in await self._handle([Request(command, at_ms)], at_ms):
            if answer.refusal:
                raise answer.refusal

    async def _handle(self, requests: Sequence[Request], now_ms: int) -> list[Answer]:
        assert self._round is not None
        before = self._round
        with self._tally.storing():
            handled = await self._bookkeeper.handle(before, requests)
        self._tally.count(requests, handled.answers)
        stored_ms = max(now_ms, self._clock())
        self._downtime.stored(before, handled.round, stored_ms - min(now_ms, requests[-1].at_ms))
        await self._take_over(before, handled, stored_ms)
        return handled.answers

    async def _take_over(self, before: Round, handled: Handled, now_ms: int) -> None:
        """It is stored: from here on nothing may undo it, not even a database that fails while it is told."""
        self._round = handled.round
        events = [event for answer in handled.answers for event in answer.events]
        if not events:
            return
        self._has_news = True
        self._downtime.moved(now_ms)
        self._crier.tell(before, handled, events, self._shift, now_ms)
        try:
            await self._crier.tell_each()
        except Exception as error:
            if not is_away(error):
                raise
        finally:
            self._after(now_ms)

    def _after(self, now_ms: int) -> None:
        """Set the table's own clock by what has just happened."""
        assert self._round is not None
        self._dealing.after(self._round, now_ms)
        if self._round.is_over:
            self.past.remember(self._round)
            counts = self._round.phase is not Phase.CANCELLED
            self._crier.tell_reseated(self._round, self._presence.round_ends(self._round.seats, counts=counts))
            self._shift = self._shift.at_rest()
            self._start_ms = self._course.next_start_ms(self._round, now_ms)
            self._has_news |= self._console.round_ends()

    # Time

    def _may_start(self) -> bool:
        """The machine waits for company, a presenter's table for the presenter."""
        wanted = bool(self._presence.here) if self._dealing.is_machine else self._shift.wants_round
        return self._shift.is_open and wanted and self.is_at_rest

    def _wake(self, now_ms: int) -> None:
        if self._may_start() and self._start_ms is None:
            self._start_ms = self._course.next_start_ms(self._round, now_ms)

    async def _tick(self, now_ms: int) -> None:
        if self._has_news and now_ms >= self._told_ms + TABLE_NEWS_MS:
            self._tally.players(len(self._presence.here))
            self._told_ms = now_ms
            self._has_news = not self._crier.tell_table(self.summary(), self._round, self._shift, now_ms)
        due_ms = self._round_due_ms()
        if due_ms is None or now_ms < due_ms:
            return
        if self.is_at_rest:
            await self._open_round(now_ms)
        elif self._dealing.deals(self._round):
            await self._deal(now_ms)
        elif self._round is not None and self._round.due_ms is None:
            await self._do(CancelRound("The round could not go on in time after an interruption.", SYSTEM), now_ms)
        else:
            await self._do(Advance(), now_ms)

    async def _open_round(self, now_ms: int) -> None:
        self._crier.tell_reseated(self._round, self._presence.round_begins())
        settings = self._console.settings
        promise, sealed = self._dealing.shuffle()
        round_id = f"r{secrets.token_urlsafe(12)}"  # a letter first: no shell and no spreadsheet reads more into it
        command = OpenBetting(round_id, settings.id, settings.terms(), promise)
        opened = await self._bookkeeper.open_round(command, now_ms, presenter=self._shift.presenter, sealed_shoe=sealed)
        stored_ms = max(now_ms, self._clock())
        self._downtime.stored(None, opened, stored_ms - now_ms)
        self._begin(opened, stored_ms)

    def _begin(self, opened: Round, now_ms: int) -> None:
        self._shift = self._shift.wanting(is_wanted=False)
        self._start_ms = None
        self._console.round_begins()
        self._said_again.keep(self._round)
        self._round = opened
        self._crier.tell_round(opened, self._shift, now_ms)

    async def _deal(self, now_ms: int) -> None:
        assert self._round is not None
        try:
            card = await self._dealing.card(self._round)
        except ShoeLostError:
            _log.error("shoe_lost", table_id=self._round.table_id, round_id=self._round.round_id)
            reason = "The cards to come cannot be known any more after an interruption."
            await self._do(CancelRound(reason, SYSTEM), now_ms)
        else:
            await self._do(DealCard(self._round.round_id, card), now_ms)
