"""NUL and other unstorable characters in every parameter of every route that queries a database, on both databases."""

import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from typing import Final

import pytest

from casino.finance.export_types import ExportKind
from casino.http.openapi.routes import ROUTES
from tests.live.service import PASSWORD, STAFF
from tests.service import CASINO, running_service

pytestmark = [pytest.mark.req("SEC-6"), pytest.mark.req("SEC-8")]

SIGNS: Final = ("%00", "a%00b", "%ff", "%ed%a0%80", "%e2%80%ae", "%0d%0a", "%f0%9f%92%a9")
EXPORTS: Final = [f"/api/finance/{what}" for what in ExportKind]
"""They read their parameters as the others do, and start a process each time."""
PEOPLE: Final = {"max": "/api/host", "fiona": "/api/finance"}


def status_of(url: str, token: str) -> int:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            assert "error" in json.load(refused)
            return refused.code


def test_signs_no_database_can_compare_are_refused_or_found_nowhere(database_url: str) -> None:
    period = {"from": "2026-11-17", "to": "2026-11-17"}
    tried = 0
    with running_service("--database", database_url) as service:
        for name, below in PEOPLE.items():
            command = ["user", "add", name, "--role", STAFF[name], "--password-stdin", "--database", database_url]
            subprocess.run([CASINO, *command], input=PASSWORD + "\n", text=True, check=True, timeout=30)
            body = json.dumps({"name": name, "password": PASSWORD}).encode()
            headers = {"Content-Type": "application/json"}
            signing_in = urllib.request.Request(f"{service.address}/api/login", body, headers)  # noqa: S310
            with urllib.request.urlopen(signing_in, timeout=60) as answer:  # noqa: S310
                token = json.load(answer)["token"]
            for route, described in ROUTES.items():
                method, path = route.split(" ")
                if method != "GET" or not path.startswith(below) or path in EXPORTS:
                    continue
                for sign in SIGNS:
                    for asked in described.query:
                        needed = {one.name: period[one.name] for one in described.query if one.required}
                        query = urllib.parse.urlencode({k: v for k, v in needed.items() if k != asked.name})
                        status = status_of(f"{service.address}{path}?{query}&{asked.name}={sign}", token)
                        assert status in (200, 400, 404), f"{route} {asked.name}={sign}"
                        tried += 1
                    if "{" in path:
                        asking = path.replace("{round_id}", sign)
                        assert status_of(f"{service.address}{asking}", token) == 404, f"{route} {sign}"
                        tried += 1
    assert tried > 200
