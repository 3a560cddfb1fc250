"""Anchors: the recorded heads, the tampering they reveal, and the database they belong to."""

import json
import stat
from pathlib import Path

import pytest
from aiohttp import web
from structlog.testing import capture_logs

from casino.audit.anchor_writer import Anchoring
from casino.audit.anchors import Anchor, anchored_heads, anchors_in, current_anchor
from casino.audit.log import Entry, write
from casino.audit.signing_keys import begin_signing
from casino.cashier.provider import Order, PlayMoney
from casino.cashier.statement import unknown_orders
from casino.storage.database import Database
from casino.storage.hash_chain import EMPTY, add_chain, move_head
from casino.verify.verifier import Proofs, verify

KEY = "the key of the service that nobody else has"

pytestmark = pytest.mark.req("AUD")


async def note(database: Database, reason: str = "") -> None:
    async with database.writing() as connection:
        await write(connection, Entry("max", "admin", "noted", "nothing", reason), 1)


async def anchor_of(database: Database) -> Anchor:
    async with database.reading() as connection:
        return await current_anchor(connection, 1)


async def anchor_faults(database: Database, file: Path) -> list[str]:
    id_ = (await anchor_of(database)).database
    return (await verify(database, None, Proofs([KEY], anchors_in(file, id_)))).anchors.faults


def anchoring(database: Database, file: Path, webhook: str = "") -> Anchoring:
    return Anchoring(database, file, webhook, lambda: 1)


async def test_anchor_file_is_private_append_only_and_compared(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors" / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    with capture_logs() as logs:
        for _ in range(2):
            await anchoring(database, file).anchor()
            await note(database)
    lines = file.read_text().splitlines()
    logged = [{name: value for name, value in line.items() if name != "log_level"} for line in logs]
    assert json.loads(json.dumps(logged)) == [json.loads(line) for line in lines], "the log says the same"
    assert [json.loads(line)["writes"] for line in lines] == [1, 2]
    assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)
    assert await anchor_faults(database, file) == []
    head = json.loads(lines[1])
    head["chains"][0][2] = "f" * 64
    file.write_text(lines[0] + "\n" + json.dumps(head) + "\n")
    [forged] = await anchor_faults(database, file)
    assert "its signature is not that of the anchor" in forged
    del head["signature"]
    file.write_text(lines[0] + "\n" + json.dumps(head) + "\n")
    [fault] = await anchor_faults(database, file)
    assert fault.startswith("audit row 2: it is not the row anchored at")


async def test_lines_of_other_databases_and_half_lines_are_ignored(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    own = await anchor_of(database)
    other = Anchor("another", 1, 10**6, {"audit": (999, "f" * 64)})
    file.write_bytes(b"no JSON\n" + other.line() + own.line() + own.line()[:50])
    assert await anchor_faults(database, file) == []
    assert await anchoring(database, file).older_than_anchored() is None


async def test_older_state_is_noticed_until_it_is_accepted(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    service = anchoring(database, file)
    await service.anchor()
    assert await service.older_than_anchored() is None
    now = await anchor_of(database)
    later = Anchor(now.database, 2, now.writes + 3)
    file.write_bytes(file.read_bytes() + later.line())
    assert await service.older_than_anchored() == "3 transactions that were stored are missing"
    assert len(await anchor_faults(database, file)) == 1
    await service.accept(await service.state(), "a backup was restored")
    assert await service.older_than_anchored() is None
    assert await anchor_faults(database, file) == []


async def test_forged_acceptance_excuses_nothing(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    now = await anchor_of(database)
    later = Anchor(now.database, 2, now.writes + 3)
    forged = Anchor(now.database, 3, now.writes, now.chains, is_accepted=True, signature=now.signature)
    file.write_bytes(later.line() + forged.line())
    assert len(await anchor_faults(database, file)) == 2


async def test_rewritten_history_of_the_same_length_is_noticed(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    now = await anchor_of(database)
    file.write_bytes(Anchor(now.database, 1, now.writes, {"audit": (1, "f" * 64)}).line())
    assert await anchoring(database, file).older_than_anchored() == (
        "row 1 of audit is missing, or not the one that was stored"
    )


async def test_short_anchors_only_when_something_was_stored(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    service = anchoring(database, file)
    await note(database)
    await service.anchor()
    await service.anchor(is_short=True)
    await note(database)
    await service.anchor(is_short=True)
    full, short = (json.loads(line) for line in file.read_text().splitlines())
    assert ("chains" in full, "chains" in short, short["writes"]) == (True, False, 2)


async def test_hourly_anchor_names_only_heads_that_have_changed(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    async with database.writing() as connection:
        await add_chain(connection, "tournament:over")
        await move_head(connection, "tournament:over", EMPTY, EMPTY.moved((1, "a" * 64)))
    service = anchoring(database, file)
    await service.anchor()
    await note(database)
    for _ in range(2):
        await service.anchor(is_partial=True)
    full, changed, unchanged = anchors_in(file, (await anchor_of(database)).database)
    assert set(full.chains) == {"audit", "tournament:over"}
    assert changed.chains == {"audit": (await anchor_of(database)).chains["audit"]}
    assert changed.is_partial
    assert unchanged.chains == {}
    assert all(anchor.signature for anchor in (full, changed, unchanged))
    assert anchored_heads([full, changed, unchanged]) == (await anchor_of(database)).chains
    assert await service.older_than_anchored() is None
    forged = json.loads(file.read_bytes().splitlines()[1])
    del forged["partial"]
    file.write_text(json.dumps(forged) + "\n")
    assert "its signature is not that of the anchor" in (await anchor_faults(database, file))[0]


async def test_row_that_only_a_partial_anchor_names_is_missed(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "anchors.jsonl"
    await begin_signing(database, KEY, 1, may_replace=False)
    now = await anchor_of(database)
    later = Anchor(now.database, 2, now.writes, {"tournament:ended": (7, "b" * 64)}, is_partial=True)
    file.write_bytes(now.line() + later.line())
    expected = "row 7 of tournament:ended is missing, or not the one that was stored"
    assert await anchoring(database, file).older_than_anchored() == expected


@pytest.mark.parametrize("status", [500, 302])
async def test_webhook_gets_full_anchors_and_may_fail(database: Database, tmp_path: Path, status: int) -> None:
    received: list[object] = []

    async def receive(request: web.Request) -> web.Response:
        received.append(await request.json())
        return web.Response(status=status)

    app = web.Application()
    app.router.add_post("/anchor", receive)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    try:
        await note(database)
        with capture_logs() as logs:
            await anchoring(database, tmp_path / "a", f"http://127.0.0.1:{port}/anchor").anchor()
    finally:
        await runner.cleanup()
    assert [line["failure"] for line in logs if line["event"] == "anchor_webhook_failed"] == [f"status {status}"]
    assert received == [json.loads((tmp_path / "a").read_text())]


async def test_anchoring_goes_on_when_the_file_cannot_be_written(database: Database, tmp_path: Path) -> None:
    with capture_logs() as logs:
        await anchoring(database, tmp_path).anchor()  # a folder
    assert [line["event"] for line in logs] == ["chain_anchor", "anchor_write_failed"]


class Provider:
    async def orders_since(self, at_ms: int) -> list[Order]:
        assert at_ms == 0
        return [Order("payment-1", "u1", "deposit", 100, "EUR")]


async def test_payment_that_only_the_provider_knows_is_noticed(database: Database) -> None:
    async with database.reading() as connection:
        assert await unknown_orders(connection, PlayMoney()) is None
        assert await unknown_orders(connection, Provider()) == (
            "the payment provider knows 1 payments that the books do not (payment-1)"
        )
