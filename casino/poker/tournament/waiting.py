"""Waitlists of entries for games of fixed size: HexaPro and Sit & Go."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

GAMES_MAX: Final = 8
"""Games of one player at a time, unless the room says otherwise; further entries wait."""


class Waiting(NamedTuple):
    """A paid entry in a line, which is in order of payment."""

    entry_id: str
    player_id: str


def next_game(
    line: Iterable[Waiting], players: int, playing: Mapping[str, int], games_max: int = GAMES_MAX
) -> tuple[Waiting, ...] | None:
    """The first entries of the required number of different players; None while there are too few.

    `playing` counts the games of each player. An entry of a player with `games_max` games waits, and so does a second
    entry of a player who is in this game already: no player sits at a table twice.
    """
    chosen: dict[str, Waiting] = {}
    for entry in line:
        if entry.player_id not in chosen and playing.get(entry.player_id, 0) < games_max:
            chosen[entry.player_id] = entry
            if len(chosen) == players:
                return tuple(chosen.values())
    return None
