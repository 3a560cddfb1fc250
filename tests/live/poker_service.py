"""Real service process with known poker decks and draws, injected by these tests and by no setting.

`python -m tests.live.poker_service FILE CLOCKS serve …` is `casino serve …` with some things replaced:

- every deck is the house's order behind the cards that FILE names, or else those below;
- every draw is the next one that FILE names, or else 0: the first player to sit down has seat 1 and the first button;
- a table that cannot play closes after `CLOSE_AFTER_MS`, if its players fit at other tables;
- tournaments have the clocks that the test names: a level's minute, the hour of breaks, and the add-on pause;
- `min_to_start` counts for the first hand of a table only, so that a test can wait for all its players; and the cards
  of a run-out follow one another without a pause.
"""

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from sys import executable
from tempfile import TemporaryDirectory
from typing import Any, Final

from casino.bootstrap import poker_host
from casino.cards.card import DECK, Card
from casino.cli import app
from casino.poker.cash.seating import START_MIN, may_start
from casino.poker.tournament import knockouts, pauses, structure, terms
from casino.poker_room import room_tables, table_seats
from casino.poker_room.decks import Decks
from casino.poker_room.pool import PoolTerms
from casino.poker_room.room import PokerRoom
from casino.poker_room.shoe import Shoe
from casino.poker_room.table_terms import TableTerms, table_terms
from tests.live.service import POKER_CONFIG, LiveService

TOP: Final = "Ah Kh Qh Ad Kd Qd 2c 7d 9s 3h 4s"
"""With three players: aces, kings and queens from left of the button, and a board that helps nobody."""
POOLS: Final = 32
"""Stakes of the service, all alike: a test has a pool of its own, so that it meets no players of another one."""
CLOSE_AFTER_MS: Final = 4_000
_STAKE: Final = """
[[stake]]
id = "t{}"
game = "nlhe"
sb = 5
bb = 10
permille = 35
cap = 100
"""
QUICK: Final = {"between_hands = 3": "between_hands = 0", "after_showdown = 5": "after_showdown = 0"}


@dataclass(frozen=True)
class TournamentClocks:
    """Milliseconds. Breaks are due at 55 minutes past the hour, so at its end but for one twelfth."""

    minute: int = structure.MINUTE_MS
    hour: int = structure.HOUR_MS
    add_on: int = terms.ADD_ON_MS
    rebuy_offer: int = terms.REBUY_OFFER_MS

    def set(self) -> None:
        vars(structure).update(MINUTE_MS=self.minute, HOUR_MS=self.hour, BREAK_AT_MS=self.hour * 11 // 12)
        vars(pauses).update(HOUR_MS=self.hour, ADD_ON_MS=self.add_on)
        vars(knockouts).update(REBUY_OFFER_MS=self.rebuy_offer)


@dataclass(frozen=True)
class Order:
    """What tests have ordered: the cards on top of every deck from now on, and the next draws."""

    file: Path

    def write(self, cards: str = TOP, draws: Sequence[int] = ()) -> None:
        self.file.write_text(json.dumps({"cards": cards, "draws": [*draws]}))

    def shoe(self) -> Shoe:
        top = [Card(name) for name in self._read()["cards"].split()]
        return Shoe([*top, *(card for card in DECK if card not in top)], f"{1:064x}")

    def draw(self, _bound: int) -> int:
        ordered = self._read()
        number, *left = ordered["draws"] or [0]
        self.write(ordered["cards"], left)
        return int(number)

    def _read(self) -> Any:  # noqa: ANN401  it is JSON
        return json.loads(self.file.read_text())


def starts(present: int, dealt_in_before: int, start_min: int = START_MIN) -> bool:
    return may_start(present, dealt_in_before, START_MIN if dealt_in_before else start_min)


def quick_terms(*arguments: Any) -> TableTerms:  # noqa: ANN401  those of `table_terms`
    return replace(table_terms(*arguments), run_out_ms=0)


def order_of(service: LiveService) -> Order:
    return Order(service.config.parent / "order.json")


@contextmanager
def started_poker(
    *staff: str,
    known: bool = True,
    database: str = "",
    stakes: str = "",
    files: Mapping[str, str] | None = None,
    clocks: TournamentClocks | None = None,
    **room: str,
) -> Iterator[LiveService]:
    """`files` replaces files of the room's configuration, and `room` lines of room.toml, by their key."""
    with TemporaryDirectory(prefix="casino-poker-") as folder:
        service = LiveService(Path(folder), {}, database)
        shutil.copytree(POKER_CONFIG, service.config / "poker")
        (service.config / "tables" / "uth-1.toml").write_text('id = "uth-1"\nname = "Table"\n')
        stakes = stakes or "".join(_STAKE.format(number) for number in range(1, POOLS + 1))
        (service.config / "poker" / "stakes.toml").write_text(stakes)
        for name, text in (files or {}).items():
            (service.config / "poker" / name).write_text(text)
        with (service.config / "casino.toml").open("a") as rates:
            rates.write("plays_per_5_seconds = 1000\n")  # tests try more than any player
        file = service.config / "poker" / "room.toml"
        text = file.read_text()
        for old, new in QUICK.items():
            text = text.replace(old, new)
        for key, value in room.items():
            lines = {line for line in text.splitlines() if line.startswith(f"{key} = ")}
            assert lines, f"room.toml has no {key}"
            for line in lines:
                text = text.replace(line, f"{key} = {value}")
        file.write_text(text)
        if known:
            order_of(service).write()
            names = json.dumps(asdict(clocks or TournamentClocks()))
            service.program = [executable, "-m", "tests.live.poker_service", str(order_of(service).file), names]
        try:
            service.start()
            service.add_staff(*staff)
            yield service
        finally:
            service.close()


if __name__ == "__main__":
    known = Order(Path(sys.argv.pop(1)))
    TournamentClocks(**json.loads(sys.argv.pop(1))).set()
    vars(poker_host)["Decks"] = partial(Decks, shoe=known.shoe)
    vars(poker_host)["PokerRoom"] = partial(PokerRoom, draw=known.draw)
    vars(room_tables)["PoolTerms"] = partial(PoolTerms, close_after_ms=CLOSE_AFTER_MS)
    vars(table_seats)["may_start"] = starts
    vars(room_tables)["table_terms"] = quick_terms
    app()
