"""What was decided in the last round that was played, for those who say it again because its answer got lost.

A round can be over, and the next one open, before somebody notices that the line was cut. Whatever else is said
about a round that is over is refused like any word about a round that is not being played.
"""

from collections.abc import Sequence

from casino.table.bookkeeping import Bookkeeper
from casino.table.messages import Envelope
from casino.uth.commands import Decide
from casino.uth.deciding import is_repetition
from casino.uth.state import Round, Seat
from casino.uth.views import bets_view


class SaidAgain:
    def __init__(self, bookkeeper: Bookkeeper) -> None:
        self._bookkeeper = bookkeeper
        self._played: Round | None = None

    def keep(self, over: Round | None) -> None:
        """Betting times without a bet come and go; what was played before them is not forgotten."""
        if over and over.seats:
            self._played = over

    async def answer(self, envelopes: Sequence[Envelope]) -> list[Envelope]:
        """Answer what is said again, moving nothing; the others are left to the round."""
        seats = [self._seat_of(envelope) for envelope in envelopes]
        balances = await self._bookkeeper.balances([seat.player_id for seat in seats if seat]) if any(seats) else {}
        left = []
        for envelope, seat in zip(envelopes, seats, strict=True):
            if seat:
                available = balances[seat.player_id].available
                envelope.answer({"bets": bets_view(seat.bets), "available": available})
            else:
                left.append(envelope)
        return left

    def _seat_of(self, envelope: Envelope) -> Seat | None:
        """Whose stored answer this is, if it is one."""
        command = envelope.message
        if not isinstance(command, Decide) or self._played is None or command.round_id != self._played.round_id:
            return None
        seat = self._played.seats.get(command.player_id)
        return seat if seat and is_repetition(self._played, seat, command) else None
