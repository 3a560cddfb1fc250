"""One simulation run: a service that is killed and restarted, its users, and the planned faults of its seed.

Everything is real from the socket server's sessions down to the rows of the database; network, disk, time, chance and
power are not.
"""

import asyncio
import contextvars
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import structlog
from aiohttp import web

import casino.bootstrap.table_host
import casino.observability.crash_points
from casino.bootstrap.all_in_one import AllInOne
from casino.cards.seeded_shuffle import ServerSeed, commit_to_seed
from casino.live_table import auto_dealer, recovery
from casino.live_table.recovery import Recovered
from casino.storage.database import Database
from casino.users.sessions import Sessions
from casino.uth.state import Round
from tests.chaos.books import check_books, check_verified
from tests.chaos.durability_checker import outcome
from tests.simulation.db_observer import DatabaseObserver
from tests.simulation.fixtures import BEGIN_MS, LIFETIME, SECONDS, People, connected, settings_of
from tests.simulation.loop import VirtualLoop
from tests.simulation.network import Network, Open
from tests.simulation.output_checker import OutputChecker
from tests.simulation.people import Manager, Player, Presenter, SimulatedPerson
from tests.simulation.plan import Disk, Net, Plan, points
from tests.simulation.seeded_random import seeded_secrets, sometimes
from tests.simulation.sqlite import sqlite_at_once
from tests.simulation.storage import PowerCut, Storage

SECONDS_MAX = 600.0
"""Of virtual time. A run that has not come to its end by then has one all the same."""
STUCK_SECONDS = 30.0
"""A table continues by itself once the database is back, long before a restart would be needed."""
LATE_SECONDS = SECONDS["resume_within"] + 5
_LIFE: contextvars.ContextVar["Life | None"] = contextvars.ContextVar("life", default=None)


class Broken(AssertionError):
    """Something that must hold does not."""


class Life:
    """The service from one start to its end."""

    def __init__(self, world: "World") -> None:
        self.context = contextvars.copy_context()
        self.context.run(_LIFE.set, self)
        self.tasks: list[asyncio.Task[Any]] = []
        self.storage = Storage(world.loop, world.disk, Random(world.chance.random()), world.log)
        self._world = world
        self.service: AllInOne | None = None
        self.database: Database | None = None

    async def open(self) -> None:
        world = self._world
        database = self.database = connected(world.url)
        self.storage.stand_between(database)
        sessions = Sessions(database, LIFETIME, world.clock)
        service = AllInOne(world.settings, database, sessions, world.clock)
        service.gateway.attach(web.Application())
        await service.open("the secret key of the simulation")
        self.service = service

    def is_stuck(self) -> bool:
        return self.service is not None and any(
            self.service.directory.state(table_id)["is_failing"] for table_id in self.service.tables.actors
        )


class World:
    def __init__(self, plan: Plan, url: str, people: People, log: Callable[[str], None] | None = None) -> None:
        self.plan = plan
        self.url = url
        self.loop = VirtualLoop(is_alone=url.startswith("sqlite"))
        self.chance = Random(f"world {plan.seed}")
        self.disk, self.net = plan.disk, plan.net
        self.settings = settings_of(plan.tables)
        self.faults: list[str] = []
        self.crashes = 0
        self.recoveries = 0
        self._digest = hashlib.sha256()
        self._log = log
        self._life: Life | None = None
        self._down = asyncio.Event()
        self.checker = OutputChecker(self.clock, self.complain, self.log)
        self.network = Network(self.loop, plan.net, Random(f"network {plan.seed}"), self.checker)
        self.people = [*self._players(people), *self._staff(people)]
        self._is_over = False
        self._ahead_ms = 0

    # What is known

    def clock(self) -> int:
        return BEGIN_MS + 60_000 + int(self.loop.time() * 1000 + 0.001) + self._ahead_ms

    def log(self, *words: str) -> None:
        line = f"{self.loop.time():10.4f} {' | '.join(words)}"
        self._digest.update(line.encode())
        if self._log:
            self._log(line)

    def complain(self, fault: str) -> None:
        self.log("BROKEN", fault)
        self.faults.append(fault)
        self._is_over = True

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()

    @property
    def rounds(self) -> int:
        return len(self.checker.ended)

    def _players(self, people: People) -> list[SimulatedPerson]:
        tables = self.plan.tables
        return [
            Player(
                self.network,
                Random(f"{self.plan.seed} {place}"),
                who.token,
                who.id,
                table_id=tables[place % len(tables)],
            )
            for place, who in enumerate(people.players[: self.plan.players])
        ]

    def _staff(self, people: People) -> list[SimulatedPerson]:
        dealt = tuple(table for table in self.plan.tables if table == "presenter")
        paula, max_ = people.presenter, people.manager
        return [
            Presenter(self.network, Random(f"{self.plan.seed} p"), paula.token, paula.id, tables=dealt),
            Manager(
                self.network,
                Random(f"{self.plan.seed} m"),
                max_.token,
                max_.id,
                tables=self.plan.tables,
                incidents=self.plan.incidents,
            ),
        ]

    # The run

    def run(self) -> None:
        """Until its rounds are played; raises `Broken` with all that was found."""
        self.loop.set_task_factory(_of_their_life)
        self.loop.set_exception_handler(self._unexpected)
        try:
            with self._world_order():
                self.loop.run_until_complete(self._run())
        finally:
            if self.checker.observer:
                self.checker.observer.close()
            self.loop.close()
        if self.faults:
            raise Broken(f"seed {self.plan.seed}: " + "\n".join(self.faults))

    @contextmanager
    def _world_order(self) -> Iterator[None]:
        with ExitStack() as order:
            order.enter_context(seeded_secrets(Random(f"secrets {self.plan.seed}")))
            if self.url.startswith("sqlite"):
                order.enter_context(sqlite_at_once())
                self.checker.observer = DatabaseObserver(Path(self.url.removeprefix("sqlite:///")))
            order.enter_context(patch.object(casino.bootstrap.table_host, "recover", self._watched_recovery))
            order.enter_context(patch.object(auto_dealer, "commit_to_seed", self._commit))
            power = SimpleNamespace(kill=self._killed, getpid=lambda: 0)
            order.enter_context(patch.object(casino.observability.crash_points, "os", power))
            order.callback(casino.observability.crash_points._passings_left.clear)
            yield

    def _commit(self, server_seed: ServerSeed, table_id: str, round_id: str) -> str:
        commitment = commit_to_seed(server_seed, table_id, round_id)
        self.checker.committed(commitment, server_seed)
        return commitment

    async def _run(self) -> None:
        keeping = asyncio.create_task(self._keep_house())
        living = [asyncio.create_task(person.live()) for person in self.people]
        trouble = [asyncio.create_task(work) for work in self._troubles()]
        while not self._is_over and self.rounds < self.plan.rounds * len(self.plan.tables):
            await asyncio.sleep(0.5)
            if self.loop.time() > SECONDS_MAX:
                self.log("time is over")
                break
        for task in trouble:
            task.cancel()
        if not self.faults:
            await self._calm_down()
        for task in (keeping, *living):
            task.cancel()
        await asyncio.gather(keeping, *living, *trouble, return_exceptions=True)
        await self._bury()
        if not self.faults:
            await self._check_end()

    async def _calm_down(self) -> None:
        """Ends all faults: the service stops in order, with every round finished."""
        self.log("nothing goes wrong from here on")
        self.disk = Disk()
        self.network.net = self.net = Net(seconds=0.005)
        casino.observability.crash_points._passings_left.clear()
        if self._life:
            self._life.storage.on_call = lambda _calls, _when: None
            self._life.storage.disk = self.disk
            self._life.storage.out_until = self._life.storage.slow_until = self._life.storage.silent_until = 0.0
        for _ in range(3):  # a real server may need more than one attempt
            await asyncio.sleep(0 if self.network.open else LATE_SECONDS)
        await asyncio.sleep(12)  # so that all devices have noticed, and reconnected
        await self._compare_views()
        life = self._life
        if life is None or life.service is None:
            self.complain("the service did not come back")
            return
        self.log("SIGTERM")
        self._is_over = True
        closing = asyncio.create_task(life.service.close(), context=life.context)
        await closing
        self.log("the service has stopped")

    async def _compare_views(self) -> None:
        """All devices see the state of the service, and the service knows all devices."""
        life = self._life
        if life is None or life.service is None:
            return
        floors = {table_id: actor._table for table_id, actor in life.service.tables.actors.items()}
        published = {table_id: floor._broadcaster._seq for table_id, floor in floors.items()}
        sitting = [player for player in self.people if isinstance(player, Player) and player.is_seated]
        away = {player.id for player in self.people if not player.device.is_connected}
        await asyncio.sleep(1)  # who hangs up in the last moment is still on the way
        for player in sitting:
            for gap in player.gaps:
                self.complain(gap)
            if player.is_seated and player.seq < published[player.table_id]:
                self.complain(f"{player.id} is at {player.seq}, the table was at {published[player.table_id]}")
            if player.is_seated and player.id not in floors[player.table_id]._seating.here:
                self.complain(f"{player.id} sits at {player.table_id}, and the table does not know")
        for table_id, floor in floors.items():
            gone = away - {player.id for player in self.people if player.device.is_connected}
            if floor._seating.here & gone:
                self.complain(f"{table_id} believes that {floor._seating.here & gone} are here")

    # The life of the service

    async def _keep_house(self) -> None:
        while True:
            life = self._life = Life(self)
            try:
                await asyncio.create_task(life.open(), context=life.context)
            except (Exception, PowerCut) as failure:  # noqa: BLE001  the process ends, whatever it was
                self.log("the service does not start", type(failure).__name__)
                if not life.storage.is_dead:
                    self.cut_power("it could not open")
            else:
                self.log("the service is up")
                assert life.service is not None
                self.network.open = Open(life.service, life.context)
                await self._until_down(life)
            await self._bury()
            seconds = LATE_SECONDS if sometimes(self.chance, 0.1) else self.chance.uniform(0.1, 8)
            await asyncio.sleep(seconds)

    async def _until_down(self, life: Life) -> None:
        stuck = 0.0
        while not life.storage.is_dead:
            self._down.clear()
            try:
                async with asyncio.timeout(1.0):
                    await self._down.wait()
            except TimeoutError:
                stuck = stuck + 1 if life.is_stuck() else 0
            if self.loop.time() < max(life.storage.out_until, life.storage.silent_until):
                stuck = 0.0
            if stuck > STUCK_SECONDS and not self._is_over:
                self.complain("a table fails and fails, though the database is back")

    def cut_power(self, why: str) -> None:
        life = self._life
        if life is None or life.storage.is_dead:
            return
        self.crashes += 1
        self.log("POWER CUT", why)
        life.storage.cut()
        casino.observability.crash_points._passings_left.clear()
        self.checker.power_lost()
        self.network.service_stopped()
        self._down.set()

    def _killed(self, *_: object) -> None:
        self.cut_power("at a crash point")
        raise PowerCut

    async def _bury(self) -> None:
        """Stops the remaining tasks of a dead service, which can change nothing."""
        life, self._life = self._life, None
        if life is None:
            return
        if not life.storage.is_dead:
            life.storage.cut()
            self.network.service_stopped()
        while waiting := [task for task in life.tasks if not task.done()]:
            for task in waiting:
                task.cancel()
            await asyncio.wait(waiting, timeout=1)
        life.tasks.clear()
        life.storage.bury()

    async def _watched_recovery(
        self,
        database: Database,
        resume_within_ms: Any,  # noqa: ANN401
        now_ms: int,
        **dealing: Any,  # noqa: ANN401
    ) -> Recovered:
        """Recovers as the service does, and compares the outcome of every round with the one its phase demands."""
        observer = self.checker.observer
        if observer is None:
            return await recovery.recover(database, resume_within_ms, now_ms, **dealing)
        found = {round_id: observer.round(round_id) for round_id in observer.unfinished()}
        last = {round_id: observer.journal(round_id)[-1]["at_ms"] for round_id in found}
        recovered = await recovery.recover(database, resume_within_ms, now_ms, **dealing)
        self.recoveries += 1
        for round_id, before in found.items():
            late = now_ms > last[round_id] + resume_within_ms[before.table_id]
            self._compare(before, outcome(before, late=late), recovered, observer.round(round_id), now_ms)
        return recovered

    def _compare(self, before: Round, demanded: str, recovered: Recovered, after: Round, now_ms: int) -> None:
        round_id = before.round_id
        self.log("recovered", round_id, before.phase, after.phase)
        if not recovered.outcomes[round_id] == demanded == after.phase:
            self.complain(f"round {round_id} stood at {before.phase} and became {after.phase}, not {demanded}")
        if before.cards != after.cards or (before.seats != after.seats and demanded != "idle"):
            self.complain(f"round {round_id} came back with other cards or bets")
        if after.is_deciding and not after.paused:
            window = after.due_ms - now_ms if after.due_ms else 0
            if window < 2000:
                self.complain(f"round {round_id} goes on with {window} ms to decide")
        if after.is_over:
            self.checker.ended.add(round_id)

    # What goes wrong

    def _troubles(self) -> list[Any]:
        plan = self.plan
        return [
            self._now_and_then(plan.crashes, self._crash),
            self._now_and_then(plan.stops, self._stop),
            self._now_and_then(plan.disk.outages, self._outage),
            self._now_and_then(plan.disk.slow_spells, self._slow_spell),
            self._now_and_then(plan.disk.silences, self._silence),
            self._now_and_then(plan.jumps, self._jump),
            self._now_and_then(plan.net.cuts * plan.players, self._cut_link),
            self._now_and_then(plan.net.silences * plan.players, self._silence_link),
        ]

    async def _now_and_then(self, per_minute: float, happens: Callable[[], None]) -> None:
        while per_minute:
            await asyncio.sleep(self.chance.expovariate(per_minute / 60))
            if self._life and self._life.service:
                happens()

    def _crash(self) -> None:
        """At a named place of the code, at any step of any transaction, or at any moment."""
        life = self._life
        assert life is not None
        kind = self.chance.choice(("point", "call", "call", "moment"))
        if kind == "point":
            casino.observability.crash_points.enable(f"{self.chance.choice(points())}:{self.chance.randint(1, 3)}")
        elif kind == "call":
            at = life.storage.calls + self.chance.randint(1, 60)
            moment = self.chance.choice(("before", "during", "after", "answered"))

            def strike(calls: int, when: str) -> None:
                if calls >= at and when == moment:
                    self.cut_power(f"{when} a call of the database")

            life.storage.on_call = strike
        else:
            self.cut_power("out of the blue")

    def _stop(self) -> None:
        life = self._life
        assert life is not None
        assert life.service is not None
        self.log("SIGTERM")
        service = life.service

        async def stop() -> None:
            await service.close()
            self.log("the service has stopped")
            self.cut_power("the process has ended")

        self.loop.create_task(stop(), context=life.context)

    def _outage(self) -> None:
        assert self._life is not None
        self._life.storage.out_until = self.loop.time() + self.chance.uniform(0.1, 6)
        self.log("the database is away for a while")

    def _slow_spell(self) -> None:
        assert self._life is not None
        self._life.storage.slow_until = self.loop.time() + self.chance.uniform(0.1, 3)
        self.log("the database is slow for a while")

    def _silence(self) -> None:
        assert self._life is not None
        self._life.storage.silent_until = self.loop.time() + self.chance.uniform(0.1, 10)
        self.log("the database is silent for a while")

    def _jump(self) -> None:
        self._ahead_ms += self.chance.randint(-3_000, 3_000)
        self.log("the clock is set", str(self._ahead_ms))

    def _cut_link(self) -> None:
        if self.network.links:
            link = self.chance.choice(list(self.network.links))
            self.log("link cut", link.player_id)
            link.cut()

    def _silence_link(self) -> None:
        if self.network.links:
            link = self.chance.choice(list(self.network.links))
            self.log("link silent", link.player_id)
            link.is_silent, link.is_whole = True, False

    def _unexpected(self, _loop: object, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        if not isinstance(failure, PowerCut) and self._life and not self._life.storage.is_dead:
            self.complain(f"{context['message']}: {failure!r}")

    # The end

    async def _check_end(self) -> None:
        """Checks all books independently, and by the service's own verification."""
        database = connected(self.url)
        outside = nullcontext if database.is_sqlite else self.loop.waiting_outside
        try:
            with outside():
                await check_books(database)
                await check_verified(database)
        except AssertionError as fault:
            self.complain(str(fault))
        finally:
            with outside():
                await database.close()
        if self.checker.observer and self.checker.observer.unfinished():
            self.complain(f"rounds are left unfinished: {self.checker.observer.unfinished()}")


def _of_their_life(loop: asyncio.AbstractEventLoop, work: Any, **options: Any) -> asyncio.Task[Any]:  # noqa: ANN401
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, **options)
    context = options.get("context")
    life = context.get(_LIFE) if context is not None else _LIFE.get()
    if life is not None:
        life.tasks.append(task)
    return task


def _drop(*_: object) -> Any:  # noqa: ANN401  as the library calls it
    raise structlog.DropEvent


@contextmanager
def silence() -> Iterator[None]:
    """Failures are planned here, so the log would only hide unplanned ones."""
    before = structlog.get_config()
    logging.disable()  # unclosed connections of a dead service warn
    structlog.configure(processors=[_drop], cache_logger_on_first_use=False)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
        structlog.configure(**before)
