"""What is asked of a table from its console beside the round: deck counts, limits, previews, corrections.

Holds what follows from it: the deck in use, the limits in force and those of the next round. The round itself stays
with the floor.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from casino.audit.log import Entry
from casino.errors import Code, Refusal
from casino.settings import TableSettings
from casino.settings.incidents import IncidentClass
from casino.table import corrections, limits, preview
from casino.table.batch import Request
from casino.table.bookkeeping import Bookkeeper, Handled
from casino.table.deck import Count, Deck, spoiled, store_count
from casino.table.messages import CorrectSettled, CountCard, CountDeck, EndCount, Payload, SetLimits
from casino.table.shift import Shift
from casino.uth.commands import CorrectCard, DealCard, ReportProblem
from casino.uth.state import Pause, Round


class Console:
    def __init__(
        self,
        settings: TableSettings,
        bookkeeper: Bookkeeper,
        *,
        deck: Deck | None,
        incidents: Mapping[str, IncidentClass],
        of_file: TableSettings | None,
    ) -> None:
        """`of_file` is the table as its file describes it, where a manager has changed something since."""
        self.settings = settings  # in force
        self._bookkeeper = bookkeeper
        self._of_file = of_file or settings
        self._next: TableSettings | None = None
        self._deck = deck or Deck(settings.scanner.first_deck)
        self._incidents = incidents

    # What the floor asks

    def verify_ready(self) -> None:
        self._deck.verify_ready(self.settings)

    @property
    def is_count_due(self) -> bool:
        return self._deck.is_due(self.settings)

    def round_begins(self) -> None:
        if self._deck.counted_ms is not None:
            self._deck = Deck(
                self._deck.name, self._deck.counted_by, self._deck.counted_ms, self._deck.rounds_since + 1
            )

    def round_ends(self) -> bool:
        """Whether something has changed with it."""
        if self._next is None:
            return False
        self.settings, self._next = self._next, None
        return True

    def understood(self, command: DealCard | CorrectCard | ReportProblem) -> DealCard | CorrectCard | ReportProblem:
        """With the card the scanner's code stands for, and with what the house allows for the class of incident."""
        match command:
            case DealCard():
                return replace(command, card=self._card(command.card))
            case CorrectCard():
                return replace(command, card=self._card(command.card))
            case ReportProblem(incident_class=name) if name and not command.resolutions:
                known = self._incidents.get(name)
                if known is None:
                    raise Refusal(Code.BAD_REQUEST, "incident_class: the house has no such class of incident.")
                return replace(command, resolutions=tuple(known.resolutions))
        return command

    def _card(self, code: str) -> str:
        return self.settings.scanner.card_of(code, self._deck.name)

    def view(self, round_: Round | None) -> Payload:
        paused = round_.paused if round_ and not round_.is_over else None
        following = self._next.limits.model_dump() if self._next else None
        return {
            "incident": self._incident_view(paused) if paused else None,
            "ended": _ended_view(round_) if round_ and not paused else None,
            "deck": self._deck.view(self.settings),
            "limits": self.settings.limits.model_dump(),
            "next_limits": following,
            "practice": self.settings.practice,
        }

    def _incident_view(self, paused: Pause) -> Payload:
        known = self._incidents.get(paused.incident_class)
        return {
            "incident_id": paused.incident_id,
            "incident_class": paused.incident_class or None,
            "title": known.title if known else None,
            "steps": list(known.steps) if known else [],
            "resolutions": list(paused.resolutions),
        }

    # The deck

    def count_deck(self, asked: CountDeck, shift: Shift) -> None:
        shift.verify_on_shift(asked.by)
        names = self.settings.scanner.decks
        deck = asked.deck if asked.deck is not None else self._deck.name
        if asked.deck is not None and deck not in names:
            raise Refusal(Code.BAD_REQUEST, "deck: the table has no such deck.")
        self._deck = Deck(
            self._deck.name,
            self._deck.counted_by,
            self._deck.counted_ms,
            self._deck.rounds_since,
            Count(deck, asked.by),
        )

    async def count_card(self, asked: CountCard, now_ms: int) -> None:
        count = self._counting(asked.by)
        read, refusal = count.read(asked.code, self.settings)
        if read.is_whole:
            counted = self._with(read).counted(asked.by, now_ms)
            async with self._bookkeeper.writing() as connection:
                await store_count(connection, self.settings.id, counted)
            self._deck = counted
            return
        self._deck = self._with(read)
        if refusal:
            raise refusal

    async def end_count(self, asked: EndCount, now_ms: int) -> None:
        count = self._counting(asked.by)
        if count.cards or count.foreign:
            await self._bookkeeper.note(spoiled(self.settings.id, count), now_ms)
        self._deck = self._with(None)

    def _counting(self, by: str) -> Count:
        count = self._deck.count
        if count is None:
            raise Refusal(Code.NOT_EXPECTED, "No deck is being counted. Begin the count first.")
        if count.by != by:
            raise Refusal(Code.FORBIDDEN, f"{count.by} is counting this deck.")
        return count

    def _with(self, count: Count | None) -> Deck:
        deck = self._deck
        return Deck(deck.name, deck.counted_by, deck.counted_ms, deck.rounds_since, count)

    # The manager

    async def set_limits(self, asked: SetLimits, now_ms: int, *, at_rest: bool) -> Payload:
        changed = limits.fitting(self.settings, dict(asked.limits))
        before = (self._next or self.settings).limits.model_dump()
        after = changed.limits.model_dump()
        if before != after:
            target = f"table {self.settings.id}"
            entry = Entry(asked.by, asked.role, "limits_changed", target, asked.reason, before, after)
            async with self._bookkeeper.writing() as connection:
                await limits.store(connection, changed, self._of_file.limits, entry, now_ms)
        if at_rest:
            self.settings, self._next = changed, None
        else:
            self._next = changed if changed.limits != self.settings.limits else None
        return {"in_force": at_rest}

    async def previewed(self, round_: Round | None, names: Mapping[str, str]) -> Payload:
        moves = preview.cancellation(round_)
        balances = await self._bookkeeper.balances([move.player_id for move in moves])
        assert round_ is not None
        return {"round_id": round_.round_id, **preview.moves_view(moves, balances, names)}

    async def correct(self, asked: CorrectSettled, now_ms: int) -> tuple[Round, Handled]:
        """The round before, and what became of it."""
        async with self._bookkeeper.reading() as connection:
            found, before = await corrections.round_of(connection, asked, now_ms)
        request = Request(found.proposal.command(found.proposed_by), now_ms)
        mark = partial(corrections.mark_approved, found=found, asked=asked, now_ms=now_ms)
        handled = await self._bookkeeper.handle(before, [request], beside=mark)
        if refusal := handled.answers[0].refusal:
            raise refusal
        return before, handled


def _ended_view(round_: Round) -> Payload | None:
    """The last incident of the round, for those who were about to end it themselves."""
    if not round_.incidents:
        return None
    last = round_.incidents[-1]
    return {
        "incident_id": last.incident_id,
        "outcome": last.outcome,
        "by": last.ended_by or None,
        "reason": last.resolution,
    }
