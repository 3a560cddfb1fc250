"""Forger of books without signatures: after a change, every hash, link and balance is recomputed to fit."""

from typing import Any

from sqlalchemy import Table, select

from casino.ledger.posting import Operation, Posting, record_digest
from casino.storage import schema
from casino.storage.hash_chain import GENESIS, link
from tests.verify.tampering import Tamperer

Row = dict[str, Any]


async def rechain_journal(tamperer: Tamperer, table_id: str) -> None:
    table = schema.journal
    rows = [row for row in await tamperer.now(table) if row["table_id"] == table_id]
    await rechain(tamperer, table, f"journal:{table_id}", rows, "seq")


async def rechain_audit(tamperer: Tamperer) -> None:
    """Also closes gaps in the numbers."""
    rows = await tamperer.now(schema.audit)
    for number, row in enumerate(rows, 1):
        await tamperer.change(schema.audit, row, {"id": number})
    await rechain(tamperer, schema.audit, "audit", await tamperer.now(schema.audit), "id")


async def rechain(tamperer: Tamperer, table: Table, name: str, rows: list[Row], number: str) -> None:
    digest, seq = GENESIS, 0
    for row in rows:
        seq = row[number]
        digest = link(digest, [value for key, value in row.items() if key not in ("digest", "signature")])
        await tamperer.change(table, row, {"digest": digest})
    await tamperer.change(schema.chains, {"name": name}, {"seq": seq, "digest": digest})


async def rehash(tamperer: Tamperer, operation_id: int) -> None:
    operations, postings = schema.operations, schema.postings
    row = (await tamperer.connection.execute(select(operations).where(operations.c.id == operation_id))).one()
    query = select(postings).where(postings.c.operation_id == operation_id).order_by(postings.c.line)
    moved = tuple(Posting(*line[2:]) for line in await tamperer.connection.execute(query))
    hashed = Operation(row.key, row.kind, moved, row.actor, row.reason, row.round_id).input_hash()
    values = {"input_hash": hashed, "digest": record_digest(hashed, row.at_ms)}
    await tamperer.change(operations, {"id": operation_id}, values)


async def rebalance(tamperer: Tamperer) -> None:
    """Every account gets the balance its postings add up to."""
    balances = {row["id"]: 0 for row in await tamperer.now(schema.accounts)}
    for posting in await tamperer.now(schema.postings):
        balances[posting["source"]] -= posting["amount"]
        balances[posting["destination"]] += posting["amount"]
    for id_, balance in balances.items():
        await tamperer.change(schema.accounts, {"id": id_}, {"balance": balance})
