"""Authorization of every route for every role: a route that declares no role is closed."""

import asyncio

import pytest
from aiohttp.web import Application, Request, Response

from casino.http.authorization import PUBLIC, SESSION, Audience, add_route, audience_of, only
from casino.users.roles import Role
from tests.http.conftest import AddRoutes, Asker

pytestmark = pytest.mark.req("SEC-9")

PUBLIC_ROUTES = {
    "GET /",
    "GET /host",
    "GET /finance",
    "GET /poker",
    "GET /icon.svg",
    "GET /assets/{name}",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
    "POST /api/register",
    "POST /api/login",
    "POST /api/guest",
    "GET /api/openapi.json",
    "GET /api/tables",
    "GET /api/tables/{table_id}",
    "GET /api/tables/{table_id}/results",
    "GET /api/fairness/{round_id}",
    "GET /api/poker/lobby",
    "GET /api/poker/odds",
    "GET /api/poker/tournaments",
    "GET /api/poker/tournaments/{tournament_id}",
    "GET /api/poker/tournaments/{tournament_id}/players",
    "GET /api/poker/tournaments/{tournament_id}/prizes",
    "GET /api/poker/tournaments/{tournament_id}/tables",
    "GET /api/poker/tournaments/{tournament_id}/structure",
    "GET /api/poker/finished-tournaments",
    "GET /api/poker/finished-tournaments/{tournament_id}",
    "POST /api/cashier/confirm",  # signed by the payment provider
}
"""A route that is open to all is listed here, too."""

ENDS_THE_SESSION = "/api/logout"


async def _plain(_request: Request) -> Response:
    return Response(text="inside")


def routes_of(app: Application) -> list[tuple[str, str, Audience | None]]:
    found = []
    for route in app.router.routes():
        assert route.resource is not None
        found.append((route.method, route.resource.canonical, audience_of(app, route)))
    return found


async def test_every_route_says_whom_it_is_for(one_asker: Asker) -> None:
    routes = routes_of(one_asker.app)
    assert [(method, path) for method, path, audience in routes if audience is None] == []
    open_to_all = {f"{method} {path}" for method, path, audience in routes if audience == PUBLIC}
    assert {route for route in open_to_all if not route.startswith("HEAD")} == PUBLIC_ROUTES


async def test_every_route_admits_its_audience_only(one_asker: Asker) -> None:
    tokens: dict[Role | None, str | None] = {None: None}
    for each in Role:
        await one_asker.add(f"The {each}", each)
        tokens[each] = await one_asker.token_of(f"The {each}")
    for method, path, audience in routes_of(one_asker.app):
        assert audience is not None
        for role, token in tokens.items():
            if path == ENDS_THE_SESSION and role is not None:
                token = await one_asker.token_of(f"The {role}")  # noqa: PLW2901
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            answer = await one_asker.client.request(method, path.replace("{", "").replace("}", ""), headers=headers)
            refused = {401: "session", 403: "role"}.get(answer.status)
            if not audience.needs_session:
                expected = None
            elif role is None:
                expected = "session"
            else:
                expected = None if role in audience.roles else "role"
            assert refused == expected, f"{method} {path} as {role}: {answer.status}"


class TestNewRoutes:
    @pytest.fixture
    def more_routes(self) -> AddRoutes:
        def add(app: Application) -> None:
            app.router.add_get("/silent", _plain)
            add_route(app, "GET", "/money", _plain, only(Role.FINANCE))
            app.router.add_post("/money", _plain)

        return add

    async def test_route_without_an_audience_is_closed(self, one_asker: Asker) -> None:
        await one_asker.add("Root", Role.ADMIN)
        token = await one_asker.token_of("Root")
        for answer in (
            await one_asker.get("/silent"),
            await one_asker.get("/silent", token),
            await one_asker.client.head("/silent"),
            await one_asker.post("/money", token=token),
        ):
            assert answer.status == 403
            assert "inside" not in await answer.text()

    @pytest.mark.parametrize("role", Role)
    async def test_route_for_one_role_is_for_no_other(self, one_asker: Asker, role: Role) -> None:
        await one_asker.add("Sue", role)
        answer = await one_asker.get("/money", await one_asker.token_of("Sue"))
        assert answer.status == (200 if role is Role.FINANCE else 403)
        assert (await one_asker.get("/money")).status == 401


@pytest.mark.req("OPS")
class TestManyAtOnce:
    @pytest.fixture
    def inside(self) -> "asyncio.Queue[str]":
        return asyncio.Queue()

    @pytest.fixture
    def gate(self) -> asyncio.Event:
        return asyncio.Event()

    @pytest.fixture
    def more_routes(self, inside: "asyncio.Queue[str]", gate: asyncio.Event) -> AddRoutes:
        async def wait(request: Request) -> Response:
            inside.put_nowait(request[SESSION].user.name)
            await gate.wait()
            return Response(text="done")

        def add(app: Application) -> None:
            add_route(app, "POST", "/slow", wait, only(Role.PLAYER, Role.FINANCE))
            add_route(app, "GET", "/export", wait, only(Role.FINANCE, takes_long=True))

        return add

    async def test_one_player_is_answered_a_few_at_a_time_and_others_do_not_wait(
        self, one_asker: Asker, inside: "asyncio.Queue[str]", gate: asyncio.Event
    ) -> None:
        greedy, patient = await one_asker.register("Greedy"), await one_asker.register("Patient")
        asked = [asyncio.create_task(one_asker.post("/slow", {}, greedy)) for _ in range(20)]
        assert [await inside.get() for _ in range(4)] == ["Greedy"] * 4
        asked.append(asyncio.create_task(one_asker.post("/slow", {}, patient)))
        assert await inside.get() == "Patient"
        gate.set()
        assert {answer.status for answer in await asyncio.gather(*asked)} == {200}
        assert inside.qsize() == 16

    async def test_staff_are_answered_a_few_at_a_time_and_not_behind_their_own_exports(
        self, one_asker: Asker, inside: "asyncio.Queue[str]", gate: asyncio.Event
    ) -> None:
        await one_asker.add("Fin", Role.FINANCE)
        token = await one_asker.token_of("Fin")
        asked = [asyncio.create_task(one_asker.get("/export", token)) for _ in range(6)]
        asked += [asyncio.create_task(one_asker.post("/slow", {}, token)) for _ in range(10)]
        assert [await inside.get() for _ in range(8)] == ["Fin"] * 8
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(inside.get(), 0.2)
        gate.set()
        assert {answer.status for answer in await asyncio.gather(*asked)} == {200}
        assert inside.qsize() == 8
