"""Back office over HTTP: the same exports as on the command line, and numbers that lead to their rows."""

from collections import defaultdict
from collections.abc import AsyncIterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application, Request
from sqlalchemy import select

from casino.bootstrap.service import build_app
from casino.finance.export_types import ExportKind, Format
from casino.finance.period import day_at
from casino.http.static_pages import Pages
from casino.settings import ServiceSettings, Settings, TableSettings
from casino.storage.database import Database
from casino.storage.schema import audit
from casino.users.passwords import Passwords
from casino.users.roles import Actor, Role
from casino.users.users import Users
from tests.finance.readers import Row, days, exported
from tests.finance.recount import by, recount

PASSWORD = "correct horse battery"  # noqa: S105
BOSS = Actor("boss", "admin")
OCTOBER = "from=2026-10-01&to=2026-10-31"
ROUTES = (
    "house overview tips refunds cashier unresolved charity balance accounts days rows postings "
    "settlements summary ledger poker_hands poker_players poker/rake "
    "poker/tournaments poker/hexapro poker/hexapro/games poker/tickets poker/held"
)

ExportedRows = dict[ExportKind, list[Row]]


class Clerk:
    """Somebody of a role, signed in."""

    def __init__(self, client: TestClient[Request, Application], token: str) -> None:
        self._client = client
        self._token = token

    async def get(self, path: str) -> Any:  # noqa: ANN401  the answer of the client
        return await self._client.get(path, headers={"Authorization": f"Bearer {self._token}"})

    async def json(self, path: str) -> Any:  # noqa: ANN401  as JSON has it
        answer = await self.get(path)
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def signed_in(client: TestClient[Request, Application], database: Database, role: Role) -> Clerk:
    name = f"Clerk {role}"
    passwords = Passwords()
    async with database.writing() as connection:
        users = Users(connection)
        if name not in {user.name for user in await users.all()}:
            hashed = await passwords.hash(PASSWORD)
            await users.add(name, role, "EUR", password_hash=hashed, by=BOSS, at_ms=1)
    passwords.close()
    answer = await client.post("/api/login", json={"name": name, "password": PASSWORD})
    return Clerk(client, (await answer.json())["token"])


@pytest.fixture
async def client(month: Database, tmp_path: Path) -> AsyncIterator[TestClient[Request, Application]]:
    settings = Settings(casino=ServiceSettings(), tables=(TableSettings(id="quiet", name="Quiet"),))
    app = build_app(settings, month, Pages(tmp_path))
    async with TestClient(TestServer(app), cookie_jar=DummyCookieJar()) as opened:
        yield opened


@pytest.fixture
async def clerk(client: TestClient[Request, Application], month: Database) -> Clerk:
    return await signed_in(client, month, Role.FINANCE)


@pytest.mark.req("SEC-9")
async def test_finance_is_for_finance_alone(client: TestClient[Request, Application], month: Database) -> None:
    manager = await signed_in(client, month, Role.MANAGER)
    for route in ROUTES.split():
        assert (await client.get(f"/api/finance/{route}?{OCTOBER}")).status == 401
        assert (await manager.get(f"/api/finance/{route}?{OCTOBER}")).status == 403


@pytest.mark.req("LED-9")
@pytest.mark.req("AUD")
async def test_export_is_the_same_as_on_the_command_line_and_is_logged(
    clerk: Clerk, month: Database, tmp_path: Path
) -> None:
    for what, format_ in ((ExportKind.SETTLEMENTS, Format.CSV), (ExportKind.SUMMARY, Format.XLSX)):
        file = await exported(month, tmp_path, what, format_, days("2026-10-01", "2026-10-07"))
        asked = f"/api/finance/{what}?from=2026-10-01&to=2026-10-07&table=&format={format_}"
        answer = await clerk.get(asked)
        assert answer.status == 200
        assert await answer.read() == file.path.read_bytes()
        assert f"{what}_2026-10-01_2026-10-07.{format_}" in answer.headers["Content-Disposition"]
        assert await clerk.json(f"{asked}&manifest=true") == file.manifest.plain
        async with month.reading() as connection:
            last = (await connection.execute(select(audit).order_by(audit.c.id.desc()).limit(1))).one()
        assert (last.actor, last.role, last.action) == ("Clerk finance", "finance", "export")
        assert file.manifest.sha256 in last.after
        assert last.request_id


@pytest.mark.parametrize(
    ("asked", "status", "message"),
    [
        ("", 400, "from: write a day like"),
        ("from=2026-10-01&to=soon", 400, "to: write a day like"),
        ("from=2026-10-02&to=2026-10-01", 400, "ends before it begins"),
        (f"{OCTOBER}&format=pdf", 400, "format: use one of csv, xlsx, parquet, json"),
        (f"{OCTOBER}&table=nowhere", 404, "There is no table 'nowhere'"),
    ],
)
async def test_invalid_queries_are_refused_with_a_reason(clerk: Clerk, asked: str, status: int, message: str) -> None:
    answer = await clerk.get(f"/api/finance/settlements?{asked}")
    assert answer.status == status
    assert message in (await answer.json())["error"]["message"]


async def test_table_that_is_configured_and_was_never_played_at_has_no_rows(clerk: Clerk) -> None:
    assert await clerk.json(f"/api/finance/ledger?{OCTOBER}&table=quiet") == {"rows": [], "totals": {}}


SHOWN_BY_BOTH = ("house_result", "tips", "cancelled", "refunded", "expected_house_result", "corrected")
SUMMED = ("staked", "returned", *SHOWN_BY_BOTH)

GROUPS = {"day": "day", "table": "table_id", "presenter": "presenter", "player": "player_id"}


@pytest.mark.parametrize("group", [*GROUPS, "week", "month"])
async def test_overview_adds_up_the_rows_it_leads_to(clerk: Clerk, exported_rows: ExportedRows, group: str) -> None:
    overview = await clerk.json(f"/api/finance/overview?from=2026-10-01&to=2026-11-30&by={group}")
    rows = [{**row, "day": f"{day_at(row['settled_at'])}"} for row in exported_rows[ExportKind.SETTLEMENTS]]
    if group in GROUPS:
        groups = {(key or "", currency): own for (key, currency), own in by(rows, GROUPS[group], "currency").items()}
        played = {(line["key"], line["currency"]): line for line in overview["rows"] if line["players"]}
        assert played.keys() == groups.keys()
        for place, own in groups.items():
            line = played[place]
            assert line["house_result"] == -sum(row["net"] for row in own)
            played_rows = [row for row in own if row["status"] != "cancelled"]
            sums = tuple(sum(row[name] for row in played_rows) for name in ("staked", "returned"))
            assert (line["turnover"], line["payout"]) == sums
            hold = round(100 * line["house_result"] / sums[0], 2) if sums[0] > 0 else None
            assert line["hold"] == hold
            first = {row["round_id"] for row in own if row["status"] in {"settled", "cancelled"}}
            assert line["rounds_ended"] == len(first)
    for total in ("turnover", "payout", "house_result", "refunded"):
        for currency, totals in overview["totals"].items():
            assert totals[total] == sum(line[total] for line in overview["rows"] if line["currency"] == currency)
    if group in {"day", "week", "month"}:
        for currency, totals in overview["totals"].items():
            lines = [line for line in overview["rows"] if line["currency"] == currency]
            assert totals["rounds_ended"] == sum(line["rounds_ended"] for line in lines), (
                "a corrected round counts once"
            )
    line = max(overview["rows"], key=lambda line: line["rounds_ended"])
    found = await clerk.json(line["rows_at"])
    behind = found["rows"]
    while found["next_page"]:
        found = await clerk.json(f"{line['rows_at']}&page={found['next_page']}")
        behind += found["rows"]
    assert -sum(row["net"] for row in behind) == line["house_result"]
    counted = (await clerk.json(f"{line['rows_at']}&status=played"))["totals"][line["currency"]]
    assert (counted["staked"], counted["returned"]) == (line["turnover"], line["payout"])
    assert {row["currency"] for row in behind} == {line["currency"]}


@pytest.mark.req("LED-9")
async def test_overview_agrees_with_the_summary_and_with_a_recount_of_the_journal(
    clerk: Clerk, month: Database, exported_rows: ExportedRows
) -> None:
    """What both show is equal; turnover, payouts and rounds ended have names of their own."""
    period = "from=2026-10-01&to=2026-11-30"
    counted = await recount(month)
    currency_of = {row["player_id"]: row["currency"] for row in exported_rows[ExportKind.SETTLEMENTS]}
    for group, column in (("day", "day"), ("table", "table_id")):
        found = (await clerk.json(f"/api/finance/overview?{period}&by={group}"))["rows"]
        lines = {(line["key"], line["currency"]): line for line in found}
        cells = by(exported_rows[ExportKind.SUMMARY], column, "currency")
        assert lines.keys() == cells.keys()
        for place, own in cells.items():
            line, sums = lines[place], {name: sum(row[name] for row in own) for name in SUMMED}
            assert {name: line[name] for name in SHOWN_BY_BOTH} == {name: sums[name] for name in SHOWN_BY_BOTH}
            assert line["turnover"] == sums["staked"] - sums["refunded"]
            assert line["payout"] == sums["returned"] - sums["refunded"]
            assert not line.keys() & {"staked", "returned", "rounds"}
    ended: dict[tuple[str, str], set[str]] = defaultdict(set)
    moved: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for round_id, player_id, status, day, amounts, *_ in counted:
        place = f"{day_at(day * 86_400_000)}", currency_of[player_id]
        if status in ("settled", "cancelled"):
            ended[place].add(round_id)
        if status != "cancelled":
            moved[place][0] += sum(amounts[:4])
            moved[place][1] += sum(amounts[4:])
    rows = (await clerk.json(f"/api/finance/overview?{period}&by=day"))["rows"]
    for line in rows:
        place = line["key"], line["currency"]
        shown = line["rounds_ended"], [line["turnover"], line["payout"]]
        assert shown == (len(ended.get(place, ())), moved.get(place, [0, 0])), place
    assert {row[2] for row in counted} == {"settled", "cancelled", "reversal", "corrected"}
    assert sum(line["turnover"] for line in rows) < sum(row["staked"] for row in exported_rows[ExportKind.SUMMARY])


async def test_tips_refunds_and_flows_are_those_of_the_ledger(clerk: Clerk, exported_rows: ExportedRows) -> None:
    ledger, settled = exported_rows[ExportKind.LEDGER], exported_rows[ExportKind.SETTLEMENTS]
    period = "from=2026-10-01&to=2026-11-30"
    tips = (await clerk.json(f"/api/finance/tips?{period}"))["rows"]
    given = by([row for row in ledger if row["kind"] == "tip"], "destination")
    assert {(f"presenter:{tip['presenter_id']}:tips:{tip['currency']}",): tip["amount"] for tip in tips} == {
        jar: sum(row["amount"] for row in rows) for jar, rows in given.items()
    }
    behind = await clerk.json(tips[0]["rows_at"])
    assert sum(row["amount"] for row in behind["rows"]) == tips[0]["amount"]
    assert {row["actor_name"] for row in behind["rows"]} == {row["source_owner"] for row in behind["rows"]} != {None}
    refunds = (await clerk.json(f"/api/finance/refunds?{period}"))["rows"]
    cancelled = by([row for row in settled if row["status"] == "cancelled"], "round_id", "currency")
    assert {(one["round_id"], one["currency"]): one["refunded"] for one in refunds} == {
        place: sum(row["returned"] for row in rows) for place, rows in cancelled.items()
    }
    assert {one["reason"] for one in refunds} == {"@misdeal"}
    flows = (await clerk.json(f"/api/finance/cashier?{period}"))["flows"]
    for kind in ("deposit", "withdrawal", "payout", "credit"):
        moved = sum(row["amount"] for row in ledger if row["kind"] == kind)
        assert sum(flow["amount"] for flow in flows if flow["kind"] == kind) == moved > 0


async def verify_statement(clerk: Clerk, account: str) -> None:
    """Every posting of the account changes its balance by its amount, and the last leads to the present balance."""
    route = f"/api/finance/postings?from=1970-01-01&to=9998-12-31&account={account}"
    found = await clerk.json(route)
    rows, totals = found["rows"], found["totals"]["EUR"]
    while found["next_page"]:
        found = await clerk.json(f"{route}&page={found['next_page']}")
        assert found["totals"] == {"EUR": totals}
        rows += found["rows"]
    changes = [row["amount"] if row["destination"] == account else -row["amount"] for row in rows]
    assert [row["change"] for row in rows] == changes
    assert [row["balance"] for row in rows] == list(accumulate(changes))
    listed = (await clerk.json(f"/api/finance/accounts?kind={account.split(':', maxsplit=1)[0]}&currency=EUR"))["rows"]
    (balance,) = (one["balance"] for one in listed if one["account"] == account)
    assert balance == rows[-1]["balance"] == totals["balance"]
    assert (totals["in"] - totals["out"], totals["rows"]) == (totals["balance"], len(rows))
    later = await clerk.json(f"/api/finance/postings?from=2026-10-15&to=2026-10-20&account={account}")
    known = {(row["operation_id"], row["line"]): row["balance"] for row in rows}
    assert later["rows"]
    assert all(row["balance"] == known[row["operation_id"], row["line"]] for row in later["rows"])


async def test_accounts_behind_a_line_of_the_trial_balance_add_up_to_it(clerk: Clerk) -> None:
    for line in (await clerk.json("/api/finance/balance"))["rows"]:
        found: dict[str, Any] = {"next_page": 0}
        behind: list[dict[str, Any]] = []
        while found["next_page"] is not None:
            asked = f"kind={line['kind']}&currency={line['currency']}&page={found['next_page']}"
            found = await clerk.json(f"/api/finance/accounts?{asked}")
            behind += found["rows"]
        sums = (len(behind), sum(one["balance"] for one in behind), sum(one["held"] for one in behind))
        assert sums == (line["accounts"], line["balance"], line["held"])
    player = next(one for one in (await clerk.json("/api/finance/accounts?kind=player"))["rows"] if one["balance"])
    owner = player["account"].split(":")[1]
    assert player["owner"]
    in_euro = (await clerk.json("/api/finance/accounts?kind=player&currency=EUR"))["rows"][0]
    for account in (in_euro["account"], "house:EUR", "cashier:EUR"):
        await verify_statement(clerk, account)
    assert (await clerk.json(f"/api/finance/accounts?owner={owner}"))["rows"] == [player]


async def test_back_office_lists_tables_and_currencies(clerk: Clerk) -> None:
    house = await clerk.json("/api/finance/house")
    assert house.pop("server_time") > 0
    assert house == {"tables": ["quiet"], "play_currency": "FUN", "currency": "EUR"}


async def test_trial_balance_is_zero_in_every_currency_and_nothing_is_unresolved(clerk: Clerk) -> None:
    balance = await clerk.json("/api/finance/balance")
    assert balance["totals"] == {"EUR": 0, "FUN": 0}
    assert {row["kind"] for row in balance["rows"]} >= {"player", "house", "escrow", "tips", "cashier"}
    assert await clerk.json("/api/finance/unresolved") == {"rows": []}
    assert await clerk.json("/api/finance/charity") == {"balances": {}, "rows": []}


async def test_round_file_is_given_to_finance_as_json_and_as_a_page(clerk: Clerk, exported_rows: ExportedRows) -> None:
    round_id = exported_rows[ExportKind.SETTLEMENTS][0]["round_id"]
    file = await clerk.json(f"/api/finance/rounds/{round_id}")
    assert file["round"]["round_id"] == round_id
    page = await clerk.get(f"/api/finance/rounds/{round_id}?format=html")
    assert page.content_type == "text/html"
    assert round_id in await page.text()
    for wrong in ("nope", "%00", "x" * 50):
        assert (await clerk.get(f"/api/finance/rounds/{wrong}")).status == 404
    assert (await clerk.get(f"/api/finance/rounds/{round_id}?format=pdf")).status == 400


@pytest.mark.parametrize("asked", ["player=%00", "presenter=%0A", "page=-1", "page=x", "account=%00"])
async def test_rows_that_cannot_be_asked_for_are_refused(clerk: Clerk, asked: str) -> None:
    for route in ("rows", "postings"):
        assert (await clerk.get(f"/api/finance/{route}?{OCTOBER}&{asked}")).status == 400
    assert (await clerk.get(f"/api/finance/rows?{OCTOBER}&table=%00")).status == 404
