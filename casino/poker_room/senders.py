"""Sender of a message to the poker room: a player, and the connection it came from."""

from dataclasses import dataclass

from casino.hosting.interfaces import Connection


@dataclass(frozen=True, slots=True)
class Sender:
    """`connection` is None for messages by HTTP."""

    player_id: str
    name: str
    currency: str
    connection: Connection | None = None
