"""Available balances for tables whose hands were stored together, read in one query."""

import asyncio
from collections.abc import Iterable

from casino.poker_room.seat_money import SeatMoney


class Balances:
    """Callers of one turn of the event loop share a read; a failure of it concerns them all."""

    def __init__(self, money: SeatMoney) -> None:
        self._money = money
        self._wanted: set[str] = set()
        self._reading: asyncio.Task[dict[str, int]] | None = None

    async def available(self, player_ids: Iterable[str]) -> dict[str, int]:
        """By player; players without a cash account are missing, and there may be more than were asked for."""
        self._wanted.update(player_ids)
        if self._reading is None:
            self._reading = asyncio.create_task(self._read(), name="poker balances")
        return await self._reading

    async def _read(self) -> dict[str, int]:
        """Begins in the next turn: by then all requests of this one have arrived."""
        wanted, self._wanted, self._reading = sorted(self._wanted), set(), None
        return {player_id: cash.available for player_id, cash in (await self._money.cash(wanted)).items()}
