"""The one place that wires the service together, and runs it until it is told to stop."""

import asyncio
import errno
import signal
import sys
from pathlib import Path

import uvloop
from aiohttp import web

from casino.api.answers import add_security_headers, errors_as_json
from casino.api.health import healthz
from casino.api.pages import Pages, add_pages

WEB_DIST = Path(__file__).resolve().parent.parent / "web" / "dist"
REQUEST_BYTES_MAX = 16 * 1024
SHUTDOWN_SECONDS_MAX = 5.0


def build_app(pages: Pages) -> web.Application:
    app = web.Application(middlewares=[errors_as_json], client_max_size=REQUEST_BYTES_MAX)
    app.on_response_prepare.append(add_security_headers)
    app.router.add_get("/healthz", healthz)
    add_pages(app, pages)
    return app


def serve(host: str, port: int) -> int:
    """Runs the service until SIGTERM or SIGINT; the answer is the exit code of the process."""
    return uvloop.run(_serve(host, port))


async def _serve(host: str, port: int) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(stop_signal, stop.set)

    pages = Pages(WEB_DIST)
    if not pages.built:
        _say("The pages are not built: run `make setup`. The service starts without them.", error=True)
    runner = web.AppRunner(build_app(pages), access_log=None, shutdown_timeout=SHUTDOWN_SECONDS_MAX)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as failure:
            _say(f"Cannot listen on {host}:{port}: {_reason(failure)}.", error=True)
            return 1
        _say(_address(host, runner))
        await stop.wait()
        return 0
    finally:
        await runner.cleanup()


def _address(host: str, runner: web.AppRunner) -> str:
    port = runner.addresses[0][1]  # the real one, also when port 0 asked for any
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reason(failure: OSError) -> str:
    if failure.errno == errno.EADDRINUSE:
        return "the port is already in use"
    return failure.strerror or str(failure)


def _say(line: str, *, error: bool = False) -> None:
    print(line, file=sys.stderr if error else sys.stdout, flush=True)
