"""Handles the messages of a host console outside the round: deck counts, limits and previews."""

from casino.errors import Code, Refusal
from casino.live_table.console import Console
from casino.live_table.messages import CountCard, CountDeck, EndCount, PreviewCancel, SetLimits
from casino.live_table.table_state import TableState
from casino.wire.host_events import LimitsSet, Preview
from casino.wire.player_events import Done


class ConsoleDesk:
    def __init__(self, state: TableState, console: Console) -> None:
        self._state = state
        self._console = console

    async def count_deck(self, message: CountDeck, _now_ms: int) -> Done:
        if self._state.is_machine:
            raise Refusal(Code.NOT_EXPECTED, "This table is dealt automatically; there is no deck to count.")
        if not self._state.is_at_rest:
            raise Refusal(Code.NOT_EXPECTED, "Count the deck between rounds.")
        self._console.count_deck(message, self._state.shift)
        return {}

    async def count_card(self, message: CountCard, now_ms: int) -> Done:
        await self._console.count_card(message, now_ms)
        return {}

    async def end_count(self, message: EndCount, now_ms: int) -> Done:
        await self._console.end_count(message, now_ms)
        return {}

    async def set_limits(self, message: SetLimits, now_ms: int) -> LimitsSet:
        reply = await self._console.set_limits(message, now_ms, at_rest=self._state.is_at_rest)
        self._state.has_changes = True
        return reply

    async def preview_cancel(self, _message: PreviewCancel, _now_ms: int) -> Preview:
        return await self._console.preview_cancel(self._state.round, self._state.seating.names)
