"""Sign-out, also by another process that disables the user: the connection closes within a moment."""

import asyncio
import json
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import socketio

from tests.service import CASINO, running_service

CLOSE_SECONDS_MAX = 20


def ask(address: str, path: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        answered: dict[str, Any] = json.load(answer)
        return answered


def disable(database: str) -> None:
    subprocess.run([CASINO, "user", "disable", "ann", "--database", database], check=True, capture_output=True)


@pytest.mark.req("SEC-2")
@pytest.mark.parametrize("how", ["signed out", "disabled", "password changed elsewhere", "ended elsewhere"])
async def test_socket_of_an_ended_session_is_closed(how: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/casino.db"
    with running_service("--database", database) as service:
        account = {"name": "ann", "password": "a long password"}
        token = (await asyncio.to_thread(ask, service.address, "/api/register", account))["token"]
        async with aiohttp.ClientSession() as web:  # the library leaves its own open when the service breaks off
            client, is_closed = socketio.AsyncClient(reconnection=False, http_session=web), asyncio.Event()
            client.on("disconnect", lambda *_: is_closed.set(), namespace="/table")
            place = {"namespaces": ["/table"], "transports": ["websocket"]}
            await client.connect(service.address, auth={"token": token}, **place)
            assert (await client.call("join", {"table_id": "uth-1"}, namespace="/table"))["ok"]
            if how == "signed out":
                await asyncio.to_thread(ask, service.address, "/api/logout", {}, token)
            elif how == "disabled":
                await asyncio.to_thread(disable, database)
            else:
                elsewhere = (await asyncio.to_thread(ask, service.address, "/api/login", account))["token"]
                if how == "ended elsewhere":
                    await web.delete(
                        f"{service.address}/api/sessions", headers={"Authorization": f"Bearer {elsewhere}"}
                    )
                else:
                    change = {"current": account["password"], "new": "another long password"}
                    await asyncio.to_thread(ask, service.address, "/api/password", change, elsewhere)
            await asyncio.wait_for(is_closed.wait(), CLOSE_SECONDS_MAX)
            await client.disconnect()
