"""Rebuys that players ask for during a hand: they are paid together with the report of the hand."""

from typing import Final

from casino.errors import Refusal
from casino.poker.tournament.commands import HandDone
from casino.poker_room.tournament.entry_rows import Payment
from casino.poker_room.tournament.running_tournament import RunningTournament


class RebuyRequests:
    def __init__(self) -> None:
        self._requests: Final[dict[str, dict[str, Payment]]] = {}  # by tournament and entry

    def add(self, running: RunningTournament, entry_id: str, payment: Payment) -> None:
        self._requests.setdefault(running.tournament_id, {})[entry_id] = payment

    def take_of_table(self, running: RunningTournament, table_no: int) -> dict[str, Payment]:
        """Those of the players at this table, which it forgets."""
        requests = self._requests.get(running.tournament_id, {})
        entries = running.state.entries
        here = {entry_id: requests[entry_id] for entry_id in requests if entries[entry_id].table_no == table_no}
        for entry_id in here:
            del requests[entry_id]
        return here

    def forget(self, tournament_id: str) -> None:
        self._requests.pop(tournament_id, None)


async def report_with_rebuys(running: RunningTournament, command: HandDone, requests: dict[str, Payment]) -> None:
    """A rebuy that the balance does not cover any more is dropped, and the hand counts all the same."""
    with_rebuys = HandDone(command.table_no, command.stacks, command.awards, command.is_void, tuple(requests))
    try:
        await running.director.post(with_rebuys, *requests.values())
    except Refusal:
        running.director.post(command)
