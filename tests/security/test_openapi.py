"""OpenAPI fuzzing: every route, requested by every role with valid and invalid input, at a real server."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any, Final

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core.result import Ok

from casino.cli.openapi import openapi_document
from tests.deep import count
from tests.live.service import Json, LiveService
from tests.security.scene import ROLES, Scene

pytestmark = [pytest.mark.req("SEC-6"), pytest.mark.req("SEC-8"), pytest.mark.req("SEC-9")]

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
EXAMPLES: Final = count("CASINO_FUZZ_EXAMPLES", usual=2, deep=12)
SLOW: Final = dict.fromkeys(("/api/finance/settlements", "/api/finance/summary", "/api/finance/ledger"), 2)
"""A process of its own writes each of these."""
SIGNING: Final = ("/api/login", "/api/cashier/confirm")
"""Where what is sent says who one is."""
PROVING: Final = ("/api/password", *(f"/api/second-factor/{step}" for step in ("begin", "confirm", "remove")))
"""Where a signed-in person proves it again: a wrong password or code is a 403, for every role."""

load_all_checks()
WANTED: Final[list[Any]] = CHECKS.get_by_names(
    ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
)
Case = schemathesis.Case[Any]
Operation = schemathesis.APIOperation[Any, Any, Any, Any]


def operations() -> Iterator[Operation]:
    schema = schemathesis.openapi.from_dict(json.loads(DOCUMENT.read_text()))
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        yield found.ok()


OPERATIONS: Final = {f"{one.method.upper()} {one.path}": one for one in operations()}


def roles_of(operation: Operation) -> list[str]:
    named = operation.definition.raw["x-roles"]
    players = ["guest", "player"] if "player" in named else []
    return list(ROLES) if named == ["anybody"] else [*players, *(role for role in named if role != "player")]


def test_the_document_is_fresh() -> None:
    assert DOCUMENT.read_text() == openapi_document(), "run make protocol"


def test_no_answer_is_described_as_just_anything() -> None:
    for name, operation in OPERATIONS.items():
        for media, described in operation.definition.raw["responses"]["200"]["content"].items():
            assert media != "application/json" or described["schema"].keys() & {"$ref", "anyOf"}, name


@pytest.fixture(scope="module")
def web() -> Iterator[requests.Session]:
    """Keeps no cookies: a session must come from the token of a request alone."""
    with requests.Session() as session:
        session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        yield session


@pytest.mark.parametrize("name", OPERATIONS)
def test_whatever_is_sent_is_answered_as_described(
    name: str, service: LiveService, scene: Scene, web: requests.Session
) -> None:
    operation = OPERATIONS[name]
    has_input = operation.body or operation.query or operation.path_parameters
    modes = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE) if has_input else (GenerationMode.POSITIVE,)
    for role in roles_of(operation):
        for mode in modes:
            for case in cases(operation, mode, SLOW.get(operation.path, EXAMPLES)):
                answer = ask(case, service, web, token(operation, role, service, scene))
                is_for_nobody = (operation.path, role) == ("/api/cashier/withdraw", "guest")  # play money stays here
                if operation.path in PROVING:
                    assert answer.status_code != 401, f"{name} refuses {role}"
                    assert "Your role does not allow this." not in answer.text, f"{name} refuses {role}"
                elif operation.path not in SIGNING and not is_for_nobody:
                    assert answer.status_code not in (401, 403), f"{name} refuses {role}"


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_role_that_a_route_is_not_for_is_refused_whatever_it_sends(
    name: str, service: LiveService, scene: Scene, web: requests.Session
) -> None:
    operation = OPERATIONS[name]
    for role in set(ROLES) - set(roles_of(operation)):
        for case in cases(operation, GenerationMode.POSITIVE, 2):
            answer = ask(case, service, web, scene.tokens[role])
            assert answer.status_code == (401 if role == "nobody" else 403), f"{name} as {role}"


def test_real_rounds_are_answered_as_described(service: LiveService, scene: Scene, web: requests.Session) -> None:
    today = f"{datetime.now(UTC).date()}"
    period: Json = {"from": today, "to": today}
    queries: Json = {"/api/finance/accounts": {"kind": "player"}, "/api/poker/hands/export": {"format": "phh"}}
    not_there = {"/api/fairness/{round_id}", "/api/poker/hands/{hand_id}"}  # a presenter dealt; no poker was played
    asked = 0
    for name, operation in OPERATIONS.items():
        if operation.method != "get":
            continue
        needs_period = any(one.name == "from" and one.is_required for one in operation.query)
        query = queries.get(operation.path) or (period if needs_period else {})
        for round_id in (scene.round_id, scene.cancelled_id) if "round_id" in operation.path else ("",):
            for role in roles_of(operation):
                poker = {"hand_id": "nl10-1-1", "tournament_id": "sng-1"}
                path = {"round_id": round_id, "table_id": scene.table_id} | poker
                case = operation.Case(path_parameters=path, query=query)
                answer = ask(case, service, web, scene.tokens[role])
                is_not_there = operation.path in not_there or "tournament_id" in operation.path
                expected = 404 if is_not_there else 200
                assert answer.status_code == expected, f"{name} as {role}: {answer.text}"
                asked += 1
    assert asked > 80


def test_a_correction_is_answered_as_described(service: LiveService, scene: Scene, web: requests.Session) -> None:
    preview = OPERATIONS["POST /api/host/rounds/{round_id}/preview"]
    body: Json = {"cards": {"dealer_1": "Ac"}}
    case = preview.Case(path_parameters={"round_id": scene.round_id}, body=body, media_type="application/json")
    assert ask(case, service, web, scene.tokens["finance"]).status_code == 200
    for path, role, expected in (
        ("approve", "manager", 403),  # who proposed it
        ("reject", "finance", 200),
        ("approve", "finance", 409),  # decided
    ):
        operation = OPERATIONS[f"POST /api/host/corrections/{{correction_id}}/{path}"]
        case = operation.Case(
            path_parameters={"correction_id": scene.correction_id},
            body={"reason": "It was right."} if path == "reject" else {},
            media_type="application/json",
        )
        assert ask(case, service, web, scene.tokens[role]).status_code == expected


def cases(operation: Operation, mode: GenerationMode, number: int) -> list[Case]:
    found: list[Case] = []

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize="CASINO_FUZZ_EXAMPLES" not in os.environ,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def gather(case: Case) -> None:
        found.append(case)

    gather()
    return found


def ask(case: Case, service: LiveService, web: requests.Session, token: str | None) -> schemathesis.Response:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = case.call(base_url=service.address, session=web, headers=headers, timeout=60)
    case.validate_response(answer, checks=WANTED)
    return answer


def token(operation: Operation, role: str, service: LiveService, scene: Scene) -> str | None:
    """Whoever says goodbye is not needed any more."""
    if operation.path == "/api/logout":
        return str(requests.post(f"{service.address}/api/guest", json={}, timeout=60).json()["token"])
    return scene.tokens[role]
