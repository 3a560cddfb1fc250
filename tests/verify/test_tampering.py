"""Tampering with any field of any row: verification finds it and names the row."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from sqlalchemy import Table, literal_column

from casino.storage import schema
from tests.deep import DEEP
from tests.verify.tampering import Tamperer, names, other_values

TABLES = [
    schema.operations,
    schema.postings,
    schema.journal,
    schema.audit,
    schema.accounts,
    schema.holds,
    schema.rounds,
    schema.seats,
    schema.chains,
    schema.payments,
    schema.settlements,
    schema.settled_hands,
    schema.settled_seats,
]
KINDS = {
    "operations": ("kind",),
    "postings": ("operation_kind", "line"),
    "journal": ("kind",),
    "audit": ("action",),
    "accounts": ("kind",),
    "holds": ("status",),
    "rounds": ("status",),
    "seats": ("currency",),
    "chains": ("seq",),
    "payments": ("kind", "status"),
    "settlements": ("status",),
    "settled_hands": ("result",),
    "settled_seats": ("automatic",),
}
"""The columns whose values make rows different enough to be tried each."""

FIELDS_APART: Final = 3
Row = dict[str, Any]

UNCOVERED = {
    "journal": {"signature"},  # these books are not signed: `test_signatures.py` has books that are
    "audit": {"signature"},
    "rounds": {"presenter", "sealed_shoe"},  # who was on shift and the sealed deck: no money follows from them
    "holds": {"at_ms", "at_risk"},  # when a bet was last changed, and the amount at risk for limits
    "chains": {
        "writes",
        "signature",
    },  # how many transactions there were: it guards against a second writer, not the rows
    # How it was asked for and answered: nothing in the ledger follows from that.
    "payments": {"key", "reason", "reference", "asked_ms", "tries", "retry_ms", "balance", "available"},
}
RELEASED_UNCOVERED = {"amount", "round_id"}  # of a hold that went back, nothing follows any more

STRANGE: Final = ("x'fffe'", "CAST(x'fffe' AS TEXT)", "'abc'", "1.5")
"""Values of another type than that of any column."""

UNMOVED = {("deposit", "pending"), ("deposit", "failed")}  # payments of which the ledger knows nothing


async def sample(tamperer: Tamperer, table: Table) -> list[Row]:
    """Returns one row of each kind, and the first and the last; all rows in `make test-deep`."""
    rows = await tamperer.rows(table)
    if DEEP:
        return rows
    kinds = {row["id"]: row["kind"] for row in await tamperer.rows(schema.operations)}
    chosen = {}
    for row in reversed(rows):
        details = {**row, "operation_kind": kinds.get(row.get("operation_id"))}
        chosen[tuple(details[name] for name in KINDS[table.name])] = row
    return [row for row in rows if row in (rows[0], rows[-1], *chosen.values())]


def labels(table: Table, row: dict[str, Any]) -> list[str]:
    """What a fault may call the row; for some, the row that it makes wrong."""
    match table.name:
        case "operations":
            return [f"operation {row['id']}"]
        case "postings":
            return [f"posting {row['operation_id']}/{row['line']}"]
        case "journal":
            return [f"journal row {row['table_id']}/{row['seq']}"]
        case "audit":
            return [f"audit row {row['id']}"]
        case "accounts":
            return [f"account {row['id']}"]
        case "holds":
            return [f"hold {row['round_id']}/{row['player_id']}", f"account {row['account']}"]
        case "rounds":
            return [f"round {row['id']}"]
        case "payments":
            return [f"payment {row['id']}", f"payment:{row['id']}"]
        case "seats":
            return [f"seat {row['round_id']}/{row['player_id']}"]
        case "settlements" | "settled_hands" | "settled_seats":
            part = {"settlements": "", "settled_hands": ", hand {seat_no}", "settled_seats": ", seat {player_id}"}
            return [f"settlement {row['operation_id']}{part[table.name].format_map(row)}"]
        case _:
            return [row["name"].replace("journal:", "journal row "), f"{row['name']} row", f"chain {row['name']}"]


async def loose_operations(tamperer: Tamperer) -> set[int]:
    """Those whose postings no journal tells: where there are several, the operation is all that can be named."""
    rows = await tamperer.rows(schema.operations)
    return {row["id"] for row in rows if row["round_id"] in (None, "forfeited")}


def is_covered(table: Table, name: str, row: dict[str, Any]) -> bool:
    if table.name == "payments" and (row["kind"], row["status"]) in UNMOVED and name != "status":
        return False
    if table.name == "holds" and row["status"] == "released" and name in RELEASED_UNCOVERED:
        return False
    return name not in UNCOVERED.get(table.name, ())


def trials(
    tamperer: Tamperer, table: Table, sampled: list[Row], rows: list[Row], changed: set[str]
) -> Iterator[tuple[Row, str, Any]]:
    """Yields row, field and its new value: on SQLite all values in the first row and every third field of the others,
    on PostgreSQL each field until one change of it is accepted. `make test-deep` tries everything on both.
    """
    for number, row in enumerate(sampled):
        for place, name in enumerate(name for name in row if is_covered(table, name, row)):
            values = other_values(table, name, row, rows)
            if not DEEP and tamperer.is_sqlite and number and name != "status" and table is not schema.payments:
                values = [] if (number + place) % FIELDS_APART else values[:1]
            for value in values:
                if DEEP or tamperer.is_sqlite or name not in changed:
                    yield row, name, value


@pytest.mark.req("AUD")
@pytest.mark.req("LED-3")
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
async def test_every_changed_field_is_found_and_its_row_named(house_url: str, table: Table) -> None:
    missed: list[object] = []
    changed: set[str] = set()
    async with Tamperer.at(house_url) as tamperer:
        rows, loose = await tamperer.rows(table), await loose_operations(tamperer)
        for row, name, value in trials(tamperer, table, await sample(tamperer, table), rows, changed):
            findings = await tamperer.verify_changed(table, row, {name: value})
            if findings is None:
                continue
            changed.add(name)
            accepted = labels(table, row) + labels(table, {**row, name: value})
            if table is schema.postings and row["operation_id"] in loose:
                accepted.append(f"operation {row['operation_id']}")
            if findings.is_ok or not names(findings, *accepted):
                missed.append((row, name, value, [check.faults for check in findings.checks if check.faults]))
        assert (await tamperer.verify()).is_ok
    assert missed == []
    assert changed == {column.name for column in table.columns} - UNCOVERED.get(table.name, set())


@pytest.mark.req("AUD")
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
async def test_every_deleted_row_is_missed(house_url: str, table: Table) -> None:
    kept_quiet = []
    async with Tamperer.at(house_url) as tamperer:
        for row in await sample(tamperer, table):
            if table is schema.holds and row["status"] == "released":
                continue
            if table is schema.payments and (row["kind"], row["status"]) in UNMOVED:
                continue
            async with tamperer.undone():
                await tamperer.delete(table, row)
                findings = await tamperer.verify()
            if findings.is_ok or not names(findings, *traces(table, row)):
                kept_quiet.append((row, [check.faults for check in findings.checks if check.faults]))
    assert kept_quiet == []


def traces(table: Table, row: dict[str, Any]) -> list[str]:
    """Traces of a deleted row: its own name, or that of a neighbouring or dependent row."""
    match table.name:
        case "operations":
            return [f"posting {row['id']}/0"]
        case "postings":
            return [*labels(table, row), f"operation {row['operation_id']}"]
        case "journal":
            table_id, seq = row["table_id"], row["seq"]
            return [f"row {seq} should be here", f"journal row {table_id}/{seq - 1}", f"chain journal:{table_id}"]
        case "audit":
            return [f"row {row['id']} should be here", f"audit row {row['id'] - 1}"]
        case "accounts":
            return [f"there is no account {row['id']}", f"player {row['id'][7:-5]}"]
        case "payments":
            return [f"payment:{row['id']}"]
        case "rounds":
            return [f"there is no round {row['id']}"]
        case _:
            return labels(table, row)


@pytest.mark.parametrize("value", STRANGE)
async def test_values_of_another_type_are_found(house_url: str, value: str) -> None:
    """SQLite keeps what it is given; verification says what is wrong instead of breaking off.

    Every field has one of the values in turn, in `make test-deep` all of them.
    """
    fields: list[tuple[Table, Row, str]] = []
    missed = []
    async with Tamperer.at(house_url) as tamperer:
        if not tamperer.is_sqlite:
            pytest.skip("PostgreSQL refuses values of another type")
        for table in TABLES:
            rows = await tamperer.rows(table)
            for row in rows if DEEP else (rows[0], rows[-1]):
                fields += [(table, row, name) for name in row if is_covered(table, name, row)]
        for table, row, name in fields if DEEP else fields[STRANGE.index(value) :: len(STRANGE)]:
            findings = await tamperer.verify_changed(table, row, {name: literal_column(value)})
            if findings is not None and findings.is_ok:
                missed.append((table.name, row, name))
    assert missed == []
