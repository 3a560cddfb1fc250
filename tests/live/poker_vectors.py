"""Vectors of the rules as they are played at a table: stacks, actions, and what a player is asked or everybody wins.

Seats are those of the rules: 1 is the small blind, 2 the big blind. At the table the button has seat 1, so that they
are seats 2 and 3 there. Six players are dealt in; seats that a vector does not name fold.
"""

from dataclasses import asdict, dataclass
from typing import Final

SEATS: Final = 6
DECK: Final = "Kh 7d Ah 2c 3c 4c Kd 6s Ad 2d 3d 4d 9h Th Jc 5s 2s"
"""The small blind has kings, the big blind nothing, the player after them aces; the board helps none of them."""
_STAKE: Final = """
[[stake]]
id = "{id}"
game = "{game}"
sb = {sb}
bb = {bb}
permille = {permille}
cap = {cap}
buy_in_min_bb = {least}
buy_in_max_bb = {most}
"""


@dataclass(frozen=True)
class Stake:
    game: str
    sb: int
    bb: int
    permille: int
    cap: int

    def row(self, stake_id: str, least: int = 1, most: int = 1000) -> str:
        """Of stakes.toml. Buy-ins are big blinds."""
        return _STAKE.format(id=stake_id, least=least, most=most, **asdict(self))


NL1, PL1, PL100 = Stake("nlhe", 1, 2, 60, 300), Stake("plo", 1, 2, 60, 300), Stake("plo", 100, 200, 60, 300)
NL4, NL10 = Stake("nlhe", 2, 4, 20, 50), Stake("nlhe", 5, 10, 35, 100)
NL25, NL100 = Stake("nlhe", 10, 25, 45, 200), Stake("nlhe", 50, 100, 60, 300)
NL20 = Stake("nlhe", 10, 20, 60, 300)


def stake_id(name: str) -> str:
    """Every vector is played at a stake of its own, where it meets no players of another one."""
    return name.lower().replace(".", "-").replace(" ", "-")


@dataclass(frozen=True)
class Asked:
    """The player who is asked after the actions: the price, and the smallest and the largest raise, if any."""

    seat: int
    call: int
    sizes: tuple[int, int] | None


@dataclass(frozen=True)
class Paid:
    """Nets of the players named, and the rake by pot."""

    nets: dict[int, int]
    rake: tuple[int, ...]


@dataclass(frozen=True)
class Vector:
    name: str
    stake: Stake
    stacks: dict[int, int]
    actions: str
    ends: Asked | Paid

    @property
    def stake_id(self) -> str:
        return stake_id(self.name)

    def stack(self, seat: int) -> int:
        """200 small blinds unless the vector says otherwise."""
        return self.stacks.get(seat, 200 * self.stake.sb)


LIMP = "3 call, 4 call, 1 call, 2 check"
LIMP_5 = "3 call, 4 call, 5 call, 1 call, 2 check"
DOWN = ", 1 check, 2 check" * 3
VECTORS: Final = (
    Vector(
        "V3.1",
        NL1,
        {1: 202, 2: 202, 3: 20, 4: 27},
        f"{LIMP}, 1 raise_to 10, 2 call, 3 raise_to 18, 4 raise_to 25",
        Asked(1, 15, (35, 200)),
    ),
    Vector(
        "V3.2",
        NL1,
        {1: 202, 2: 202, 3: 18, 4: 202, 5: 24},
        f"{LIMP_5}, 1 raise_to 10, 2 call, 3 raise_to 16, 4 call, 5 raise_to 22",
        Asked(1, 12, None),
    ),
    Vector(
        "V3.3",
        NL1,
        {1: 202, 2: 202, 3: 202, 4: 17},
        f"{LIMP}, 1 check, 2 raise_to 10, 3 call, 4 raise_to 15, 1 call",
        Asked(2, 5, None),
    ),
    Vector("V3.4", NL1, {1: 19, 3: 16}, "3 raise_to 16, 4 call, 1 raise_to 19, 2 call", Asked(4, 3, None)),
    Vector("V3.5", NL1, {2: 3}, f"{LIMP}, 1 check, 2 raise_to 1, 3 call, 4 call", Asked(1, 1, None)),
    Vector(
        "V3.7",
        NL1,
        {1: 202, 2: 202, 3: 18, 4: 202, 5: 23},
        f"{LIMP_5}, 1 raise_to 10, 2 call, 3 raise_to 16, 4 fold, 5 raise_to 21",
        Asked(1, 11, (31, 200)),
    ),
    Vector("V3.8", NL1, {1: 4, 4: 3}, "3 call, 4 raise_to 3, 1 raise_to 4, 2 call", Asked(3, 2, (6, 200))),
    Vector("V3.9", NL1, {1: 4, 4: 3}, "3 call, 4 raise_to 3, 1 raise_to 4, 2 fold", Asked(3, 2, None)),
    Vector("V3.11", PL1, {}, "", Asked(3, 2, (4, 7))),
    Vector("V3.16", PL100, {}, "6 raise_to 700, 2 call, 2 check, 6 raise_to 1500", Asked(2, 1500, (3000, 6000))),
    Vector(
        "V4.1",
        NL100,
        {1: 1000, 2: 1000, 3: 100},
        "3 call, 1 raise_to 1000, 2 call",
        Paid({1: 692, 2: -1000, 3: 182}, (18, 108)),
    ),
    Vector("V4.3", NL100, {}, "1 call, 2 check, 1 raise_to 500, 2 fold", Paid({1: 88, 2: -100}, (12,))),
    Vector(
        "V4.4",
        NL20,
        {1: 300, 2: 500},
        "3 raise_to 80, 1 call, 2 raise_to 500, 3 fold, 1 call",
        Paid({1: 339, 2: -300, 3: -80}, (41,)),
    ),
    Vector("V5.1", NL4, {}, f"1 call, 2 check{DOWN}", Paid({1: 3, 2: -4}, (1,))),
    Vector("V5.2", NL10, {1: 13}, "1 raise_to 13, 2 call", Paid({1: 12, 2: -13}, (1,))),
    Vector(
        "V5.3",
        NL25,
        {1: 111, 2: 111, 3: 111},
        "3 raise_to 111, 1 call, 2 call",
        Paid({1: -111, 2: -111, 3: 207}, (15,)),
    ),
    Vector("V5.4", NL10, {1: 2000, 2: 2000}, "1 raise_to 2000, 2 call", Paid({1: 1900, 2: -2000}, (100,))),
    Vector(
        "V5.8",
        NL100,
        {1: 10_000, 2: 10_000, 3: 1000},
        "3 raise_to 1000, 1 raise_to 10000, 2 call",
        Paid({1: 7743, 2: -10_000, 3: 1957}, (43, 257)),
    ),
    Vector("V5.9", NL100, {}, "1 fold", Paid({1: -50, 2: 50}, (0,))),
)


@dataclass(frozen=True)
class Moves:
    """What happens between two hands. In the hand before both, 1 had the small blind and 2 the big blind.

    `leaves_before` leave then: their seats are free in the hand that the rules call the last one. `comes` is the seat
    of a newcomer, who posts or waits. `then` are button, small blind, big blind and posters of the next hand.
    """

    name: str
    then: tuple[int, int | None, int, tuple[int, ...]]
    leaves_before: tuple[int, ...] = ()
    leaves: tuple[int, ...] = ()
    sits_out: int | None = None
    sits_out_next_bb: int | None = None
    comes: int | None = None
    posts: bool = False
    waits: int | None = None
    """A player who is at the table and not dealt in."""

    @property
    def stake_id(self) -> str:
        return stake_id(self.name)


MOVES: Final = (
    Moves("V6.1", (2, 3, 4, ())),
    Moves("V6.2", (1, 3, 4, ()), leaves=(2,)),
    Moves("V6.3", (2, None, 4, ()), leaves=(3,)),
    Moves("V6.4", (1, None, 4, ()), leaves=(2, 3)),
    Moves("V6.5", (2, None, 5, ()), leaves=(3, 4)),
    Moves("V6.6", (2, 3, 5, ()), sits_out=4, waits=4),
    Moves("V6.7", (2, 3, 5, ()), sits_out_next_bb=4, waits=4),
    Moves("V6.8", (2, 3, 4, (5,)), leaves_before=(5,), comes=5, posts=True),
    Moves("V6.9", (2, 3, 4, ()), leaves_before=(5,), comes=5, waits=5),
    Moves("V6.10", (2, 3, 4, ()), leaves_before=(4,), comes=4),
    Moves("V6.11", (1, 3, 4, ()), leaves_before=(2,), comes=2, posts=True, waits=2),
    Moves("V6.12", (3, 3, 1, ()), leaves=(2, 4, 5, 6)),
    Moves("V6.13", (2, 2, 1, ()), leaves=(3, 4, 5, 6)),
    Moves("V6.14 waits", (1, 3, 5, ()), leaves_before=(2, 4, 5, 6), comes=5),
    Moves("V6.14 posts", (1, 3, 5, ()), leaves_before=(2, 4, 5, 6), comes=5, posts=True),
    Moves("V6.15", (3, 3, 1, ()), leaves_before=(2, 4, 5, 6), comes=2, posts=True, waits=2),
)
