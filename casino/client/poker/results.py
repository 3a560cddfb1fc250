"""Results of a run of poker bots: hands played, the rake, every bot's net, and errors."""

import asyncio
from collections import Counter, defaultdict
from typing import Final

FAULTS_KEPT_MAX: Final = 100


class PokerResults:
    def __init__(self, hands_max: int | None) -> None:
        self.hands: Final[set[str]] = set()
        """Hands that are over and stored, by id."""
        self.rake = 0
        self.void = 0
        self.faults: Final[list[str]] = []
        self.faults_in_all = 0
        self.late: Final[Counter[str]] = Counter()
        self.finished: Final = asyncio.Event()
        """Enough hands are played: every bot gives its seat up."""
        self._hands_max = hands_max
        self._net: defaultdict[int, int] = defaultdict(int)
        self._raked: set[str] = set()

    def over(self, bot: int, hand_id: str, net: int) -> None:
        self._net[bot] += net
        self.hands.add(hand_id)
        if self._hands_max is not None and len(self.hands) >= self._hands_max:
            self.finished.set()

    def settled(self, hand_id: str, starts: int, stacks: int, rake: int) -> None:
        """Records a result that all players of the table receive; chips are neither made nor lost."""
        if hand_id in self._raked:
            return
        self._raked.add(hand_id)
        self.rake += rake
        if starts != stacks + rake:
            self.fault(f"hand {hand_id} began with {starts} and ended with {stacks} and a rake of {rake}")

    def net_of(self, bot: int) -> int:
        return self._net[bot]

    def stop(self) -> None:
        self.finished.set()

    def fault(self, sentence: str) -> None:
        self.faults_in_all += 1
        if len(self.faults) < FAULTS_KEPT_MAX:
            self.faults.append(sentence)
