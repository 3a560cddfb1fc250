"""The one place that wires the service together, and runs it until it is told to stop."""

import asyncio
import errno
import signal
import sys
from pathlib import Path

import structlog
import uvloop
from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from casino.api.answers import add_security_headers, errors_as_json
from casino.api.health import healthz
from casino.api.pages import Pages, add_pages
from casino.clock import wall_clock
from casino.settings import Settings
from casino.storage.database import Database
from casino.table.recovery import recover

WEB_DIST = Path(__file__).resolve().parent.parent / "web" / "dist"
REQUEST_BYTES_MAX = 16 * 1024
SHUTDOWN_SECONDS_MAX = 5.0

_log = structlog.get_logger()


def build_app(pages: Pages) -> web.Application:
    app = web.Application(middlewares=[errors_as_json], client_max_size=REQUEST_BYTES_MAX)
    app.on_response_prepare.append(add_security_headers)
    app.router.add_get("/healthz", healthz)
    add_pages(app, pages)
    return app


def serve(settings: Settings, host: str, port: int, database_url: str) -> int:
    """Runs the service until SIGTERM or SIGINT; the answer is the exit code of the process."""
    return uvloop.run(_serve(settings, host, port, database_url))


async def _serve(settings: Settings, host: str, port: int, database_url: str) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(stop_signal, stop.set)
    try:
        database = await Database.open(database_url)
    except (SQLAlchemyError, OSError, ValueError) as failure:
        _say(f"The database cannot be opened: {getattr(failure, 'orig', None) or failure}", error=True)
        return 1
    try:
        await _recover(settings, database)
        return await _listen(host, port, stop)
    finally:
        await database.close()


async def _recover(settings: Settings, database: Database) -> None:
    """Every round a stop or crash left unfinished ends, or goes on, before anybody is let in."""
    resume_within_ms = {table.id: round(table.seconds.resume_within * 1000) for table in settings.tables}
    recovered = await recover(database, resume_within_ms, wall_clock())
    for round_id, outcome in recovered.outcomes.items():
        _log.info("round_recovered", round_id=round_id, outcome=outcome)


async def _listen(host: str, port: int, stop: asyncio.Event) -> int:
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
