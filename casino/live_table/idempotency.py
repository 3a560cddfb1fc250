"""Idempotency of decisions: repeats the reply of the last round to a player who sends the same decision again.

A round can be over, and the next one open, before a client detects a lost connection. All other commands about a
finished round are refused.
"""

from collections.abc import Sequence

from casino.hosting.actor import Envelope
from casino.live_table.accounting import TableUnitOfWork
from casino.uth.commands import Command, Decide
from casino.uth.decisions import is_repetition
from casino.uth.state import Round, Seat
from casino.wire.player_events import BetsStand
from casino.wire.round_views import bets_view


class DecisionReplies:
    def __init__(self, unit_of_work: TableUnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._played: Round | None = None

    def keep(self, over: Round | None) -> None:
        """Keeps the replies of a played round; betting phases without a bet do not replace them."""
        if over and over.seats:
            self._played = over

    async def answer(self, envelopes: Sequence[Envelope[Command]]) -> list[Envelope[Command]]:
        """Replies to repeated decisions without any effect; returns the other envelopes."""
        seats = [self._seat_of(envelope) for envelope in envelopes]
        balances = await self._unit_of_work.balances([seat.player_id for seat in seats if seat]) if any(seats) else {}
        left = []
        for envelope, seat in zip(envelopes, seats, strict=True):
            if seat:
                available = balances[seat.player_id].available
                envelope.answer(BetsStand(bets=bets_view(seat.bets), available=available))
            else:
                left.append(envelope)
        return left

    def _seat_of(self, envelope: Envelope[Command]) -> Seat | None:
        """Returns the seat with the stored reply if this envelope repeats a decision."""
        command = envelope.message
        if not isinstance(command, Decide) or self._played is None or command.round_id != self._played.round_id:
            return None
        seat = self._played.seats.get(command.player_id)
        return seat if seat and is_repetition(self._played, seat, command) else None
