"""Proposals about settled rounds and requests of finance, changed directly in the database."""

from typing import Any

import pytest
from sqlalchemy import Table, delete, select, update

from casino.live_table import corrections
from casino.live_table.messages import CorrectSettled
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.verify.verifier import verify
from tests.finance.test_requests import Office, office  # noqa: F401  a fixture
from tests.live_table.live import table_settings
from tests.live_table.test_console import PROPOSAL, console_of, settled
from tests.uth.tabletop import NOON_MS

pytestmark = [pytest.mark.req("AUD")]


async def faults(database: Database) -> list[str]:
    return (await verify(database)).second_person.faults


async def add_person(database: Database, name: str, role: Role) -> str:
    async with database.writing() as connection:
        by = Actor("test", "test")
        return (await Users(connection).add(name, role, "EUR", password_hash=None, by=by, at_ms=NOON_MS)).id


async def change(database: Database, table: Table, id_: str, **values: Any) -> None:  # noqa: ANN401
    async with database.writing() as connection:
        await connection.execute(update(table).where(table.c.id == id_).values(**values))


async def test_changed_rows_of_corrections_are_found(database: Database) -> None:
    _table, staff = await settled(database)
    mona = await add_person(database, "mona", Role.MANAGER)
    async with database.writing() as connection:
        refused = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS)
        await corrections.reject(connection, refused, staff["fiona"], "Not on video", NOON_MS + 1)
        open_ = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS + 2)
        approved = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS + 3)
    console = await console_of(database, table_settings())
    await console.correct(CorrectSettled(approved, staff["fiona"], "Seen"), NOON_MS + 4)
    assert await faults(database) == []
    max_, fiona = staff["max"].id, staff["fiona"].id
    changes: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        (approved, {"decided_by": mona}, {"decided_by": fiona}),
        (approved, {"proposed_by": mona}, {"proposed_by": max_}),
        (approved, {"remark": "Nobody looked"}, {"remark": "Seen"}),
        (approved, {"reason": "No reason"}, {"reason": PROPOSAL.reason}),
        (approved, {"decided_ms": NOON_MS + 9}, {"decided_ms": NOON_MS + 4}),
        (approved, {"cards": '{"river": "4c"}'}, {"cards": '{"dealer_1": "8h", "dealer_2": "9d"}'}),
        (refused, {"decided_by": mona}, {"decided_by": fiona}),
        (refused, {"status": "approved"}, {"status": "rejected"}),
        (open_, {"proposed_by": mona}, {"proposed_by": max_}),
        (open_, {"proposed_ms": NOON_MS}, {"proposed_ms": NOON_MS + 2}),
        (
            open_,
            {"status": "rejected", "decided_by": fiona, "decided_ms": 1},
            {"status": "open", "decided_by": None, "decided_ms": None},
        ),
    ]
    for id_, wrong, right in changes:
        await change(database, schema.corrections, id_, **wrong)
        found = await faults(database)
        assert any(id_ in fault for fault in found), (wrong, found)
        await change(database, schema.corrections, id_, **right)
        assert await faults(database) == []
    async with database.writing() as connection:
        await connection.execute(delete(schema.corrections).where(schema.corrections.c.id == refused))
    assert len(await faults(database)) == 2, "the proposal and its rejection"


async def test_changed_rows_of_finance_requests_are_found(office: Office) -> None:  # noqa: F811
    database = office.database
    mona = await add_person(database, "mona", Role.FINANCE)
    credit = (await office.request("Fay", "credit", "Ann", 20_000))[1]["id"]
    assert (await office.approve("Fred", credit))[0] == 200
    refused = (await office.request("Fay", "credit", "Ann", 30_000))[1]["id"]
    assert (await office.ask("Fred", f"requests/{refused}/reject", {"reason": "Too much"}))[0] == 200
    open_ = (await office.request("Fay", "credit", "Ann", 40_000))[1]["id"]
    assert await faults(database) == []
    async with database.reading() as connection:
        fay, fred = [(await Users(connection).named(name)).id for name in ("Fay", "Fred")]
    changes: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        (credit, {"decided_by": mona}, {"decided_by": fred}),
        (credit, {"requested_by": mona}, {"requested_by": fay}),
        (credit, {"kind": "write_off"}, {"kind": "credit"}),
        (refused, {"decided_by": mona}, {"decided_by": fred}),
        (refused, {"status": "approved"}, {"status": "rejected"}),
        (open_, {"requested_by": mona}, {"requested_by": fay}),
        (open_, {"details": '{"amount_minor": 1}'}, {}),
    ]
    for id_, wrong, right in changes:
        await change(database, schema.finance_requests, id_, **wrong)
        found = await faults(database)
        assert any(id_ in fault for fault in found), (wrong, found)
        if right:
            await change(database, schema.finance_requests, id_, **right)
            assert await faults(database) == []


async def test_request_changed_for_its_approval_and_changed_back_is_found(office: Office) -> None:  # noqa: F811
    """The approver saw, and gave, another amount than was requested."""
    database = office.database
    credit = (await office.request("Fay", "credit", "Ann", 20_000))[1]["id"]
    async with database.reading() as connection:
        query = select(schema.finance_requests.c.details).where(schema.finance_requests.c.id == credit)
        requested = await connection.scalar(query)
    assert requested is not None
    await change(database, schema.finance_requests, credit, details=requested.replace("20000", "90000"))
    assert (await office.approve("Fred", credit))[0] == 200
    await change(database, schema.finance_requests, credit, details=requested)
    [fault] = await faults(database)
    assert fault.startswith(f"request {credit}: ")


async def test_correction_changed_for_its_approval_and_changed_back_is_found(database: Database) -> None:
    _table, staff = await settled(database)
    async with database.writing() as connection:
        id_ = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS)
    await change(database, schema.corrections, id_, cards='{"dealer_1": "8h", "dealer_2": "9d", "river": "4c"}')
    console = await console_of(database, table_settings())
    await console.correct(CorrectSettled(id_, staff["fiona"], "Seen"), NOON_MS + 4)
    await change(database, schema.corrections, id_, cards='{"dealer_1": "8h", "dealer_2": "9d"}')
    [fault] = await faults(database)
    assert fault == f"correction {id_}: the journal of round r1 has no such correction of cards"
