"""Handles console commands outside the round: deck counts, limits, previews and corrections.

Holds the resulting state: the deck in use, the limits in force and those of the next round. The table owns the round.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from casino.audit.log import Entry
from casino.errors import Code, Refusal
from casino.live_table import balance_preview, corrections, limit_overrides
from casino.live_table.accounting import CommitResult, TableUnitOfWork
from casino.live_table.batch import Request
from casino.live_table.deck_count import Count, Deck, spoiled, store_count
from casino.live_table.lobby_entry import limits_view
from casino.live_table.messages import CorrectSettled, CountCard, CountDeck, EndCount, SetLimits
from casino.live_table.shift import Shift
from casino.settings import TableSettings
from casino.settings.incidents import IncidentClass
from casino.uth.commands import CorrectCard, DealCard, ReportProblem
from casino.uth.incidents import reopenable
from casino.uth.state import Resolution, Round
from casino.wire import host_events


class Console:
    def __init__(
        self,
        settings: TableSettings,
        unit_of_work: TableUnitOfWork,
        *,
        deck: Deck | None,
        incidents: Mapping[str, IncidentClass],
        of_file: TableSettings | None,
    ) -> None:
        """`of_file` is the configured table, if a manager has overridden something since."""
        self.settings = settings  # settings in force
        self._unit_of_work = unit_of_work
        self._configured = of_file or settings
        self._next: TableSettings | None = None
        self._deck = deck or Deck(settings.scanner.first_deck)
        self._incidents = incidents

    # Interface for the table

    def verify_ready(self) -> None:
        self._deck.verify_ready(self.settings)

    @property
    def is_count_due(self) -> bool:
        return self._deck.is_due(self.settings)

    def round_begins(self) -> None:
        if self._deck.counted_ms is not None:
            self._deck = replace(self._deck, rounds_since=self._deck.rounds_since + 1)

    def round_ends(self, over: Round) -> bool:
        """Whether the end of the round changed anything."""
        classes = {incident.incident_class for incident in over.incidents} & self._incidents.keys()
        is_doubtful = any(self._incidents[name].count_deck for name in classes)
        if is_doubtful:
            self._deck = replace(self._deck, is_doubtful=True)
        if self._next is None:
            return is_doubtful
        self.settings, self._next = self._next, None
        return True

    def resolve_command(
        self, command: DealCard | CorrectCard | ReportProblem
    ) -> DealCard | CorrectCard | ReportProblem:
        """Completes a command: the card behind a scanner code, and the allowed actions for a class of incident."""
        match command:
            case DealCard():
                return replace(command, card=self._card(command.card))
            case CorrectCard():
                return replace(command, card=self._card(command.card))
            case ReportProblem(incident_class=name) if name and not command.resolutions:
                known = self._incidents.get(name)
                if known is None:
                    raise Refusal(Code.BAD_REQUEST, "incident_class: choose a class from the configuration.")
                return replace(
                    command,
                    resolutions=tuple(known.resolutions),
                    change_presenter=known.change_presenter and self._has_colleagues,
                )
        return command

    @property
    def _has_colleagues(self) -> bool:
        """At a practice table the manager is simulated, and a machine-dealt table has no presenter to relieve."""
        return self.settings.dealing == "presenter" and not self.settings.practice

    def _card(self, code: str) -> str:
        return self.settings.scanner.card_of(code, self._deck.name)

    def view(self, round_: Round | None) -> host_events.ConsoleState:
        incident = self.incident_view(round_)
        following = limits_view(self._next.limits) if self._next else None
        return {
            "incident": incident,
            "ended": _ended_view(round_) if round_ and not incident else None,
            "deck": self._deck.view(self.settings),
            "limits": limits_view(self.settings.limits),
            "next_limits": following,
            "limit_bounds": limits_view(self._configured.bounds()),
            "practice": self.settings.practice,
        }

    def incident_view(self, round_: Round | None) -> host_events.Incident | None:
        paused = round_.paused if round_ and not round_.is_over else None
        if paused is None:
            return None
        known = self._incidents.get(paused.incident_class)
        return {
            "incident_id": paused.incident_id,
            "incident_class": paused.incident_class or None,
            "title": known.title if known else None,
            "steps": list(known.steps) if known else [],
            "resolutions": [Resolution(one) for one in paused.resolutions],
            "change_presenter": paused.change_presenter,
            "reopens": reopenable(round_) if round_ else None,
            "presenter": paused.presenter or None,
        }

    # Deck count

    def count_deck(self, message: CountDeck, shift: Shift) -> None:
        shift.verify_on_shift(message.by)
        names = self.settings.scanner.decks
        deck = message.deck if message.deck is not None else self._deck.name
        if message.deck is not None and deck not in names:
            raise Refusal(Code.BAD_REQUEST, "deck: this table has no such deck.")
        self._deck = replace(self._deck, count=Count(deck, message.by))

    async def count_card(self, message: CountCard, now_ms: int) -> None:
        count = self._counting(message.by)
        read, refusal = count.read(message.code, self.settings, now_ms)
        if read.is_whole:
            counted = self._with(read).counted(message.by, now_ms)
            async with self._unit_of_work.writing() as connection:
                await store_count(connection, self.settings.id, counted)
            self._deck = counted
            return
        self._deck = self._with(read)
        if refusal:
            raise refusal

    async def end_count(self, message: EndCount, now_ms: int) -> None:
        count = self._counting(message.by)
        if count.cards or count.foreign:
            await self._unit_of_work.write_audit(spoiled(self.settings.id, count), now_ms)
        self._deck = self._with(None)

    def _counting(self, by: str) -> Count:
        count = self._deck.count
        if count is None:
            raise Refusal(Code.NOT_EXPECTED, "No count is running. Start one first.")
        if count.by != by:
            raise Refusal(Code.FORBIDDEN, f"{count.by} is counting this deck. Wait until the count ends.")
        return count

    def _with(self, count: Count | None) -> Deck:
        return replace(self._deck, count=count)

    # Manager commands

    async def set_limits(self, message: SetLimits, now_ms: int, *, at_rest: bool) -> host_events.LimitsSet:
        changed = limit_overrides.fitting(self.settings, dict(message.limits), self._configured)
        before = (self._next or self.settings).limits.model_dump()
        after = changed.limits.model_dump()
        if before != after:
            target = f"table {self.settings.id}"
            entry = Entry(message.by, message.role, "limits_changed", target, message.reason, before, after)
            async with self._unit_of_work.writing() as connection:
                await limit_overrides.store(connection, changed, self._configured.limits, entry, now_ms)
        if at_rest:
            self.settings, self._next = changed, None
        else:
            self._next = changed if changed.limits != self.settings.limits else None
        return {"in_force": at_rest}

    async def preview_cancel(self, round_: Round | None, names: Mapping[str, str]) -> host_events.Preview:
        moves = balance_preview.cancellation(round_)
        balances = await self._unit_of_work.balances([move.player_id for move in moves])
        assert round_ is not None
        return {"round_id": round_.round_id, **balance_preview.moves_view(moves, balances, names)}

    async def correct(self, message: CorrectSettled, now_ms: int) -> tuple[Round, CommitResult]:
        """Returns the round before and after the correction."""
        async with self._unit_of_work.reading() as connection:
            found, before = await corrections.round_of(connection, message, now_ms)
        request = Request(found.proposal.command(found.proposed_by), now_ms)
        mark = partial(corrections.mark_approved, found=found, message=message, now_ms=now_ms)
        handled = await self._unit_of_work.commit(before, [request], extra_write=mark)
        if refusal := handled.answers[0].refusal:
            raise refusal
        return before, handled


def _ended_view(round_: Round) -> host_events.EndedIncident | None:
    """Returns the round's last incident, for a manager who tries to end a round that is already over."""
    last = round_.incidents[-1] if round_.incidents else None
    if last is None or last.outcome == "open":
        return None
    return {
        "incident_id": last.incident_id,
        "outcome": last.outcome,
        "by": last.ended_by or None,
        "reason": last.resolution,
    }
