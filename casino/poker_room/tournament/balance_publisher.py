"""Publishes the balances of players in tournaments, after registrations, prizes and refunds."""

import structlog

from casino.poker_room.messages import RoomPublisher
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.wire.player_events import BALANCE

_log = structlog.get_logger()


class BalancePublisher:
    def __init__(self, money: SeatMoney, publisher: RoomPublisher) -> None:
        self._money = money
        self._publisher = publisher

    async def available(self, player_id: str) -> int:
        return await self._money.available(player_id)

    async def send(self, running: RunningTournament, player_id: str) -> int:
        """Returns the available balance, or the last known one while the database is away."""
        try:
            cash = (await self._money.cash([player_id])).get(player_id)
        except Exception as error:  # noqa: BLE001  the next message has it
            _log.warning("poker_balance_not_sent", failure=type(error).__name__)
            return running.available.get(player_id, 0)
        if cash is None:
            return 0
        running.available[player_id] = cash.available
        table = running.seats.get(player_id)
        if table is not None:
            table.occupants[player_id].available = cash.available
        self._publisher.to_player(player_id, BALANCE({"balance": cash.balance, "available": cash.available}))
        return cash.available

    async def send_outside(self, player_id: str) -> None:
        """To a player who need not be in any tournament."""
        cash = (await self._money.cash([player_id])).get(player_id)
        if cash is not None:
            self._publisher.to_player(player_id, BALANCE({"balance": cash.balance, "available": cash.available}))
