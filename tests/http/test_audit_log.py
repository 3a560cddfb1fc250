"""Audit log routes: authorization, search and download, with bounded cost and without spreadsheet formulas."""

import asyncio
import csv
import io
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp.web import Application

from casino.audit import log as audit_log
from casino.bootstrap.service import build_app
from casino.clock import wall_clock
from casino.http import audit_log as routes
from casino.http.host import HostRoutes, StaffMember
from casino.http.static_pages import Pages
from casino.settings import Settings
from casino.storage.database import Database
from casino.users.roles import Role
from casino.wire.floor import FloorTable
from tests.http.conftest import Asker

pytestmark = pytest.mark.req("AUD")

FORMULA = '=HYPERLINK("http://evil","x")'


class EmptyFloor:
    def floor(self) -> list[FloorTable]:
        return []

    def staff(self) -> list[StaffMember]:
        return []

    async def store_chat(self) -> None:
        pass

    def muted(self, table_id: str) -> list[str]:  # noqa: ARG002
        return []


@pytest.fixture
def app_on(settings: Settings, dist: Path) -> Callable[[Database], Application]:
    """With the routes of staff, without tables."""

    def build(database: Database) -> Application:
        app = build_app(settings, database, Pages(dist))
        routes.AuditRoutes(database, "EUR", wall_clock).add_to(app)
        HostRoutes(database, EmptyFloor(), settings).add_to(app)
        return app

    return build


async def note(database: Database, *reasons: str) -> None:
    async with database.writing() as connection:
        for reason in reasons:
            said = {"text": "\t@SUM(1)", "minutes": 5}
            entry = audit_log.Entry("Max", "manager", "chat_muted", "user nobody", reason, after=said)
            await audit_log.write(connection, entry, 5)


async def manager_of(asker: Asker) -> str:
    await asker.add("Max", Role.MANAGER)
    return await asker.token_of("Max")


@pytest.mark.req("SEC")
async def test_only_managers_and_finance_read_and_download_the_log(one_asker: Asker) -> None:
    wanted = {Role.PRESENTER: 403, Role.ADMIN: 403, Role.FINANCE: 200, Role.MANAGER: 200}
    tokens = {await one_asker.guest(): 403}
    for role, status in wanted.items():
        await one_asker.add(f"One {role}", role)
        tokens[await one_asker.token_of(f"One {role}")] = status
    for path in ("/api/host/audit", "/api/host/audit.csv"):
        assert (await one_asker.get(path)).status == 401
        for token, status in tokens.items():
            assert (await one_asker.get(path, token)).status == status, path


@pytest.mark.req("SEC-6")
async def test_downloaded_log_holds_no_formula_and_the_download_is_logged(asker: Asker) -> None:
    manager = await manager_of(asker)
    await note(asker.database, FORMULA, "He said;-1+1", "a|@x")
    answer = await asker.get("/api/host/audit.csv?action=chat_muted", manager)
    assert answer.status == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="audit_log.csv"'
    rows = list(csv.DictReader(io.StringIO(await answer.text(), newline="")))
    assert [row["reason"] for row in rows] == ["a|'@x", "He said;'-1+1", f"'{FORMULA}"]
    assert all("@" not in row["after"].replace("'@", "") for row in rows)
    page = await (await asker.get("/api/host/audit?action=audit_export", manager)).json()
    assert [(row["actor"], row["after"]) for row in page["rows"]] == [("Max", {"rows": 3})]


@pytest.mark.req("SEC")
async def test_download_lets_others_in_between(one_asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    """No bet waits for more than a few rows of a long log."""
    rows, turn, cells = 450, 0, Counter[int]()
    manager = await manager_of(one_asker)
    await note(one_asker.database, *["A card fell."] * rows)

    async def count_turns() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    def counted(text: str) -> str:
        cells[turn] += 1
        return text

    monkeypatch.setattr(routes, "neutralize_formulas", counted)
    counting = asyncio.create_task(count_turns())
    answer = await one_asker.get("/api/host/audit.csv?action=chat_muted", manager)
    counting.cancel()
    assert len((await answer.text()).splitlines()) == rows + 1
    assert cells.total() == rows * 15
    assert max(cells.values()) <= 200 * 15


@pytest.mark.req("SEC")
async def test_search_has_a_bounded_number_of_words(one_asker: Asker) -> None:
    manager = await manager_of(one_asker)
    for path in ("/api/host/audit?words=", "/api/host/audit.csv?words=", "/api/host/chat?text="):
        assert (await one_asker.get(path + "+".join("ab" * 5), manager)).status == 200
        answer = await one_asker.get(path + "+".join("abcdefghijk"), manager)
        assert answer.status == 400
        assert "at most 10 words" in (await answer.json())["error"]["message"]
