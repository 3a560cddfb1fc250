"""Hands as text, and a presenter who deals them: `As Kd | 7h 7c 2s Jd 3c | Qh Qd`."""

import asyncio
from dataclasses import dataclass
from typing import Final

from tests.live.clients import Host, Player

WINDOWS: Final = ("deciding_preflop", "deciding_flop", "deciding_river")
WAYS: Final = {
    "play_4x": ("play_4x",),
    "play_3x": ("play_3x",),
    "play_2x": ("check", "play_2x"),
    "play_1x": ("check", "check", "play_1x"),
    "fold": ("check", "check", "fold"),
}
"""What is answered in which window to end with this action."""


@dataclass(frozen=True)
class Hand:
    player: str
    flop: str
    turn_river: str
    dealer: str

    @classmethod
    def of(cls, text: str) -> "Hand":
        player, board, dealer = (part.strip() for part in text.split("|"))
        return cls(player, board[:8], board[9:], dealer)

    @property
    def streets(self) -> tuple[str, str, str]:
        return self.player, self.flop, self.turn_river


async def place(players: list[Player], table_id: str, round_id: str, ante: int, trips: int = 0) -> None:
    await asyncio.gather(*(player.bet(table_id, round_id, ante, trips) for player in players))


async def deal(host: Host, table_id: str, round_id: str, hand: Hand, ways: dict[Player, tuple[str, ...]]) -> None:
    """From the close of betting to the end of the round; all players answer as planned, silence included."""
    await host.phase(table_id, round_id, "dealing_hole")
    for number, (window, cards) in enumerate(zip(WINDOWS, hand.streets, strict=True)):
        await host.scan(table_id, round_id, cards)
        answering = {player: way[number] for player, way in ways.items() if len(way) > number and way[number]}
        await asyncio.gather(
            *(player.decide(table_id, round_id, action, phase=window) for player, action in answering.items())
        )
        await host.phase(table_id, round_id, ("dealing_flop", "dealing_river", "showdown")[number])
    await host.scan(table_id, round_id, hand.dealer)
    await host.phase(table_id, round_id, "settled")
