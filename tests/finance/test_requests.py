"""Decisions of finance by two people: debts, credits, the day close and the month lock, over HTTP on both databases."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application, Request
from sqlalchemy import select, update

from casino.bootstrap.service import build_app
from casino.http.static_pages import Pages
from casino.ledger import receivables
from casino.ledger.accounts import held, house, player_cash
from casino.ledger.accounts import receivable as receivable_account
from casino.ledger.book import Book
from casino.ledger.posting import Operation, move
from casino.ledger.receivables import Debt
from casino.settings import ServiceSettings, Settings
from casino.settings.service import Cashier
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.tournament_schema import tickets
from casino.users.credit import Credit, give_credit
from casino.users.passwords import Passwords
from casino.users.roles import Actor, Role
from casino.users.users import User, Users
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import balances

PASSWORD = "correct horse battery"  # noqa: S105
BOSS = Actor("boss", "admin")
OCTOBER_30_MS = 1_793_318_400_000


class Office:
    """A service with two people of finance, Fay and Fred, and a player, Ann."""

    def __init__(self, client: TestClient[Request, Application], database: Database) -> None:
        self.client = client
        self.database = database
        self.tokens: dict[str, str] = {}
        self.ann: User

    async def add(self, name: str, role: Role) -> User:
        passwords = Passwords()
        hashed = await passwords.hash(PASSWORD)
        passwords.close()
        async with self.database.writing() as connection:
            user = await Users(connection).add(name, role, "EUR", password_hash=hashed, by=BOSS, at_ms=OCTOBER_30_MS)
        answer = await self.client.post("/api/login", json={"name": name, "password": PASSWORD})
        self.tokens[name] = (await answer.json())["token"]
        return user

    async def ask(self, name: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        method = "GET" if body is None else "POST"
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        answer = await self.client.request(method, f"/api/finance/{path}", headers=headers, json=body)
        return answer.status, await answer.json()

    async def request(self, name: str, kind: str, target: str, amount: int | None = None) -> tuple[int, Any]:
        body = {"kind": kind, "target": target, "reason": "as agreed"}
        return await self.ask(name, "requests", body | ({} if amount is None else {"amount": amount}))

    async def approve(self, name: str, id_: str) -> tuple[int, Any]:
        return await self.ask(name, f"requests/{id_}/approve", {})


@pytest.fixture
async def office(database: Database, tmp_path: Path) -> AsyncIterator[Office]:
    service = ServiceSettings().model_copy(update={"cashier": Cashier(provider="embedded", credit_alone_max=10_000)})
    app = build_app(Settings(casino=service, tables=()), database, Pages(tmp_path))
    async with TestClient(TestServer(app), cookie_jar=DummyCookieJar()) as client:
        office = Office(client, database)
        office.ann = await office.add("Ann", Role.PLAYER)
        for name in ("Fay", "Fred"):
            await office.add(name, Role.FINANCE)
        await office.add("Max", Role.MANAGER)
        yield office


async def owing(office: Office, amount: int, *, has: int) -> None:
    """Ann owes this much, as after a correction, and has some money."""
    debt = Debt(office.ann.id, "EUR", amount)
    made = receivables.operation(receivables.ADVANCE, f"r1:1:{office.ann.id}", debt, "mia", "misread")
    cash, bank = player_cash(office.ann.id, "EUR"), house("EUR")
    spent = Operation("spent", "settle", (move(amount - has, cash, bank),), "system")
    async with office.database.writing() as connection:
        book = Book(connection)
        await book.open_accounts([receivable_account(office.ann.id, "EUR"), bank])
        await book.post(made, OCTOBER_30_MS)
        await book.post(spent, OCTOBER_30_MS)


async def owed(office: Office) -> tuple[int, int]:
    found = await balances(office.database)
    return found[f"receivable:{office.ann.id}:EUR"].balance, found[f"player:{office.ann.id}:cash"].balance


@pytest.mark.req("LED-7")
async def test_debt_is_netted_or_written_off_by_two_people(office: Office) -> None:
    await owing(office, 900, has=500)
    [row] = (await office.ask("Fay", "receivables"))[1]["rows"]
    assert (row["player"], row["owed"], row["available"]) == ("Ann", 900, 500)
    status, refused = await office.request("Fay", "recovery", "Ann", 501)
    assert status == 409
    assert "5.00 EUR available" in refused["error"]["message"]
    assert (await office.request("Fay", "write_off", "Ann", 901))[0] == 400
    netted = (await office.request("Fay", "recovery", "Ann", 500))[1]["id"]
    assert (await office.request("Fred", "recovery", "Ann", 500))[0] == 409, "it waits already"
    assert (await office.approve("Fay", netted))[0] == 403, "not the own request"
    assert await owed(office) == (-900, 500)
    answers = await asyncio.gather(*(office.approve("Fred", netted) for _ in range(4)))
    assert sorted(status for status, _ in answers) == [200, 409, 409, 409]
    assert await owed(office) == (-400, 0)
    off = (await office.request("Fred", "write_off", "Ann", 400))[1]["id"]
    assert (await office.approve("Fay", off))[0] == 200
    assert await owed(office) == (0, 0)
    assert (await office.ask("Fay", "receivables"))[1]["rows"] == []
    listed = (await office.ask("Fay", "requests"))[1]["requests"]
    assert [(one["status"], one["requested_by"], one["decided_by"]) for one in listed] == [
        ("approved", "Fred", "Fay"),
        ("approved", "Fay", "Fred"),
    ]


async def test_money_spent_between_request_and_approval_is_not_taken(office: Office) -> None:
    await owing(office, 900, has=500)
    netted = (await office.request("Fay", "recovery", "Ann", 500))[1]["id"]
    async with office.database.writing() as connection:
        cash = schema.accounts
        await connection.execute(cash.update().where(cash.c.id == f"player:{office.ann.id}:cash").values(held=400))
    status, refused = await office.approve("Fred", netted)
    assert (status, refused["error"]["code"]) == (409, "insufficient_funds")
    assert (await office.ask("Fay", f"requests/{netted}/reject", {"reason": "spent"}))[0] == 200
    assert (await office.approve("Fred", netted))[0] == 409


@pytest.mark.req("LED-1")
async def test_credit_above_the_limit_needs_two_people_and_the_cashier_stays_untouched(office: Office) -> None:
    assert (await office.request("Fay", "credit", "Ann", 10_000))[1]["done"] is True
    status, asked = await office.request("Fay", "credit", "Ann", 10_001)
    assert (status, asked["done"]) == (200, False)
    assert (await office.approve("Max", asked["id"]))[0] == 403
    assert (await office.approve("Fay", asked["id"]))[0] == 403
    found = await balances(office.database)
    assert found[f"player:{office.ann.id}:cash"].balance == 10_000
    assert (await office.approve("Fred", asked["id"]))[0] == 200
    assert (await office.approve("Fred", asked["id"]))[0] == 409
    found = await balances(office.database)
    assert (found["credit:EUR"].balance, "cashier:EUR" in found) == (-20_001, False)
    findings = await verify(office.database)
    assert findings.is_ok, [check.faults for check in findings.checks]
    assert findings.credits.counted == 2


@pytest.mark.req("AUD")
async def test_days_close_in_order_by_two_people_and_then_their_month_locks(office: Office) -> None:
    async with office.database.writing() as connection:
        await give_credit(connection, office.ann, Credit(500, "Welcome", "k1"), BOSS, OCTOBER_30_MS)
    reply = (await office.ask("Fay", "open-days"))[1]
    assert [day["day"] for day in reply["days"]][:3] == ["2026-10-30", "2026-10-31", "2026-11-01"]
    assert [day["next"] for day in reply["days"]][:2] == [True, False]
    status, refused = await office.request("Fay", "day_close", "2026-10-31")
    assert (status, refused["error"]["message"]) == (409, "Days close in order. Close 2026-10-30 first.")
    assert (await office.request("Fay", "month_lock", "2026-10"))[0] == 409
    for day in ("2026-10-30", "2026-10-31"):
        id_ = (await office.request("Fay", "day_close", day))[1]["id"]
        assert (await office.approve("Fay", id_))[0] == 403
        assert (await office.approve("Fred", id_))[0] == 200
    rows = (await office.ask("Fay", "days"))[1]["rows"]
    assert [(row["day"], row["by"], row["confirmed_by"]) for row in rows] == [
        ("2026-10-30", "Fay", "Fred"),
        ("2026-10-31", "Fay", "Fred"),
    ]
    month = (await office.request("Fred", "month_lock", "2026-10"))[1]["id"]
    assert (await office.approve("Fay", month))[0] == 200
    reply = (await office.ask("Fay", "open-days"))[1]
    assert [(one["month"], one["by"], one["confirmed_by"]) for one in reply["months"]] == [("2026-10", "Fred", "Fay")]
    assert reply["days"][0]["day"] == "2026-11-01"
    async with office.database.reading() as connection:
        query = select(schema.audit.c.action).where(schema.audit.c.action.in_(["day_closed", "month_locked"]))
        found = (await connection.execute(query.order_by(schema.audit.c.id))).scalars().all()
    assert found == ["day_closed", "day_closed", "month_locked"]


async def hold(office: Office, tournament_id: str, amount: int) -> None:
    """A prize of Ann that the house holds."""
    async with office.database.writing() as connection:
        book, account = Book(connection), held(tournament_id, office.ann.id, "EUR")
        await book.open_accounts([house("EUR"), account])
        await book.post(Operation(f"held:{tournament_id}", "test", (move(amount, house("EUR"), account),), "test"), 1)


async def test_a_held_prize_is_paid_or_given_away_by_two_people(office: Office) -> None:
    await hold(office, "mtt-1", 700)
    await hold(office, "mtt-2", 300)
    body = {"kind": "prize_release", "target": "Ann", "reason": "cleared"}
    assert (await office.ask("Fay", "requests", body))[0] == 400, "no tournament is named"
    assert (await office.ask("Fay", "requests", body | {"tournament": "mtt-3"}))[0] == 400, "nothing is held there"
    paid = (await office.ask("Fay", "requests", body | {"tournament": "mtt-1"}))[1]["id"]
    given = body | {"kind": "prize_charity", "tournament": "mtt-2", "reason": "collusion"}
    away = (await office.ask("Fay", "requests", given))[1]["id"]
    assert (await office.approve("Fay", paid))[0] == 403, "not the own request"
    assert [(await office.approve("Fred", one))[0] for one in (paid, away, paid)] == [200, 200, 409]
    found = await balances(office.database)
    assert found[f"player:{office.ann.id}:cash"].balance == 700
    assert found["charity:EUR"].balance == 300
    assert found[f"held:mtt-1:{office.ann.id}"].balance == found[f"held:mtt-2:{office.ann.id}"].balance == 0
    assert (await verify(office.database)).is_ok


async def test_a_ticket_is_issued_by_one_or_two_people(office: Office) -> None:
    body = {"kind": "ticket", "target": "Ann", "reason": "a prize"}
    assert (await office.ask("Fay", "requests", body))[0] == 400, "no amount"
    small = body | {"amount": 1_000, "key": "raffle-1"}
    assert [(await office.ask("Fay", "requests", small))[1]["done"] for _ in range(2)] == [True, True]
    status, large = await office.ask("Fay", "requests", body | {"amount": 10_001})
    assert (status, large["done"]) == (200, False)
    assert (await office.approve("Fay", large["id"]))[0] == 403, "not the own request"
    assert [(await office.approve("Fred", large["id"]))[0] for _ in range(2)] == [200, 409]
    assert (await office.ask("Fay", "requests", body | {"target": "Max", "amount": 500}))[0] == 403, "not a player"
    listed = (await office.ask("Fay", "poker/tickets"))[1]
    assert sorted((row["player"], row["value"], row["origin"]) for row in listed["rows"]) == [
        ("Ann", 1_000, "promotion"),
        ("Ann", 10_001, "promotion"),
    ]
    assert listed["totals"]["EUR"]["value"] == listed["totals"]["EUR"]["balance"] == 11_001
    found = await balances(office.database)
    assert (found["promo:EUR"].balance, found["tickets:EUR"].balance) == (-11_001, 11_001)
    assert (await verify(office.database)).is_ok
    async with office.database.writing() as connection:
        await connection.execute(update(tickets).where(tickets.c.value == 1_000).values(player_id="somebody"))
    assert not (await verify(office.database)).tournaments.is_ok


async def test_finance_does_not_decide_about_tournaments(office: Office) -> None:
    for kind in ("tournament_create", "tournament_change"):
        status, answer = await office.ask("Fay", "requests", {"kind": kind, "target": "mtt-1", "reason": "a feast"})
        assert status == 400
        assert "host console" in answer["error"]["message"]
