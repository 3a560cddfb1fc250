"""Reassembles binary packets: collects the attachments of a packet and puts them into its data."""

import asyncio
from collections.abc import Sequence
from typing import Any

from casino.socketio.packets import BadPacket, Packet


class IncompletePacket:
    """A binary packet whose attachments are still arriving. `timer` ends the wait."""

    __slots__ = ("attachments", "packet", "timer")

    def __init__(self, packet: Packet, timer: asyncio.TimerHandle) -> None:
        self.packet = packet
        self.attachments: list[bytes] = []
        self.timer = timer

    def add(self, attachment: bytes) -> bool:
        """Returns whether the packet is complete now."""
        self.attachments.append(attachment)
        return len(self.attachments) == self.packet.attachments


def insert(data: object, attachments: Sequence[bytes]) -> object:
    """Replaces every placeholder by its attachment; raises `BadPacket` for a number that does not exist.

    Works without recursion, because a client chooses how deep its data is nested.
    """
    root = [data]
    unvisited: list[Any] = [root]
    while unvisited:
        container = unvisited.pop()
        items = enumerate(container) if isinstance(container, list) else container.items()
        for key, value in tuple(items):
            if isinstance(value, dict) and value.get("_placeholder") is True:
                container[key] = _attachment(value.get("num"), attachments)
            elif isinstance(value, list | dict):
                unvisited.append(value)
    return root[0]


def _attachment(number: object, attachments: Sequence[bytes]) -> bytes:
    if type(number) is not int or not 0 <= number < len(attachments):
        raise BadPacket("a placeholder without an attachment")
    return attachments[number]
