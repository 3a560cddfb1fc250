"""Recent chat messages of one table: the backlog for new readers, and the detection of repeated messages.

Messages are kept in memory only; a restart clears them. `archive.py` stores them.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final

from casino.chat.message_filter import normalized
from casino.refusals import Reason
from casino.wire.notices import ChatLine, HostChatLine, HouseValues

LINES_KEPT: Final = 50
SAME_AGAIN_MS: Final = 60_000
_SPEAKERS_MAX: Final = 10_000


@dataclass(frozen=True, slots=True)
class Line:
    """`player_id` is for consoles only, where staff may mute; null for system messages.

    `code` identifies a system message, so that a page can translate it with its `values`; null for messages of people.
    """

    table_id: str
    name: str
    role: str
    text: str
    at_ms: int
    player_id: str | None = None
    code: str | None = None
    values: HouseValues = field(default_factory=HouseValues)

    def for_players(self) -> ChatLine:
        return {
            "table_id": self.table_id,
            "from": self.name,
            "role": self.role,
            "text": self.text,
            "at": self.at_ms,
            "code": self.code,
            **self.values,
        }

    def for_hosts(self) -> HostChatLine:
        return {**self.for_players(), "player_id": self.player_id}


class MessageLog:
    def __init__(self) -> None:
        self.lines: deque[Line] = deque(maxlen=LINES_KEPT)
        self._said: OrderedDict[str, tuple[str, int]] = OrderedDict()  # by player, the last message and its time

    def add(self, line: Line) -> None:
        """Adds a message; refuses a player's repetition of the last one."""
        if line.player_id is not None:
            self._verify_new(line.player_id, line)
        self.lines.append(line)

    def _verify_new(self, player_id: str, line: Line) -> None:
        same = normalized(line.text)
        text, at_ms = self._said.get(player_id, ("", 0))
        if same == text and line.at_ms - at_ms < SAME_AGAIN_MS:
            raise Reason.CHAT_REPEATED.refusal()
        self._said[player_id] = (same, line.at_ms)
        self._said.move_to_end(player_id)
        if len(self._said) > _SPEAKERS_MAX:
            self._said.popitem(last=False)
