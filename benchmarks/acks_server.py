"""Server of the acknowledgement benchmark: `ours`, `guarded` or `stock`.

`ours` is the whole service without rate limits, `guarded` the same with its default limits, and `stock` is
python-socketio, which stores nothing.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import socketio
import uvloop
from aiohttp import web

from casino.bootstrap.service import serve
from casino.settings.loading import load_settings
from casino.settings.poker import PUBLISHED

_PATIENT = """
[sockets]
ping_seconds = 3600.0
"""
_HOUSE = f"""
[rates]
requests_per_second = 100000
guests_per_minute = 100000
plays_per_5_seconds = 100000
{_PATIENT}
"""
_TABLE = """
id = "uth-1"
name = "Table"
[seconds]
betting = 3600.0
"""


def ours(house: str = _HOUSE, *, has_poker: bool = False) -> None:
    """As `casino serve` runs it, with betting open for as long as it is measured."""
    with tempfile.TemporaryDirectory(prefix="casino-bench-") as folder:
        config = Path(folder) / "config"
        (config / "tables").mkdir(parents=True)
        (config / "casino.toml").write_text(house)
        (config / "tables" / "uth-1.toml").write_text(_TABLE)
        if has_poker:
            shutil.copytree(PUBLISHED, config / "poker")
        serve(load_settings(config), "127.0.0.1", 0, f"sqlite:///{folder}/casino.db")


async def stock() -> None:
    """The handler answers as ours does, and neither looks nor stores."""
    server = socketio.AsyncServer(ping_interval=600, ping_timeout=600, max_http_buffer_size=16 * 1024)
    app = web.Application()
    server.attach(app)

    async def join(_sid: str, _data: object) -> dict[str, Any]:
        return {"ok": True, "round": {"phase": "betting", "round_id": "a-round"}}

    async def bet(_sid: str, data: dict[str, Any]) -> dict[str, Any]:
        ante, trips = data["ante"], data["trips"]
        return {"ok": True, "bets": {"ante": ante, "blind": ante, "trips": trips, "play": 0}, "available": 100_000}

    async def guest(_request: web.Request) -> web.Response:
        return web.json_response({"token": "nobody's"})

    server.on("connect", lambda *_: None, namespace="/table")
    server.on("join", join, namespace="/table")
    server.on("bet", bet, namespace="/table")
    app.router.add_post("/api/guest", guest)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    if sys.argv[1] == "ours":
        ours()
    elif sys.argv[1] == "guarded":
        ours(_PATIENT, has_poker=True)
    else:
        uvloop.run(stock())
