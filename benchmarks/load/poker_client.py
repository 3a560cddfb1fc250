"""One poker player of the load generator: a WebSocket, its requests in flight, and the net results it received."""

import json

from benchmarks.load.websocket import WebSocket


class PokerClient(WebSocket):
    __slots__ = ("awaits", "hands", "id", "is_leaving", "net", "number", "seen", "table_id", "token", "turn")

    def __init__(self, player_id: str, token: str) -> None:
        super().__init__()
        self.id = player_id
        self.token = token
        self.net = 0  # of all received hands
        self.hands = 0
        self.number = 0
        self.seen = 0  # the number of the last event of the table
        self.table_id = ""
        self.is_leaving = False
        self.turn: tuple[str, int] | None = None  # the last decision asked for
        self.awaits: dict[int, tuple[str, float]] = {}

    def ask(self, what: str, now: float, **fields: object) -> None:
        self.number += 1
        self.awaits[self.number] = (what, now)
        body = json.dumps(fields, separators=(",", ":"))
        self.say(f'42/poker,{self.number}["{what}",{body}]'.encode())
