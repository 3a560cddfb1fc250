"""Flooding client of the flood benchmark, in its own process: it sends all it can from the player's own address.

Each line it hears names a way and for how long; the answer is how often it was served.
"""

import asyncio
import json
import sys
import time
from contextlib import suppress
from typing import Final

import aiohttp

from benchmarks.acks_load import masked
from benchmarks.fanout_load import OPENING
from benchmarks.flood_attacks import attack
from benchmarks.flood_guests import WAYS, flood_as_guests

AT_ONCE: Final = 50
_BET: Final = '42/table,1["bet",{"table_id":"uth-1","round_id":"x","ante":500,"trips":0}]'


async def over_http(address: str, until: float, path: str, body: object = None) -> int:
    served = 0

    async def ask(web: aiohttp.ClientSession) -> None:
        nonlocal served
        while time.monotonic() < until:
            async with web.request("POST" if body else "GET", address + path, json=body) as answer:
                await answer.read()
            served += 1

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=AT_ONCE)) as web:
        await asyncio.gather(*(ask(web) for _ in range(AT_ONCE)))
    return served


async def over_a_socket(address: str, until: float) -> int:
    """Comes back each time it is cut."""
    async with aiohttp.ClientSession() as web, web.post(f"{address}/api/guest", json={}) as answer:
        token = (await answer.json())["token"]
    bets = masked(_BET.encode()) * 400
    cut = 0
    while time.monotonic() < until:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(address.rpartition(":")[2]))
        writer.write(OPENING)
        await reader.readuntil(b'"maxPayload"')
        writer.write(masked(b"40/table," + json.dumps({"token": token}).encode()))
        await reader.readuntil(b'"sid"')
        writer.write(bets)
        with suppress(ConnectionError):
            await reader.read(-1)
        writer.close()
        cut += 1
    return cut


async def flood(address: str, way: str, seconds: float) -> int:
    until = time.monotonic() + seconds
    match way:
        case "lobby":
            return await over_http(address, until, "/api/tables")
        case "sign-in":
            return await over_http(address, until, "/api/login", {"name": "Ann", "password": "wrong word"})
        case "socket":
            return await over_a_socket(address, until)
    if way in WAYS:
        return await flood_as_guests(address, until, way)
    return await attack(int(address.rpartition(":")[2]), until, way)


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        way, _, seconds = line.strip().rpartition(" ")
        print(asyncio.run(flood(sys.argv[1], way, float(seconds))), flush=True)


if __name__ == "__main__":
    main()
