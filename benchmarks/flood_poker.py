"""Hostile guests of the poker room for the flood benchmark: messages that read or lock the database."""

import asyncio
import itertools
import json
import time
from contextlib import suppress
from typing import Any, Final

from benchmarks.acks_load import masked
from benchmarks.fanout_load import OPENING

GUESTS: Final = 12
MESSAGES_PER_SECOND: Final = 7  # what the pace of an account lets through to the room
_POOL: Final = {"pool": "nl10:FUN"}
_TABLE: Final = {"table_id": "nl10-fun-00000000"}
_MESSAGES: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("join_pool", {**_POOL, "buy_in": 0}),
    ("report", {**_TABLE, "hand_id": "nl10-fun-00000000-1", "seat_no": 1, "text": "x" * 300}),
    ("leave_pool", _POOL),
    ("sit", {**_TABLE, "amount": 1000}),
    ("lobby", {}),
    ("sit_out", {"table_id": None, "when": "now", "on": False}),
)


async def flood_poker(port: int, tokens: list[str], until: float) -> int:
    """How many messages were sent."""
    return sum(await asyncio.gather(*(_ask(port, token, until) for token in tokens)))


async def _ask(port: int, token: str, until: float) -> int:
    """Comes back each time it is cut off."""
    messages, sent = itertools.cycle(_MESSAGES), 0
    while time.monotonic() < until:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(OPENING)
            await reader.readuntil(b'"maxPayload"')
            writer.write(masked(b"40/poker," + json.dumps({"token": token}).encode()))
            await reader.readuntil(b'"sid"')
            reading = asyncio.create_task(reader.read(-1))
            while time.monotonic() < until and not reading.done():
                event, fields = next(messages)
                keyed = {"key": f"k{token[:8]}{sent}"} if event in ("join_pool", "sit") else {}
                writer.write(masked(b"42/poker,1" + json.dumps([event, fields | keyed]).encode()))
                sent += 1
                await asyncio.sleep(1 / MESSAGES_PER_SECOND)
            reading.cancel()
            writer.close()
    return sent
