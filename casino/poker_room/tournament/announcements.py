"""Announcements: Sit & Gos that are always open, tournaments of the schedule, and those of managers."""

from collections.abc import Callable, Mapping, Sequence

from casino.clock import Clock
from casino.poker.tournament.director import announce, begin
from casino.poker.tournament.state import Status, Tournament
from casino.poker.tournament.terms import TournamentTerms
from casino.poker_room.tournament.ids import new_tournament_id
from casino.poker_room.tournament.journal_store import JournalStore, Stored
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.scheduled import Schedule
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.settings.poker import PokerSettings
from casino.storage.database import Database

Add = Callable[[Stored, Tournament], RunningTournament]
"""Runs a stored tournament from this state on."""


class Announcements:
    def __init__(
        self,
        settings: PokerSettings,
        database: Database,
        journals: JournalStore,
        clock: Clock,
        *,
        running: Mapping[str, RunningTournament],
        add: Add,
    ) -> None:
        self._settings = settings
        self._journals = journals
        self._clock = clock
        self._running = running
        self._add = add
        self._schedule = Schedule(settings, database, clock)
        self._offering: set[str] = set()  # Sit & Gos that are being announced

    async def offer_sit_and_gos(self) -> None:
        """Opens registration for every Sit & Go that has none open."""
        registering = {
            running.spec.source for running in self._running.values() if running.state.status is Status.REGISTERING
        }
        now_ms, new = self._clock(), list[tuple[TournamentSpec, TournamentTerms]]()
        for row in self._settings.sit_and_gos.sng:
            for buy_in in row.buy_ins:
                for currency in self._settings.room.currencies:
                    source = source_of(row.id, currency, buy_in.total)
                    if source in registering | self._offering:
                        continue
                    kind = TournamentKind.SIT_AND_GO
                    spec = TournamentSpec(new_tournament_id(kind), kind, source, currency, "sng", now_ms)
                    new.append((spec, self._settings.sit_and_go_terms(row, buy_in, spec.tournament_id, now_ms)))
        self._offering |= {spec.source for spec, _ in new}
        try:
            await self._announce_all(new)
        finally:
            self._offering -= {spec.source for spec, _ in new}

    async def announce_scheduled(self) -> None:
        """Announces tournaments of the schedule whose registration is open by now."""
        due = await self._schedule.due()
        await self._announce_all([self._schedule.terms(one, new_tournament_id(TournamentKind.MTT)) for one in due])

    async def announce(self, spec: TournamentSpec, terms: TournamentTerms) -> RunningTournament:
        announced = announce(terms, self._clock())
        head = await self._journals.announce(spec, announced)
        return self._add(Stored(spec, head, (announced,)), begin(announced))

    async def _announce_all(self, new: Sequence[tuple[TournamentSpec, TournamentTerms]]) -> None:
        if not new:
            return
        announced = [(spec, announce(terms, self._clock())) for spec, terms in new]
        heads = await self._journals.announce_all(announced)
        for (spec, first), head in zip(announced, heads, strict=True):
            self._add(Stored(spec, head, (first,)), begin(first))
