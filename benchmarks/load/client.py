"""One player's connection of the load generator: requests in flight, and the state of the table."""

from typing import NamedTuple

from benchmarks.load.websocket import WebSocket
from casino.bots.core import BotCore


class RoundResult(NamedTuple):
    """A `result`: what the round cost, what it returned, and the balance after it."""

    staked: int
    returned: int
    balance: int


class Client(WebSocket):
    __slots__ = (
        "asked_at",
        "asked_in",
        "awaits",
        "away",
        "balance",
        "bet_in",
        "core",
        "id",
        "is_playing",
        "joined",
        "number",
        "results",
        "seen",
        "token",
    )

    def __init__(self, player_id: str, token: str, core: BotCore) -> None:
        self.id = player_id
        self.token = token
        self.core = core  # the same for every connection of this player
        self.results: dict[str, RoundResult] = {}  # results by round
        self.balance: int | None = None  # of the last result or snapshot
        self.bet_in = ""  # the round of a stored bet without a result yet
        self.away: set[str] = set()  # rounds whose result may have been sent while this player was not connected
        self.is_playing = False  # has bet, and may still have to decide
        self.begin()

    def begin(self) -> None:
        self.forget()
        self.joined = False
        self.number = 0
        self.awaits = ""
        self.asked_at = 0.0
        self.asked_in = ""  # the round of the last bet sent
        self.seen = 0  # the number of the last `round` event

    def connect(self, port: int) -> None:
        self.begin()
        super().connect(port)

    def ask(self, what: str, body: str, now: float) -> None:
        self.number += 1
        self.awaits, self.asked_at = what, now
        self.say(f'42/table,{self.number}["{what}",{body}]'.encode())
