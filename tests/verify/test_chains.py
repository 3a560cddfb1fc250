"""Hash chains with rows inserted, removed or exchanged."""

from typing import Any

import pytest
from sqlalchemy import Table

from casino.storage import schema
from casino.storage.hash_chain import link
from tests.verify.tampering import Tamperer, names

CHAINS = pytest.mark.parametrize(
    ("table", "number", "called"),
    [(schema.journal, "seq", "journal row uth-1/"), (schema.audit, "id", "audit row ")],
    ids=["journal", "audit"],
)
Row = dict[str, Any]


async def chain(tamperer: Tamperer, table: Table) -> list[Row]:
    return [row for row in await tamperer.rows(table) if row.get("table_id", "uth-1") == "uth-1"]


async def shift(tamperer: Tamperer, table: Table, number: str, rows: list[Row], by: int) -> None:
    """Renumber the rows, from the far end so that no two meet."""
    for row in sorted(rows, key=lambda row: row[number], reverse=by > 0):
        await tamperer.change(table, row, {number: row[number] + by})


@pytest.mark.req("AUD")
@CHAINS
@pytest.mark.parametrize("place", [0, 3, -2])
async def test_inserted_row_is_found(house_url: str, table: Table, number: str, called: str, place: int) -> None:
    async with Tamperer.at(house_url) as tamperer:
        rows = await chain(tamperer, table)
        async with tamperer.undone():
            await shift(tamperer, table, number, rows[place:], 1)
            await tamperer.insert(table, rows[place])
            findings = await tamperer.verify()
        assert names(findings, f"{called}{rows[place][number] + 1}")


@pytest.mark.req("AUD")
@CHAINS
async def test_appended_row_is_found_even_with_a_right_link(
    house_url: str, table: Table, number: str, called: str
) -> None:
    async with Tamperer.at(house_url) as tamperer:
        rows = await chain(tamperer, table)
        added = {**rows[-1], number: rows[-1][number] + 1}
        fields = [value for key, value in added.items() if key not in ("digest", "signature")]
        async with tamperer.undone():
            await tamperer.insert(table, {**added, "digest": link(rows[-1]["digest"], fields)})
            findings = await tamperer.verify()
        assert names(findings, f"{called}{added[number]}")


@pytest.mark.req("AUD")
@CHAINS
@pytest.mark.parametrize("with_digest", [True, False])
@pytest.mark.parametrize("places", [(0, 1), (2, 5), (-2, -1), (0, -1)])
async def test_exchanged_rows_are_found(
    house_url: str, table: Table, number: str, called: str, *, places: tuple[int, int], with_digest: bool
) -> None:
    async with Tamperer.at(house_url) as tamperer:
        rows = await chain(tamperer, table)
        one, other = (rows[place] for place in places)
        kept = {number, *table.primary_key.columns.keys(), *(() if with_digest else ("digest",))}
        async with tamperer.undone():
            await tamperer.change(table, one, {key: value for key, value in other.items() if key not in kept})
            await tamperer.change(table, other, {key: value for key, value in one.items() if key not in kept})
            findings = await tamperer.verify()
        assert names(findings, f"{called}{one[number]}")
        assert names(findings, f"{called}{other[number]}")


@pytest.mark.req("AUD")
@CHAINS
async def test_rows_taken_out_and_the_rest_renumbered_are_found(
    house_url: str, table: Table, number: str, called: str
) -> None:
    async with Tamperer.at(house_url) as tamperer:
        rows = await chain(tamperer, table)
        async with tamperer.undone():
            await tamperer.delete(table, rows[2])
            await shift(tamperer, table, number, rows[3:], -1)
            findings = await tamperer.verify()
        assert names(findings, f"{called}{rows[2][number]}")
        assert names(findings, f"{called}{rows[-1][number] - 1}")  # where the chain now ends before its head


async def test_unknown_chain_is_found(house_url: str) -> None:
    async with Tamperer.at(house_url) as tamperer, tamperer.undone():
        row = (await tamperer.now(schema.chains))[0]
        await tamperer.insert(schema.chains, {**row, "name": "journal:ghost"})
        assert names(await tamperer.verify(), "chain journal:ghost")
