"""Real service process with known poker decks and draws, injected by these tests and by no setting.

`python -m tests.live.poker_service serve …` is `casino serve …` with two things replaced: every deck is the house's
order behind the cards below, and every draw is 0, so that the first player to sit down has seat 1 and the first button.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from sys import executable
from tempfile import TemporaryDirectory
from typing import Final

from casino.bootstrap import poker_host
from casino.cards.card import DECK, Card
from casino.cli import app
from casino.poker_room.decks import Decks
from casino.poker_room.room import PokerRoom
from casino.poker_room.shoe import Shoe
from tests.live.service import POKER_CONFIG, LiveService

TOP: Final = "Ah Kh Qh Ad Kd Qd 2c 7d 9s 3h 4s"
"""With three players: aces, kings and queens from left of the button, and a board that helps nobody."""
POOLS: Final = 16
"""Stakes of the service, all alike: a test has a pool of its own, so that it meets no players of another one."""
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


def known_shoe() -> Shoe:
    top = [Card(name) for name in TOP.split()]
    return Shoe([*top, *(card for card in DECK if card not in top)], f"{1:064x}")


@contextmanager
def started_poker(*staff: str, known: bool = True, database: str = "", **room: str) -> Iterator[LiveService]:
    """`room` replaces lines of room.toml, by their key."""
    with TemporaryDirectory(prefix="casino-poker-") as folder:
        service = LiveService(Path(folder), {}, database)
        shutil.copytree(POKER_CONFIG, service.config / "poker")
        (service.config / "tables" / "uth-1.toml").write_text('id = "uth-1"\nname = "Table"\n')
        stakes = "".join(_STAKE.format(number) for number in range(1, POOLS + 1))
        (service.config / "poker" / "stakes.toml").write_text(stakes)
        with (service.config / "casino.toml").open("a") as rates:
            rates.write("plays_per_5_seconds = 1000\n")  # tests try more than any player
        file = service.config / "poker" / "room.toml"
        text = file.read_text()
        for old, new in QUICK.items():
            text = text.replace(old, new)
        for key, value in room.items():
            (line,) = [line for line in text.splitlines() if line.startswith(f"{key} = ")]
            text = text.replace(line, f"{key} = {value}")
        file.write_text(text)
        if known:
            service.program = [executable, "-m", "tests.live.poker_service"]
        try:
            service.start()
            service.add_staff(*staff)
            yield service
        finally:
            service.close()


if __name__ == "__main__":
    vars(poker_host)["Decks"] = partial(Decks, shoe=known_shoe)
    vars(poker_host)["PokerRoom"] = partial(PokerRoom, draw=lambda _bound: 0)
    app()
