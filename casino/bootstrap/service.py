"""Composition root of the service: wires all parts together and runs them until a stop signal."""

import asyncio
import contextlib
import errno
import secrets
import signal
import sys
from collections.abc import AsyncIterator
from typing import NamedTuple

import structlog
import uvloop
from aiohttp import web
from sqlalchemy.exc import SQLAlchemyError

from casino.audit.anchor_writer import Anchoring, anchored
from casino.audit.signing_keys import Evidence, UnconfirmedBooksError, begin_signing, verify_takeover
from casino.bootstrap.all_in_one import AllInOne
from casino.bootstrap.file_descriptors import raise_limit
from casino.bootstrap.poker_routes import add_poker_routes
from casino.bootstrap.staff_routes import add_staff_routes
from casino.bootstrap.weak_setup import warn_of_weak_setup
from casino.cashier.cashier import Cashier
from casino.cashier.provider import PaymentProvider, PlayMoney
from casino.cashier.statement import unknown_orders
from casino.clock import SteadyClock, wall_clock
from casino.history.fairness import Unseal
from casino.http.account_throttle import ACCOUNT_PACE, AccountPace
from casino.http.accounts import Accounts
from casino.http.admin import AdminRoutes
from casino.http.authorization import PUBLIC, SESSION_CACHE, SESSIONS, authorize, declare
from casino.http.back_office import BackOffice
from casino.http.cashier import CashierRoutes
from casino.http.client_address import TRUSTED_PROXIES
from casino.http.csrf import ORIGINS, add_cors_headers, reject_cross_site
from casino.http.errors import ENCRYPTED, add_headers, errors_as_json
from casino.http.finance import FinanceRoutes
from casino.http.finance_requests import RequestRoutes
from casino.http.health import READINESS, Readiness
from casino.http.history import History
from casino.http.known_devices import KnownDevices
from casino.http.listener import ListenerSite
from casino.http.lobby import EmptyTables, Lobby, Tables
from casino.http.login_limits import LoginLimits
from casino.http.metrics import METRICS, MetricsEndpoint
from casino.http.openapi.endpoint import OpenApi
from casino.http.own_account import OwnAccount
from casino.http.request_body import BODY_BYTES_MAX
from casino.http.responsible_gaming import Responsible
from casino.http.rtp import Returns
from casino.http.second_factor import SecondFactorRoutes
from casino.http.server import Runner
from casino.http.settings import SettingsRoutes
from casino.http.static_pages import Pages, add_pages
from casino.http.throttle import Throttle
from casino.http.tournament_books import TournamentBooks
from casino.observability.gc_tuning import tune_gc
from casino.observability.logging import configure_logging
from casino.observability.metrics import Metrics
from casino.security.client_address import Networks
from casino.security.device_cookies import DeviceCookies
from casino.security.origins import Origins
from casino.settings import ConfigurationError, ServiceSettings, Settings
from casino.settings.shipped import PAGES
from casino.storage.data_files import anchor_file
from casino.storage.database import ANSWER_SECONDS, Database
from casino.storage.hash_chain import ForgedHeadError
from casino.storage.heartbeat import Heartbeat
from casino.storage.live_file import PARTIAL_COPY, is_partial_copy
from casino.storage.secret_key import UnusableKeyError, existing_secret_key, no_key_sentence, secret_key
from casino.storage.service_lock import served, single_instance
from casino.storage.url import UnusableDatabaseError, async_url
from casino.users.guest_archive import GuestArchive
from casino.users.money_kinds import verify_currencies
from casino.users.passwords import Passwords
from casino.users.profile import Profiles
from casino.users.second_factor import SecondFactors
from casino.users.session_cache import SessionCache
from casino.users.sessions import DAY_MS, HOUR_MS, Lifetime, Sessions

_log = structlog.get_logger()

SHUTDOWN_SECONDS_MAX = 5.0
BACKLOG = 4_096
"""Listen backlog, sized for a mass reconnect; clients beyond it are delayed for seconds."""


def build_app(
    settings: Settings,
    database: Database,
    pages: Pages,
    all_in_one: AllInOne | None = None,
    *,
    service_key: str | None = None,
) -> web.Application:
    """Builds the web application. Without a running service all tables are quiet."""
    service_settings = settings.casino
    tables: Tables = all_in_one.access if all_in_one else EmptyTables(settings.tables)
    measured = all_in_one.metrics if all_in_one else Metrics()
    metrics = MetricsEndpoint(Networks(service_settings.metrics.allowed_from), measured.registry)
    app = web.Application(
        middlewares=[
            metrics.count,
            errors_as_json,
            _pace(service_settings, all_in_one).keep,
            reject_cross_site,
            authorize,
        ],
        client_max_size=BODY_BYTES_MAX,
    )
    app.on_response_prepare.extend([add_headers, add_cors_headers])
    app[METRICS] = metrics
    app[ORIGINS] = Origins(service_settings.service.public_url, service_settings.service.allowed_origins)
    app[ENCRYPTED] = app[ORIGINS].is_encrypted
    app[TRUSTED_PROXIES] = Networks(service_settings.service.trusted_proxies)
    app[SESSIONS] = all_in_one.sessions if all_in_one else _sessions(service_settings, database)
    app[SESSION_CACHE] = SessionCache(app[SESSIONS])
    app[ACCOUNT_PACE] = AccountPace(service_settings.rates)
    app[READINESS] = Readiness(Heartbeat(database), tables)
    key = service_key or secrets.token_hex(32)
    returns = Returns(table.paytable.in_force() for table in settings.tables)
    _add_accounts(app, service_settings, database, key)
    Lobby(settings.tables, tables, returns).add_to(app)
    unseal: Unseal = all_in_one.unsealed if all_in_one else lambda _sealed: None
    History(database, unseal, service_settings.rates).add_to(app)
    add_poker_routes(app, database, settings, all_in_one, service_key=key)
    SettingsRoutes(all_in_one.gateway.profiles if all_in_one else Profiles(database)).add_to(app)
    Responsible(database, all_in_one.access.return_bets if all_in_one else _no_bets, service_settings.policy).add_to(
        app
    )
    cashier = Cashier(
        database,
        _provider(service_settings),
        service_settings,
        on_changed=all_in_one.access.send_balance if all_in_one else None,
    )
    CashierRoutes(cashier, service_settings).add_to(app)
    FinanceRoutes(database, settings).add_to(app)
    back_office = BackOffice(database, settings, unseal)
    back_office.add_to(app)
    TournamentBooks(database, settings.poker).add_to(app)
    RequestRoutes(database, service_settings).add_to(app)
    app[READINESS].add_to(app)
    metrics.add_to(app)
    add_pages(app, pages)
    OpenApi().add_to(app)
    if all_in_one:
        add_staff_routes(app, database, settings, all_in_one)
        all_in_one.gateway.attach(app)
        declare(app, "/socket.io/", PUBLIC)  # each namespace checks the session it needs

    async def background_tasks(_app: web.Application) -> AsyncIterator[None]:
        returns.start()
        running = [
            asyncio.create_task(cashier.run(), name="cashier"),
            asyncio.create_task(app[READINESS].heartbeat.run(), name="heartbeat"),
            asyncio.create_task(GuestArchive(database, service_settings.guests.keep_days).run(), name="guest archive"),
        ]
        yield
        for task in running:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await returns.stop()
        back_office.counted.stop()

    app.cleanup_ctx.append(background_tasks)
    return app


def _provider(service_settings: ServiceSettings) -> PaymentProvider | None:
    """Returns the embedded payment provider, if the configuration names it."""
    return PlayMoney() if service_settings.cashier.provider == "embedded" else None


def _add_accounts(
    app: web.Application, service_settings: ServiceSettings, database: Database, service_key: str
) -> None:
    passwords, limits, factors = Passwords(), LoginLimits(service_settings.rates), SecondFactors(service_key)
    devices = KnownDevices(database, DeviceCookies(service_key), is_encrypted=app[ENCRYPTED])
    accounts = Accounts(
        service_settings, database, app[SESSIONS], passwords, factors=factors, devices=devices, limits=limits
    )
    own_account = OwnAccount(database, app[SESSIONS], passwords, devices=devices)
    accounts.add_to(app)
    own_account.add_to(app)
    AdminRoutes(database, app[SESSIONS], passwords, service_settings.service.currency, wall_clock).add_to(app)
    SecondFactorRoutes(
        service_settings, database, app[SESSIONS], own_account, factors=factors, devices=devices, limits=limits
    ).add_to(app)

    async def password_threads(_app: web.Application) -> AsyncIterator[None]:
        await accounts.remember()
        yield
        passwords.close()

    app.cleanup_ctx.append(password_threads)


def _pace(service_settings: ServiceSettings, all_in_one: AllInOne | None) -> Throttle:
    return Throttle(
        service_settings.rates, all_in_one.gateway.sockets.is_signed_in if all_in_one else lambda _session_id: False
    )


async def _no_bets(_player_id: str) -> None:
    """Empty tables have no bets."""


def _sessions(service_settings: ServiceSettings, database: Database) -> Sessions:
    kept = service_settings.sessions
    players = Lifetime(unused_ms=kept.days_unused * DAY_MS, all_ms=kept.days * DAY_MS)
    staff = Lifetime(unused_ms=kept.staff_hours * HOUR_MS, all_ms=kept.staff_hours * HOUR_MS)
    return Sessions(database, players, staff=staff, second_factor_roles=kept.second_factor_roles)


class Accepted(NamedTuple):
    """Unusual states of the books that the operator has said to serve all the same."""

    restored: bool = False
    lost_key: bool = False


NOTHING_ACCEPTED = Accepted()


def serve(settings: Settings, host: str, port: int, database_url: str, accepted: Accepted = NOTHING_ACCEPTED) -> int:
    """Runs the service until SIGTERM or SIGINT; returns the exit code of the process."""
    configure_logging()
    raise_limit()
    warn_of_weak_setup(settings.casino, host)
    tune_gc()
    return uvloop.run(_serve(settings, (host, port), database_url, accepted))


_RESTORED = (
    "it is an older state than the one last served: {}. If you have restored a backup, compare it with the payment "
    "provider (docs/backup.md) and start once with --accept-restored"
)


_IF_KEY_IS_LOST = "Use --accept-lost-key, once, only if the key is lost"


class _End:
    """Stop request, and whether another service has taken over the database."""

    def __init__(self) -> None:
        self.wanted = asyncio.Event()
        self.is_lost = False

    def lose(self) -> None:
        self.is_lost = True
        self.wanted.set()


async def _serve(settings: Settings, at: tuple[str, int], database_url: str, accepted: Accepted) -> int:
    end = _End()
    loop = asyncio.get_running_loop()
    for stop_signal in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(stop_signal, end.wanted.set)
    try:
        is_partial = is_partial_copy(async_url(database_url))
        database = await Database.open(database_url, answer_seconds=ANSWER_SECONDS)
    except (SQLAlchemyError, OSError, ValueError) as failure:
        _say(f"The database cannot be opened: {getattr(failure, 'orig', None) or failure}", error=True)
        return 1
    try:
        async with database.reading() as connection:
            await verify_currencies(connection, settings.casino)
        async with single_instance(database, end.lose):
            all_in_one = AllInOne(settings, database, _sessions(settings.casino, database), SteadyClock())
            evidence = _evidence(settings.casino, is_accepted=accepted.lost_key)
            key = await _key(settings.casino, database, database_url, evidence)
            anchoring = Anchoring(database, anchor_file(settings.casino), settings.casino.anchors.webhook, wall_clock)
            is_restored = accepted.restored
            await _sign_books(database, key, anchoring, evidence, is_partial=is_partial, accept_restored=is_restored)
            await all_in_one.open(key)
            async with served(database):
                async with anchored(anchoring):
                    code = await _listen(settings, database, all_in_one, at, end, service_key=key)
                if not end.is_lost:
                    await anchoring.anchor()
            return code
    except ConfigurationError as failure:
        _say(f"The configuration does not fit the database: {failure}.", error=True)
        return 1
    except UnusableKeyError as failure:
        _say(f"The secret key cannot be used: {failure}.", error=True)
        return 1
    except (UnusableDatabaseError, UnconfirmedBooksError, ForgedHeadError) as failure:
        _say(f"The database cannot be served: {failure}.", error=True)
        return 1
    except SQLAlchemyError as failure:
        _say(f"The database failed: {getattr(failure, 'orig', None) or failure}.", error=True)
        return 1
    except OSError as failure:
        _say(f"The service cannot start: {failure.filename or 'the system'}: {_reason(failure)}.", error=True)
        return 1
    finally:
        await database.close()


async def _key(service_settings: ServiceSettings, database: Database, database_url: str, evidence: Evidence) -> str:
    """Returns the secret key; generates one only if it may sign these books.

    So a service that starts in the wrong folder leaves no stray key there.
    """
    if existing_secret_key(service_settings, database_url) is None:
        try:
            await verify_takeover(database, evidence)
        except UnconfirmedBooksError:
            raise UnconfirmedBooksError(f"{no_key_sentence(service_settings)}. {_IF_KEY_IS_LOST}") from None
    return secret_key(service_settings, database_url)


async def _sign_books(
    database: Database, key: str, anchoring: Anchoring, evidence: Evidence, *, is_partial: bool, accept_restored: bool
) -> None:
    """Writes nothing before the books are known to be those last served, or are accepted as restored."""
    older = PARTIAL_COPY if is_partial else await _older_state(database, anchoring)
    if older and not accept_restored:
        raise UnusableDatabaseError(_RESTORED.format(older))
    state = await anchoring.state()
    replaced = await begin_signing(database, key, wall_clock(), may_replace=True, evidence=evidence)
    if replaced:
        _log.warning("secret_key_replaced", earlier_key_id=replaced)
    if older:
        await anchoring.accept(state, older)


def _evidence(service_settings: ServiceSettings, *, is_accepted: bool) -> Evidence:
    earlier = [key.get_secret_value() for key in service_settings.previous_secret_keys]
    return Evidence(earlier, anchor_file(service_settings), is_accepted)


async def _older_state(database: Database, anchoring: Anchoring) -> str | None:
    """Returns why the books are older than those last served; None if they are not."""
    older = await anchoring.older_than_anchored()
    if older:
        return older
    async with database.reading() as connection:
        return await unknown_orders(connection, PlayMoney())


async def _listen(
    settings: Settings, database: Database, all_in_one: AllInOne, at: tuple[str, int], end: _End, *, service_key: str
) -> int:
    """If another service takes over the database, this one no longer touches any round."""
    host, port = at
    pages = Pages(PAGES)
    if not pages.built:
        _say("The pages are not built: run `make setup`. The service starts without them.", error=True)
    app = build_app(settings, database, pages, all_in_one, service_key=service_key)
    runner = Runner(app, shutdown_timeout=SHUTDOWN_SECONDS_MAX)
    await runner.setup()
    try:
        try:
            await ListenerSite(
                runner,
                host,
                port,
                pool=all_in_one.gateway.pool,
                trusted=app[TRUSTED_PROXIES],
                per_second=settings.casino.rates.requests_per_second,
                backlog=BACKLOG,
            ).start()
        except OSError as failure:
            _say(f"Cannot listen on {host}:{port}: {_REASONS.get(failure.errno or 0) or _reason(failure)}.", error=True)
            return 1
        _say(_address(host, runner))
        await end.wanted.wait()
        app[READINESS].is_stopping = True
        if end.is_lost:
            _say("The database is served by another service now; this one stops.", error=True)
            await all_in_one.drop_everything()
            return 1
        await all_in_one.close()
        return 0
    finally:
        await runner.cleanup()


def _address(host: str, runner: web.AppRunner) -> str:
    port = runner.addresses[0][1]  # the real port, also if port 0 was requested
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


_REASONS = {
    errno.EADDRINUSE: "the port is already in use",
    errno.EADDRNOTAVAIL: "this machine has no such address",
    errno.EACCES: "permission denied; ports below 1024 need the capability CAP_NET_BIND_SERVICE",
}


def _reason(failure: OSError) -> str:
    return failure.strerror or str(failure)


def _say(line: str, *, error: bool = False) -> None:
    print(line, file=sys.stderr if error else sys.stdout, flush=True)
