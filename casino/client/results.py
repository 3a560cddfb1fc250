"""Results of a bot run, round by round: bets, returns, the house's result and errors."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from casino.client.texts import Payload

GRACE_SECONDS: Final = 15.0
"""So long after a round is over every result must have come."""
FAULTS_KEPT_MAX: Final = 100
OVER: Final = frozenset({"settled", "cancelled", "idle"})


@dataclass(slots=True)
class PlayedRound:
    game_number: str
    seen_ms: int  # by the server's clock
    waiting: set[int] = field(default_factory=set)  # bots with a bet and no result
    results: dict[int, tuple[int, int]] = field(default_factory=dict)  # by bot: staked, returned
    phase: str = ""
    is_reported: bool = False

    @property
    def staked(self) -> int:
        return sum(staked for staked, _ in self.results.values())

    @property
    def returned(self) -> int:
        return sum(returned for _, returned in self.results.values())

    @property
    def is_complete(self) -> bool:
        return bool(self.phase) and not self.waiting


class Results:
    def __init__(self, rounds_max: int | None, on_round: Callable[[PlayedRound], None]) -> None:
        self.rounds: Final[dict[str, PlayedRound]] = {}
        self.faults: Final[list[str]] = []
        self.faults_in_all = 0
        self.late: Final[Counter[str]] = Counter()
        self.finished: Final = asyncio.Event()
        self._rounds_max = rounds_max
        self._on_round = on_round

    def admits(self, round_: Payload) -> bool:
        """Whether this round is one of those to be played."""
        if round_["round_id"] not in self.rounds:
            if self._rounds_max is not None and len(self.rounds) >= self._rounds_max:
                return False
            self.rounds[round_["round_id"]] = PlayedRound(round_["game_number"], round_["server_time"])
        return True

    def stop(self) -> None:
        """No new round; those being played are played to their end."""
        self._rounds_max = len(self.rounds)
        self._check()

    def bet(self, bot: int, round_id: str) -> None:
        self.rounds[round_id].waiting.add(bot)

    def bet_returned(self, bot: int, round_id: str) -> None:
        if round_id in self.rounds:
            self.rounds[round_id].waiting.discard(bot)
            self._check()

    def has_bet(self, bot: int, round_id: str) -> bool:
        return round_id in self.rounds and bot in self.rounds[round_id].waiting

    def seen(self, round_: Payload) -> None:
        """A bot saw this round, so every earlier one is over. Events may be read late, so their time counts."""
        for round_id, played in self.rounds.items():
            is_this = round_id == round_["round_id"]
            is_over = round_["phase"] in OVER if is_this else played.seen_ms < round_["server_time"]
            if is_over and not played.phase:
                played.phase = round_["phase"] if is_this else "unknown"
                asyncio.get_running_loop().call_later(GRACE_SECONDS, self._give_up, played)
                self._check()

    def result(self, bot: int, payload: Payload) -> None:
        """A correction replaces the first result."""
        played = self.rounds.get(payload["round_id"])
        if played is None or (bot not in played.waiting and bot not in played.results):
            self.fault(f"bot {bot} got a result of a round without a bet: {payload['round_id']}")
            return
        played.results[bot] = (payload["staked"], payload["returned"])
        played.waiting.discard(bot)
        self._check()

    def fault(self, sentence: str) -> None:
        self.faults_in_all += 1
        if len(self.faults) < FAULTS_KEPT_MAX:
            self.faults.append(sentence)

    def net_of(self, bot: int) -> int:
        """Returns the sum of all results: the change of the bot's balance."""
        results = (played.results[bot] for played in self.rounds.values() if bot in played.results)
        return sum(returned - staked for staked, returned in results)

    def _give_up(self, played: PlayedRound) -> None:
        for bot in sorted(played.waiting):
            self.fault(f"bot {bot} got no result of round {played.game_number}")
        played.waiting.clear()
        self._check()

    def _check(self) -> None:
        for played in self.rounds.values():
            if played.is_complete and not played.is_reported:
                played.is_reported = True
                self._on_round(played)
        is_last = self._rounds_max is not None and len(self.rounds) >= self._rounds_max
        if is_last and all(played.is_complete for played in self.rounds.values()):
            self.finished.set()
