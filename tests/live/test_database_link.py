"""Connection to PostgreSQL in every phase of a round: delays, breaks, silence, flapping, and a server that goes down.

Afterwards the same process continues.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final

import pytest
import pytest_asyncio
from sqlalchemy import make_url

from casino.live_table.deadlines import LATE_MS
from tests.databases import PostgresServer
from tests.deep import representative
from tests.live.clients import Clients, Host, Player, clients_of
from tests.live.frames import verify_frames
from tests.live.proxy import Proxy, proxy_to
from tests.live.service import CALM, Kind, LiveService, started_service
from tests.live.stages import CREDIT, PHASES, STEPS, bring_to, finish

TROUBLE_SECONDS: Final = 8.0
ANSWERS_MIN: Final = 5
ANSWERS_SECONDS_MAX: Final = 20.0
"""Health checks answered while the database is silent, also on a busy machine. A blocked event loop answers none."""
pytestmark = pytest.mark.asyncio(loop_scope="module")
KINDS: Final = {
    "calm": Kind(66, seconds=CALM | {"betting": 6.0}),
    "lasting": Kind(10, seconds=CALM | {"betting": 300.0}),
    "short": Kind(1, seconds=CALM | {"betting": 6.0, "decide_preflop": 12.0}),
}


@dataclass
class Site:
    """A house on PostgreSQL, and the proxy on its only line there."""

    postgres: PostgresServer
    proxy: Proxy
    service: LiveService
    clients: Clients
    host: Host
    manager: Host
    health_checks: int = 0  # answered ones

    async def asked(self, path: str) -> int:
        async with self.clients.web.get(self.service.address + path) as answer:
            return answer.status

    async def until_ready(self, status: int) -> None:
        async with asyncio.timeout(60):
            while await self.asked("/readyz") != status:  # noqa: ASYNC110  it is another process
                await asyncio.sleep(0.2)

    async def watch_the_loop(self) -> None:
        """Whatever the database does, the process answers: nothing in it waits without letting others go on."""
        while True:
            assert await self.asked("/healthz") == 200
            self.health_checks += 1
            await asyncio.sleep(0.1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site(postgres: PostgresServer) -> AsyncIterator[Site]:
    url = await asyncio.to_thread(postgres.fresh_database)
    async with proxy_to(postgres.socket) as proxy:
        line = make_url(url).set(host="127.0.0.1", port=proxy.port, query={}).render_as_string(hide_password=False)
        opening = started_service(KINDS, staff=("paula", "max"), database=url, line=line)
        service = await asyncio.to_thread(opening.__enter__)  # not in this thread: the proxy lives in it
        try:
            async with clients_of(service) as clients:
                yield Site(postgres, proxy, service, clients, await clients.host(), await clients.host("max"))
            for frames in clients.frames:
                verify_frames(frames)
            await asyncio.to_thread(service.verify)
        finally:
            await asyncio.to_thread(opening.__exit__, None, None, None)


async def latency(site: Site) -> None:
    site.proxy.delay_seconds = 0.1


async def cut(site: Site) -> None:
    """Breaks every connection, and new ones, too; some were being made at the first cut."""
    site.proxy.refuse()
    while True:
        site.proxy.cut()
        await asyncio.sleep(0.02)


async def stall(site: Site) -> None:
    site.proxy.stall()


async def answers_lost(site: Site) -> None:
    """PostgreSQL executes everything, commits included, and its replies are lost."""
    site.proxy.stall("down")


async def half_open(site: Site) -> None:
    site.proxy.half_open()
    site.proxy.stall()


async def flapping(site: Site) -> None:
    for number in range(100):
        site.proxy.stall()
        await asyncio.sleep(0.1 * (number % 7))
        if number % 3 == 0:
            site.proxy.cut()
        site.proxy.flow()
        await asyncio.sleep(0.1 * (number % 5))


Trouble = Callable[[Site], Awaitable[None]]
TROUBLES: Final = (latency, cut, stall, answers_lost, half_open, flapping)
SILENT: Final = (cut, stall, answers_lost, half_open)
"""Nothing can be stored during this, and the service reports it."""


@asynccontextmanager
async def in_trouble(site: Site, trouble: Trouble) -> AsyncIterator[None]:
    watching = asyncio.create_task(site.watch_the_loop())
    troubling = asyncio.ensure_future(trouble(site))
    try:
        yield
        assert not watching.done(), "the process has stopped answering"
    finally:
        for task in (watching, troubling):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        site.proxy.delay_seconds = 0
        site.proxy.flow()


async def act(player: Player, table_id: str, phase: str, round_id: str) -> bool | None:
    """What this player would do now; whether it was acknowledged, None if there is nothing to do."""
    if phase == "betting":
        message: dict[str, object] = {"table_id": table_id, "round_id": round_id, "ante": 900, "trips": 0}
        answer = await player.call("bet", message)
    elif action := STEPS[phase][1]:
        message = {"table_id": table_id, "round_id": round_id, "action": action, "phase": phase}
        answer = await player.call("decide", message)
    else:
        return None
    assert answer["ok"] or answer["error"]["code"] == "internal", answer
    return bool(answer["ok"])


async def insist(act: Callable[[], Awaitable[bool | None]]) -> None:
    """Until it is acknowledged; repeating an answer moves nothing."""
    async with asyncio.timeout(60):
        while await act() is False:  # noqa: ASYNC110  so does a person
            await asyncio.sleep(0.2)


async def go_on(host: Host, table_id: str, phase: str, begun: tuple[Player, str]) -> None:
    """After the trouble, at the same table, on the same connection."""
    ann, round_id = begun
    if phase == "betting":
        await insist(lambda: act(ann, table_id, phase, round_id))
        joined = await ann.join(table_id)
        assert (joined["round"]["phase"], joined["seat"]["bets"]["ante"]) == ("betting", 900)
        assert await ann.money() == (CREDIT, CREDIT - 1800)
        await ann.bet(table_id, round_id, 0)
        assert await ann.money() == (CREDIT, CREDIT)
        return
    await finish(host, table_id, phase, ann, round_id)


async def stand_in_every_phase(site: Site) -> tuple[dict[str, str], dict[str, tuple[Player, str]]]:
    tables = {phase: site.service.table("lasting" if phase == "betting" else "calm") for phase in PHASES}
    begun = await asyncio.gather(*(bring_to(site.clients, site.host, tables[phase], phase) for phase in PHASES))
    return tables, dict(zip(PHASES, begun, strict=True))


@pytest.mark.req("RND-2")
@pytest.mark.req("RND-5")
@pytest.mark.parametrize("trouble", representative(TROUBLES, lambda one: one is not stall), ids=lambda t: t.__name__)
async def test_no_player_loses_anything_by_connection_faults_in_any_phase(site: Site, trouble: Trouble) -> None:
    """While nothing can be stored every command is refused; afterwards every round continues in its phase."""
    tables, begun = await stand_in_every_phase(site)
    betting, deciding = begun["betting"], begun["deciding_flop"]
    async with in_trouble(site, trouble):
        answered = site.health_checks
        if trouble in SILENT:
            await asyncio.sleep(0.1)
            answers = await asyncio.gather(
                act(betting[0], tables["betting"], "betting", betting[1]),
                site.until_ready(503),
            )
            assert answers[0] is False
            notice_ = await betting[0].until("notice", lambda notice: notice["table_id"] == tables["betting"])
            assert notice_["code"] == "interrupted"
        else:
            await asyncio.sleep(TROUBLE_SECONDS)
        async with asyncio.timeout(ANSWERS_SECONDS_MAX):  # the service goes on answering
            while site.health_checks - answered < ANSWERS_MIN:  # noqa: ASYNC110  they are counted elsewhere
                await asyncio.sleep(0.05)
    await site.until_ready(200)
    await asyncio.gather(*(go_on(site.host, tables[phase], phase, begun[phase]) for phase in PHASES))
    assert deciding[0].client.connected, "the players' own lines were never touched"


@pytest.mark.req("LED-6")
@pytest.mark.parametrize(
    "how",
    representative((signal.SIGINT, signal.SIGQUIT, signal.SIGKILL), lambda one: one is not signal.SIGQUIT),
    ids=["fast", "immediate", "killed"],
)
async def test_no_player_loses_anything_when_postgresql_restarts_in_any_phase(site: Site, how: signal.Signals) -> None:
    tables, begun = await stand_in_every_phase(site)
    await asyncio.to_thread(site.postgres.strike, how)
    assert await act(begun["betting"][0], tables["betting"], "betting", begun["betting"][1]) is False
    await site.until_ready(503)
    await asyncio.to_thread(site.postgres.start)
    await site.until_ready(200)
    await asyncio.gather(*(go_on(site.host, tables[phase], phase, begun[phase]) for phase in PHASES))


@pytest.mark.req("RND-5")
async def test_decision_window_that_ended_during_an_outage_opens_again_in_full(site: Site) -> None:
    table_id = site.service.table("short")
    ann, round_id = await bring_to(site.clients, site.host, table_id, "deciding_preflop")
    window = await ann.phase(table_id, round_id, "deciding_preflop")
    async with in_trouble(site, stall):
        assert await act(ann, table_id, "deciding_preflop", round_id) is False
        await asyncio.sleep((window["deadline"] + 500 - time.time() * 1000) / 1000)
    again = await ann.until("round", lambda view: (view["deadline"] or 0) > window["deadline"])
    assert (again["round_id"], again["phase"]) == (round_id, "deciding_preflop")
    assert 12_000 - LATE_MS <= again["deadline"] - again["server_time"] <= 12_000  # storing it takes a moment
    await insist(lambda: act(ann, table_id, "deciding_preflop", round_id))
    seat = (await ann.join(table_id))["seat"]
    assert (seat["decision"], seat["automatic"]) == ("check", None)
    await site.manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
    assert (await ann.result(round_id))["returned"] == 1100


@pytest.mark.req("RND-2")
@pytest.mark.req("LED-5")
@pytest.mark.parametrize(
    "phase",
    representative(
        ("betting", "deciding_preflop", "deciding_river", "showdown"), lambda phase: phase != "deciding_preflop"
    ),
)
async def test_stored_change_without_a_reply_is_found_and_published(site: Site, phase: str) -> None:
    """The commit arrives and its answer does not: refused as unknown, and the truth comes with the line."""
    host, table_id = site.host, site.service.table("lasting" if phase == "betting" else "calm")
    ann, round_id = await bring_to(site.clients, site.host, table_id, phase)
    async with in_trouble(site, answers_lost):
        if phase == "showdown":
            scan = {"table_id": table_id, "round_id": round_id, "card": STEPS[phase][0].split()[1]}
            assert (await host.call("scan", scan))["error"]["code"] == "internal"
        else:
            assert await act(ann, table_id, phase, round_id) is False
    await site.until_ready(200)
    if phase == "betting":
        await go_on(host, table_id, phase, (ann, round_id))
        return
    if phase == "showdown":
        await insist(lambda: scanned(host, table_id, round_id))
    else:
        await insist(lambda: act(ann, table_id, phase, round_id))
        if phase == "deciding_preflop":
            await site.manager.ok("cancel_round", {"table_id": table_id, "reason": "Enough is proved."})
            assert (await ann.result(round_id))["returned"] == 1100
            assert await ann.money() == (CREDIT, CREDIT)
            return
        await host.phase(table_id, round_id, "showdown")
        await host.scan(table_id, round_id, STEPS["showdown"][0])
    result = await ann.result(round_id)
    assert (result["staked"], result["returned"]) == (1600, 2900)
    assert await ann.money() == (CREDIT + 1300,) * 2


async def scanned(host: Host, table_id: str, round_id: str) -> bool:
    """The last card of the dealer: stored already, or now."""
    card = STEPS["showdown"][0].split()[1]
    answer = await host.call("scan", {"table_id": table_id, "round_id": round_id, "card": card})
    return bool(answer["ok"]) or answer["error"]["code"] in ("not_expected", "duplicate_card", "stale_round")
