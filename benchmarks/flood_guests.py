"""Hostile guests for the flood benchmark: costly chat lines, the poker room, and own-account routes without pause."""

import asyncio
import itertools
import json
import time
from contextlib import suppress
from typing import Final

import aiohttp

from benchmarks.acks_load import masked
from benchmarks.fanout_load import OPENING
from benchmarks.flood_poker import GUESTS, flood_poker

WAYS: Final = ("chat", "account", "ten accounts", "poker room")
TALKERS: Final = 12
LINES_PER_SECOND: Final = 7  # what the pace of an account lets through to the chat
AT_ONCE: Final = 50
ACCOUNTS: Final = 10
OWN_ROUTES: Final = ("/api/me", "/api/history?limit=200", "/api/settings", "/api/responsible", "/api/cashier")
_LINES: Final = ("\ufdfa" * 1900, "a" + "\u0301\u0323" * 900, "a-" * 100, "a.b-" * 50, "x.com " * 33)


async def flood_as_guests(address: str, until: float, way: str) -> int:
    """How many lines or requests were sent."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as web:
        if "account" in way:
            return await _ask_for_own_account(web, address, until, ACCOUNTS if way == "ten accounts" else 1)
        tokens = [await _guest(web, address) for _ in range(TALKERS if way == "chat" else GUESTS)]
    port = int(address.rpartition(":")[2])
    if way == "poker room":
        return await flood_poker(port, tokens, until)
    return sum(await asyncio.gather(*(_talk(port, token, until) for token in tokens)))


async def _guest(web: aiohttp.ClientSession, address: str) -> str:
    async with web.post(f"{address}/api/guest", json={}) as answer:
        token: str = (await answer.json())["token"]
        return token


async def _ask_for_own_account(web: aiohttp.ClientSession, address: str, until: float, accounts: int) -> int:
    tokens, asked = itertools.cycle([await _guest(web, address) for _ in range(accounts)]), 0

    async def ask(paths: "itertools.cycle[str]", token: str) -> None:
        nonlocal asked
        headers = {"Authorization": f"Bearer {token}"}
        while time.monotonic() < until:
            async with web.get(address + next(paths), headers=headers) as answer:
                await answer.read()
            asked += 1

    paths = itertools.cycle(OWN_ROUTES)
    await asyncio.gather(*(ask(paths, next(tokens)) for _ in range(AT_ONCE)))
    return asked


async def _talk(port: int, token: str, until: float) -> int:
    """Comes back each time it is cut off."""
    lines = itertools.cycle(_LINES)
    said = 0
    while time.monotonic() < until:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(OPENING)
            await reader.readuntil(b'"maxPayload"')
            writer.write(masked(b"40/table," + json.dumps({"token": token}).encode()))
            await reader.readuntil(b'"sid"')
            writer.write(masked(b'42/table,0["join",{"table_id":"uth-1"}]'))
            reading = asyncio.create_task(reader.read(-1))
            while time.monotonic() < until and not reading.done():
                line = json.dumps(["chat", {"table_id": "uth-1", "text": next(lines)}], ensure_ascii=False)
                writer.write(masked(b"42/table,1" + line.encode()))
                said += 1
                await asyncio.sleep(1 / LINES_PER_SECOND)
            reading.cancel()
            writer.close()
    return said
