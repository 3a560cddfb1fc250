"""The one place that wires the service together, and runs it until it is told to stop."""

import asyncio
import contextlib
import errno
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import uvloop
from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from casino.api.accounts import Accounts
from casino.api.answers import ENCRYPTED, add_headers, errors_as_json
from casino.api.asking import TRUSTED_PROXIES
from casino.api.audience import EVERYBODY, SESSIONS, declare, only_the_audience
from casino.api.back_office import BackOffice
from casino.api.bodies import BODY_BYTES_MAX
from casino.api.cashier import CashierRoutes
from casino.api.corrections import CorrectionRoutes
from casino.api.finance import FinanceRoutes
from casino.api.health import READINESS, Readiness
from casino.api.history import History
from casino.api.host import HostRoutes
from casino.api.lobby import Lobby, QuietTables, Tables
from casino.api.metrics import METRICS, Metrics
from casino.api.openapi.serving import OpenApi
from casino.api.origin import ORIGINS, let_pages_read, own_pages_only
from casino.api.pace import Pace
from casino.api.pages import Pages, add_pages
from casino.api.responsible import Responsible
from casino.api.returns import Returns
from casino.api.server import Runner
from casino.api.settings import SettingsRoutes
from casino.cashier.cashier import Cashier
from casino.cashier.provider import PlayMoney
from casino.clock import SteadyClock, wall_clock
from casino.door.addresses import Networks
from casino.door.origins import Origins
from casino.figures import Figures
from casino.finance.round_file import Unseal
from casino.house import House
from casino.logs import configure_logs
from casino.people.passwords import Passwords
from casino.people.profile import Profiles
from casino.people.sessions import DAY_MS, Lifetime, Sessions
from casino.rubbish import look_rarely
from casino.secret import UnusableKeyError, secret_key
from casino.settings import HouseSettings, Settings
from casino.storage.address import UnusableDatabaseError
from casino.storage.database import ANSWER_SECONDS, Database
from casino.storage.serving import only_service

WEB_DIST = Path(__file__).resolve().parent.parent / "web" / "dist"
SHUTDOWN_SECONDS_MAX = 5.0
BACKLOG = 4_096
"""So many may knock at once, when a line that was cut brings everybody back; others are put off for seconds."""


def build_app(settings: Settings, database: Database, pages: Pages, open_house: House | None = None) -> web.Application:
    """Everything that answers from outside. Without an open house all tables are quiet."""
    house = settings.house
    tables: Tables = open_house or QuietTables(settings.tables)
    figures = open_house.figures if open_house else Figures()
    metrics = Metrics(Networks(house.metrics.allowed_from), figures.registry)
    app = web.Application(
        middlewares=[metrics.count, errors_as_json, Pace(house.rates).keep, own_pages_only, only_the_audience],
        client_max_size=BODY_BYTES_MAX,
    )
    app.on_response_prepare.extend([add_headers, let_pages_read])
    app[METRICS] = metrics
    app[ORIGINS] = Origins(house.service.public_url, house.service.allowed_origins)
    app[ENCRYPTED] = app[ORIGINS].is_encrypted
    app[TRUSTED_PROXIES] = Networks(house.service.trusted_proxies)
    app[SESSIONS] = open_house.sessions if open_house else Sessions(database, _lifetime(house))
    app[READINESS] = Readiness(database, tables)
    passwords = Passwords()
    returns = Returns(table.paytable.in_force() for table in settings.tables)
    accounts = Accounts(house, database, app[SESSIONS], passwords)
    accounts.add_to(app)
    Lobby(settings.tables, tables, returns).add_to(app)
    unseal: Unseal = open_house.unsealed if open_house else lambda _sealed: None
    History(database, unseal).add_to(app)
    SettingsRoutes(open_house.profiles if open_house else Profiles(database)).add_to(app)
    Responsible(database, open_house.return_bets if open_house else _no_bets).add_to(app)
    cashier = Cashier(database, PlayMoney(), house, tell=open_house.tell_balance if open_house else None)
    CashierRoutes(cashier, house).add_to(app)
    FinanceRoutes(database, settings).add_to(app)
    back_office = BackOffice(database, settings, unseal)
    back_office.add_to(app)
    app[READINESS].add_to(app)
    metrics.add_to(app)
    add_pages(app, pages)
    OpenApi().add_to(app)
    if open_house:
        HostRoutes(database, open_house, settings).add_to(app)
        CorrectionRoutes(database, open_house.correct, wall_clock).add_to(app)
        open_house.attach(app)
        declare(app, "/socket.io/", EVERYBODY)  # each namespace asks for the session it needs

    async def beside(_app: web.Application) -> AsyncIterator[None]:
        await accounts.remember()
        returns.start()
        retrying = asyncio.create_task(cashier.run(), name="cashier")
        yield
        retrying.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await retrying
        await returns.stop()
        back_office.counted.stop()
        passwords.close()

    app.cleanup_ctx.append(beside)
    return app


async def _no_bets(_player_id: str) -> None:
    """At quiet tables nobody has bet."""


def _lifetime(house: HouseSettings) -> Lifetime:
    return Lifetime(unused_ms=house.sessions.days_unused * DAY_MS, all_ms=house.sessions.days * DAY_MS)


def serve(settings: Settings, host: str, port: int, database_url: str) -> int:
    """Runs the service until SIGTERM or SIGINT; the answer is the exit code of the process."""
    configure_logs()
    look_rarely()
    return uvloop.run(_serve(settings, host, port, database_url))


class _End:
    """Whether the service is to end, and whether because another one has its database."""

    def __init__(self) -> None:
        self.wanted = asyncio.Event()
        self.is_lost = False

    def lose(self) -> None:
        self.is_lost = True
        self.wanted.set()


async def _serve(settings: Settings, host: str, port: int, database_url: str) -> int:
    end = _End()
    loop = asyncio.get_running_loop()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(stop_signal, end.wanted.set)
    try:
        database = await Database.open(database_url, answer_seconds=ANSWER_SECONDS)
    except (SQLAlchemyError, OSError, ValueError) as failure:
        _say(f"The database cannot be opened: {getattr(failure, 'orig', None) or failure}", error=True)
        return 1
    try:
        async with only_service(database, end.lose):
            sessions = Sessions(database, _lifetime(settings.house))
            house = House(settings, database, sessions, SteadyClock())
            await house.open(secret_key(settings.house, database_url))
            return await _listen(settings, database, house, (host, port), end)
    except UnusableKeyError as failure:
        _say(f"The secret key cannot be used: {failure}.", error=True)
        return 1
    except UnusableDatabaseError as failure:
        _say(f"The database cannot be served: {failure}.", error=True)
        return 1
    finally:
        await database.close()


async def _listen(settings: Settings, database: Database, house: House, at: tuple[str, int], end: _End) -> int:
    """If the database is lost to another service, no round is touched any more: that one has them all."""
    host, port = at
    pages = Pages(WEB_DIST)
    if not pages.built:
        _say("The pages are not built: run `make setup`. The service starts without them.", error=True)
    app = build_app(settings, database, pages, house)
    runner = Runner(app, shutdown_timeout=SHUTDOWN_SECONDS_MAX)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port, backlog=BACKLOG).start()
        except OSError as failure:
            _say(f"Cannot listen on {host}:{port}: {_reason(failure)}.", error=True)
            return 1
        _say(_address(host, runner))
        await end.wanted.wait()
        app[READINESS].is_stopping = True
        if end.is_lost:
            _say("The database is served by another service now; this one stops.", error=True)
            await house.drop_everything()
            return 1
        await house.close()
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
