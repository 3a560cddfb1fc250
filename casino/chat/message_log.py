"""What was said last at one table: for those who come later, and to notice when somebody says the same again.

It is kept in memory alone: after a restart the tables are quiet.
"""

from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Any, Final

from casino.chat.lines import sameness
from casino.errors import Code, Refusal

LINES_KEPT: Final = 50
SAME_AGAIN_MS: Final = 60_000
_SPEAKERS_MAX: Final = 10_000

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """`player_id` is for the console alone, where somebody may have to be muted; null if no player has said it.

    `code` says what a line of the house is about, so that a page can say it in another language; null for people.
    """

    table_id: str
    name: str
    role: str
    text: str
    at_ms: int
    player_id: str | None = None
    code: str | None = None

    def for_players(self) -> Payload:
        return {
            "table_id": self.table_id,
            "from": self.name,
            "role": self.role,
            "text": self.text,
            "at": self.at_ms,
            "code": self.code,
        }

    def for_hosts(self) -> Payload:
        return self.for_players() | {"player_id": self.player_id}


class Conversation:
    def __init__(self) -> None:
        self.lines: deque[Line] = deque(maxlen=LINES_KEPT)
        self._said: OrderedDict[str, tuple[str, int]] = OrderedDict()  # by player, the last line and when

    def add(self, line: Line) -> None:
        """A player does not say the same twice in a row."""
        if line.player_id is not None:
            self._verify_new(line.player_id, line)
        self.lines.append(line)

    def between(self, from_ms: int, until_ms: int | None) -> list[Line]:
        """What was said then, as far as it is kept."""
        return [line for line in self.lines if from_ms <= line.at_ms and (until_ms is None or line.at_ms <= until_ms)]

    def _verify_new(self, player_id: str, line: Line) -> None:
        same = sameness(line.text)
        text, at_ms = self._said.get(player_id, ("", 0))
        if same == text and line.at_ms - at_ms < SAME_AGAIN_MS:
            raise Refusal(Code.BAD_REQUEST, "You have just said that.")
        self._said[player_id] = (same, line.at_ms)
        self._said.move_to_end(player_id)
        if len(self._said) > _SPEAKERS_MAX:
            self._said.popitem(last=False)
