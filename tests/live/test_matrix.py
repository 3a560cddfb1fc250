"""Authorization matrix of the real service: every role at every route and every event.

A new route or event fails the first test until somebody has decided whom it is for, and has written it down.
"""

import itertools
from pathlib import Path
from typing import Final

import pytest

from casino.bootstrap.all_in_one import AllInOne as Tables
from casino.bootstrap.service import build_app
from casino.http.static_pages import Pages
from casino.settings import load_settings
from casino.storage.database import Database
from casino.users.sessions import Lifetime, Sessions
from casino.wire import client_events
from casino.wire.protocol.examples import SENT
from tests.databases import sqlite_url
from tests.live.clients import Clients, Device
from tests.live.service import PASSWORD, Json, LiveService

pytestmark = [pytest.mark.req("SEC-6"), pytest.mark.req("SEC-9")]

STAFF: Final = {"presenter": "paula", "manager": "max", "finance": "fiona", "admin": "adam"}
ROLES: Final = ("nobody", "guest", "player", *STAFF)

ANYONE: Final = frozenset(ROLES)
SIGNED_IN: Final = ANYONE - {"nobody"}
PLAYERS: Final = frozenset({"guest", "player"})
PRESENTER: Final = frozenset({"presenter"})
MANAGER: Final = frozenset({"manager"})
BOTH: Final = PRESENTER | MANAGER
FINANCE: Final = frozenset({"finance"})
OFFICE: Final = MANAGER | FINANCE
ADMIN: Final = frozenset({"admin"})
STAFF_ONLY: Final = frozenset(STAFF)

_numbers = itertools.count(1)

ROUTES: Final = {
    "GET /": ANYONE,
    "GET /host": ANYONE,  # the page alone: what it shows comes by the namespace
    "GET /finance": ANYONE,  # the page alone: its figures come from the routes below
    "GET /poker": ANYONE,  # the page alone: what it shows comes by the namespace
    "GET /icon.svg": ANYONE,
    "GET /assets/{name}": ANYONE,
    "GET /healthz": ANYONE,
    "GET /readyz": ANYONE,
    "GET /metrics": ANYONE,  # from this machine
    "GET /socket.io/": ANYONE,  # each namespace asks for the session it needs
    "POST /socket.io/": ANYONE,
    "OPTIONS /socket.io/": ANYONE,
    "* /socket.io/": ANYONE,  # any other method is a bad request
    "GET /api/openapi.json": ANYONE,
    "POST /api/register": ANYONE,
    "POST /api/login": ANYONE,
    "POST /api/guest": ANYONE,
    "POST /api/logout": SIGNED_IN,
    "GET /api/me": SIGNED_IN,
    "POST /api/password": SIGNED_IN,
    "GET /api/sessions": SIGNED_IN,
    "DELETE /api/sessions": SIGNED_IN,
    "DELETE /api/sessions/{session_id}": SIGNED_IN,
    "GET /api/second-factor": STAFF_ONLY,
    "POST /api/second-factor/begin": STAFF_ONLY,
    "POST /api/second-factor/confirm": STAFF_ONLY,
    "POST /api/second-factor/remove": STAFF_ONLY,
    "GET /api/tables": ANYONE,
    "GET /api/tables/{table_id}": ANYONE,
    "GET /api/tables/{table_id}/results": ANYONE,
    "GET /api/fairness/{round_id}": ANYONE,
    "GET /api/history": PLAYERS,
    "GET /api/history/{round_id}": PLAYERS,
    "GET /api/history/{round_id}/advice": PLAYERS,
    "GET /api/settings": SIGNED_IN,
    "PUT /api/settings": SIGNED_IN,
    "GET /api/cashier": PLAYERS,
    "POST /api/cashier/deposit": PLAYERS,
    "POST /api/cashier/withdraw": PLAYERS,
    "POST /api/cashier/confirm": ANYONE,  # a provider, who proves itself by a signature
    "GET /api/responsible": PLAYERS,
    "PUT /api/responsible/limits": PLAYERS,
    "PUT /api/responsible/reality-check": PLAYERS,
    "POST /api/responsible/reality-check/seen": PLAYERS,
    "POST /api/responsible/time-out": PLAYERS,
    "POST /api/responsible/self-exclusion": PLAYERS,
    "GET /api/poker/lobby": ANYONE,
    "GET /api/poker/odds": ANYONE,
    "GET /api/poker/tournaments": ANYONE,
    "GET /api/poker/tournaments/{tournament_id}": ANYONE,
    "GET /api/poker/tournaments/{tournament_id}/players": ANYONE,
    "GET /api/poker/tournaments/{tournament_id}/prizes": ANYONE,
    "GET /api/poker/tournaments/{tournament_id}/tables": ANYONE,
    "GET /api/poker/tournaments/{tournament_id}/structure": ANYONE,
    "GET /api/poker/finished-tournaments": ANYONE,
    "GET /api/poker/finished-tournaments/{tournament_id}": ANYONE,
    "GET /api/poker/entries": PLAYERS,
    "GET /api/poker/tickets": PLAYERS,
    "GET /api/poker/results": PLAYERS,
    "POST /api/poker/tournaments/{tournament_id}/register": PLAYERS,
    "POST /api/poker/tournaments/{tournament_id}/unregister": PLAYERS,
    "GET /api/poker/own": PLAYERS,
    "GET /api/poker/hands": PLAYERS,
    "GET /api/poker/hands/export": PLAYERS,
    "GET /api/poker/hands/{hand_id}": PLAYERS,
    "GET /api/host/poker/floor": MANAGER,
    "GET /api/host/poker/reports": MANAGER,
    "GET /api/host/poker/tournaments": MANAGER,
    "POST /api/host/poker/tournaments": MANAGER,
    "POST /api/host/poker/tournaments/preview": MANAGER,
    "GET /api/host/poker/tournament-templates": MANAGER,
    "POST /api/host/poker/tournament-proposals/{proposal_id}/answer": MANAGER,
    "GET /api/host/poker/tournaments/{tournament_id}": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/change": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/change/preview": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/pause": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/resume": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/refund": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/refund/answer": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/disqualify": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/cancel": MANAGER,
    "POST /api/host/poker/tournaments/{tournament_id}/cancel/preview": MANAGER,
    "POST /api/host/poker/tables/{table_id}/pause": MANAGER,
    "POST /api/host/poker/tables/{table_id}/return_chips": MANAGER,
    "POST /api/host/poker/tables/{table_id}/resume": MANAGER,
    "POST /api/host/poker/tables/{table_id}/void": MANAGER,
    "POST /api/host/poker/tables/{table_id}/void/preview": MANAGER,
    "GET /api/host/floor": BOTH,
    "GET /api/host/incidents": BOTH,
    "GET /api/host/tips": PRESENTER,
    "GET /api/host/rounds": OFFICE,
    "GET /api/host/rounds/{round_id}": OFFICE,
    "GET /api/host/cancellations": OFFICE,
    "GET /api/host/audit": OFFICE,
    "GET /api/host/audit.csv": OFFICE,
    "GET /api/host/chat": MANAGER,
    "POST /api/host/rounds/{round_id}/preview": OFFICE,
    "POST /api/host/corrections": MANAGER,
    "GET /api/host/corrections": OFFICE,
    "POST /api/host/corrections/{correction_id}/approve": OFFICE,
    "POST /api/host/corrections/{correction_id}/reject": OFFICE,
    "GET /api/admin/users": ADMIN,
    "POST /api/admin/users": ADMIN,
    "POST /api/admin/users/{user_id}/password": ADMIN,
    "POST /api/admin/users/{user_id}/role": ADMIN,
    "POST /api/admin/users/{user_id}/disable": ADMIN,
    "POST /api/admin/users/{user_id}/enable": ADMIN,
    "POST /api/admin/users/{user_id}/second-factor/reset": ADMIN,
    "GET /api/finance/house": FINANCE,
    "GET /api/finance/overview": FINANCE,
    "GET /api/finance/tips": FINANCE,
    "GET /api/finance/refunds": FINANCE,
    "GET /api/finance/proposals": FINANCE,
    "POST /api/finance/proposals/{proposal_id}/approve": FINANCE,
    "POST /api/finance/proposals/{proposal_id}/reject": FINANCE,
    "GET /api/finance/cashier": FINANCE,
    "GET /api/finance/unresolved": FINANCE,
    "GET /api/finance/charity": FINANCE,
    "GET /api/finance/balance": FINANCE,
    "GET /api/finance/accounts": FINANCE,
    "GET /api/finance/days": FINANCE,
    "GET /api/finance/open-days": FINANCE,
    "GET /api/finance/receivables": FINANCE,
    "GET /api/finance/requests": FINANCE,
    "POST /api/finance/requests": FINANCE,
    "POST /api/finance/requests/{request_id}/approve": FINANCE,
    "POST /api/finance/requests/{request_id}/reject": FINANCE,
    "GET /api/finance/rows": FINANCE,
    "GET /api/finance/poker/rake": FINANCE,
    "GET /api/finance/poker/tournaments": FINANCE,
    "GET /api/finance/poker/hexapro": FINANCE,
    "GET /api/finance/poker/hexapro/games": FINANCE,
    "GET /api/finance/poker/tickets": FINANCE,
    "GET /api/finance/poker/held": FINANCE,
    "GET /api/finance/poker_hands": FINANCE,
    "GET /api/finance/poker_players": FINANCE,
    "GET /api/finance/postings": FINANCE,
    "GET /api/finance/rounds/{round_id}": FINANCE,
    "GET /api/finance/settlements": FINANCE,
    "GET /api/finance/summary": FINANCE,
    "GET /api/finance/ledger": FINANCE,
}
NAMESPACES: Final = {"/table": PLAYERS, "/host": BOTH}
EVENTS: Final = {
    "/table": dict.fromkeys(("join", "leave", "bet", "decide", "chat", "tip", "lobby"), PLAYERS),
    "/host": {
        "watch": BOTH,
        "open_table": BOTH,
        "close_table": BOTH,
        "start_round": PRESENTER,
        "scan": PRESENTER,
        "undo_scan": PRESENTER,
        "confirm_cards": PRESENTER,
        "report_problem": BOTH,
        "correct_card": MANAGER,
        "swap_cards": MANAGER,
        "resume": MANAGER,
        "cancel_round": MANAGER,
        "approve": MANAGER,  # presenters answer requests to take over a table only
        "reject": MANAGER,
        "take_over": PRESENTER,
        "preview_cancel": MANAGER,
        "set_limits": MANAGER,
        "count_deck": PRESENTER,
        "count_card": PRESENTER,
        "end_count": PRESENTER,
        "say": BOTH,
        "mute": BOTH,
        "unmute": BOTH,
    },
}


async def routes_of(service: LiveService, folder: Path) -> set[str]:
    """Of the service as it is wired for this house."""
    settings = load_settings(service.config)
    database = await Database.open(sqlite_url(folder))
    tables = Tables(settings, database, Sessions(database, Lifetime(1, 1)))
    app = build_app(settings, database, Pages(folder), tables)
    found = {f"{route.method} {route.resource.canonical}" for route in app.router.routes() if route.resource}
    await database.close()
    return {route for route in found if not route.startswith("HEAD ")}  # a HEAD is a GET without its body


async def test_every_route_and_every_event_is_written_down(service: LiveService, tmp_path: Path) -> None:
    assert await routes_of(service, tmp_path) == set(ROUTES)
    assert set(EVENTS["/table"]) == set(client_events.FROM_PLAYERS)
    assert set(EVENTS["/host"]) == set(client_events.FROM_HOSTS)


async def token_of(clients: Clients, role: str) -> str | None:
    if role == "nobody":
        return None
    if role in STAFF:
        signed_in = await clients.sign_in(STAFF[role])
    elif role == "guest":
        signed_in = await clients.guest()
    else:
        name = f"Matrix {next(_numbers)}"
        _, signed_in = await clients.ask("POST", "/api/register", None, {"name": name, "password": PASSWORD})
    return str(signed_in["token"])


async def ask(clients: Clients, route: str, token: str | None) -> tuple[int, str | None]:
    """Status and code of a meaningless request: allowed or not, it changes nothing."""
    method, path = route.split(" ")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body: list[object] | None = [] if method in ("POST", "PUT") else None
    address = clients.service.address + path.replace("{", "").replace("}", "")
    async with clients.web.request(method, address, headers=headers, json=body) as answer:
        is_json = answer.content_type == "application/json"  # a page is none, and no refusal either
        received: Json = await answer.json() if is_json else {}
        return answer.status, received.get("error", {}).get("code")


async def test_every_route_admits_its_roles_only(clients: Clients) -> None:
    tokens = {role: await token_of(clients, role) for role in ROLES}
    for route, roles in ROUTES.items():
        answers = {}
        for role, token in tokens.items():
            is_goodbye = route == "POST /api/logout"
            answers[role] = await ask(clients, route, await token_of(clients, role) if is_goodbye else token)
        if roles == ANYONE:
            assert len(set(answers.values())) == 1, f"{route}: who asks makes a difference: {answers}"
            continue
        for role, (status, code) in answers.items():
            if role in roles:
                assert status not in (401, 403), f"{route} refuses {role}: {code}"
            else:
                expected = (401, "not_authenticated") if role == "nobody" else (403, "forbidden")
                assert (status, code) == expected, f"{route} as {role}"


async def let_in(clients: Clients, namespace: str, token: str | None) -> Device | str:
    """The connection, or the code with which it was refused."""
    device = Device(clients.web, clients.service.address, token, namespace)
    clients.devices.append(device)
    try:
        await device.connect()
    except Exception as failure:  # noqa: BLE001  the library wraps it in an error of its own
        assert device.refusals, failure
        return str(device.refusals[0]["data"]["code"])
    return device


@pytest.mark.parametrize("namespace", NAMESPACES)
async def test_every_namespace_and_event_admits_its_roles_only(clients: Clients, namespace: str) -> None:
    for role in ROLES:
        device = await let_in(clients, namespace, await token_of(clients, role))
        if role not in NAMESPACES[namespace]:
            assert device == ("not_authenticated" if role == "nobody" else "forbidden"), f"{namespace} as {role}"
            continue
        assert isinstance(device, Device), f"{namespace} refuses {role}: {device}"
        for event, roles in EVENTS[namespace].items():
            message = SENT[namespace][event]
            nowhere = message | {"table_id": "no-such-table"} if "table_id" in message else message
            answer = await device.call(event, nowhere)
            code = "ok" if answer["ok"] else answer["error"]["code"]
            allowed = "no_such_table" if "table_id" in message else "ok"
            assert code == (allowed if role in roles else "forbidden"), f"{event} as {role}"


@pytest.mark.parametrize(("namespace", "role"), [("/table", "guest"), ("/host", "manager")])
async def test_event_of_another_namespace_or_of_none_is_no_message(clients: Clients, namespace: str, role: str) -> None:
    device = await let_in(clients, namespace, await token_of(clients, role))
    assert isinstance(device, Device)
    others = {event for name in EVENTS if name != namespace for event in EVENTS[name]} - set(EVENTS[namespace])
    for event in sorted(others | {"message", "round", "result", "__proto__", ""}):
        assert await device.refused(event, {"table_id": "uth-1"}) == "bad_request", event
