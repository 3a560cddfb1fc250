"""Verifies flights: what waits for their second phase, and that each second phase has their survivors and no others."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from casino.ledger import accounts
from casino.poker.tournament.entries import Survivor
from casino.poker.tournament.events import CarriedOver, Event, FlightEnded
from casino.poker.tournament.state import Tournament
from casino.poker_room.tournament.spec import TournamentSpec, source_of


class Flights:
    """Collects the events of all tournaments, in whatever order. `waiting` is money by account."""

    def __init__(self) -> None:
        self.waiting: Counter[str] = Counter()
        self._survived: dict[str, set[Survivor]] = defaultdict(set)
        self._carried: list[tuple[str, str, tuple[Survivor, ...]]] = []

    def add(self, spec: TournamentSpec, state: Tournament, event: Event) -> None:
        match event:
            case FlightEnded():
                source = source_of(state.terms.target or "", spec.currency)
                self._survived[source].update(event.survivors)
                self._move(source, spec.currency, event.pool, sum(survivor.fees for survivor in event.survivors))
            case CarriedOver():
                self._carried.append((spec.tournament_id, spec.source, event.survivors))
                fees = sum(survivor.fees for survivor in event.survivors) + event.fees_earned
                self._move(spec.source, spec.currency, -event.pool, -fees)

    def faults(self) -> Iterator[str]:
        for tournament_id, source, survivors in self._carried:
            for survivor in survivors:
                if survivor not in self._survived[source]:
                    yield f"tournament {tournament_id}: entry {survivor.entry_id} has survived no flight so"

    def _move(self, source: str, currency: str, pool: int, fees: int) -> None:
        self.waiting[accounts.tournament_pool(source, currency).id] += pool
        self.waiting[accounts.tournament_fees(source, currency).id] += fees
