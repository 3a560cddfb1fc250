"""Forged key changes: the start refuses them, and `verify` reports them."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from casino.audit import log as audit_log
from casino.audit.anchor_writer import Anchoring
from casino.audit.anchors import Anchor, place_hash
from casino.audit.signing_keys import Evidence, UnconfirmedBooksError, begin_signing
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.hash_chain import ForgedHeadError, Signer
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.uth.phases import Phase
from casino.verify.verifier import Proofs, verify
from tests.live_table.stored_rounds import fill_purses
from tests.uth.tabletop import NOON_MS
from tests.verify import full_books
from tests.verify.forging import rechain_audit
from tests.verify.key_forging import (
    append_key_change,
    cut_with_empty_signature,
    forgers_signer,
    pretend_another_database,
    pretend_key_change,
    pretend_key_from_the_beginning,
    pretend_no_key,
    sign_all,
    stored_forgery,
)
from tests.verify.tampering import Tamperer

KEY = "the key of the service that nobody else has"
NEW = "the next key of the service, after a rotation"

BOSS = Actor("boss", "finance")

pytestmark = pytest.mark.req("AUD")

Forgery = Callable[[Tamperer], Awaitable[None]]
FORGERIES = [pretend_key_change, pretend_key_from_the_beginning, pretend_no_key, pretend_another_database]


async def signed_books(database: Database) -> None:
    await begin_signing(database, KEY, 1, may_replace=False)
    await add_rows(database)


async def add_rows(database: Database) -> None:
    """A few people, and two tables with an unfinished round."""
    await fill_purses(database, {"ann": "EUR", "bob": "EUR", "gus": "FUN", "liz": "EUR"}, amount=10_000)
    async with database.writing() as connection:
        for name in ("Eva", "Max"):
            await Users(connection).add(name, Role.PLAYER, "EUR", password_hash=None, by=BOSS, at_ms=NOON_MS)
    for table_id in ("uth-1", "own-1"):
        await full_books.leave_open(database, Phase.DECIDING_PREFLOP, table_id)


async def faults(database: Database, *keys: str) -> list[str]:
    return (await verify(database, None, Proofs(keys))).signatures.faults


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_start_refuses_a_pretended_key(database: Database, database_url: str, forgery: Forgery) -> None:
    await signed_books(database)
    async with stored_forgery(database) as tamperer:
        await forgery(tamperer)
        before = await tamperer.now(schema.audit)
    again = await Database.open(database_url)  # as the next start does
    try:
        for evidence in (Evidence(), Evidence([NEW])):
            with pytest.raises(UnconfirmedBooksError, match="--accept-lost-key"):
                await begin_signing(again, KEY, 2, may_replace=True, evidence=evidence)
        async with again.reading() as connection:
            assert await Tamperer(connection).now(schema.audit) == before, "nothing is written"
    finally:
        await again.close()
    assert await faults(database, KEY) != []


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_commands_do_not_sign_pretended_books(database: Database, database_url: str, forgery: Forgery) -> None:
    """Or the command of an unsuspecting operator would do what the start refuses."""
    await signed_books(database)
    async with stored_forgery(database) as tamperer:
        await forgery(tamperer)
    again = await Database.open(database_url)
    try:
        with pytest.raises(ValueError, match="books"):
            await begin_signing(again, KEY, 2, may_replace=False)
    finally:
        await again.close()


async def test_key_that_was_replaced_without_confirmation_fails_verification(database: Database) -> None:
    """As an earlier version did: it took over from whatever key the database named."""
    await signed_books(database)
    async with stored_forgery(database) as tamperer:
        await pretend_key_change(tamperer)
        service = Signer(KEY, (await tamperer.now(schema.database_identity))[0]["id"])
        number = await append_key_change(tamperer, service.key_id)
        await rechain_audit(tamperer)
        await sign_all(tamperer, service, after_audit_row=number - 1, with_journals=False)
        forger = await forgers_signer(tamperer)
    pretended, taken_over = await faults(database, KEY)
    assert "has not signed that it is replaced" in pretended
    assert taken_over.startswith(f"audit row {number}: the key {forger.key_id} was replaced, and nothing confirms")


@pytest.mark.parametrize("signature", [None, "prefix of the real key"])
async def test_start_checks_the_heads_of_idle_tables(database: Database, signature: str | None) -> None:
    """Otherwise the next row would be signed, and the cut would be signed with it."""
    await signed_books(database)
    async with stored_forgery(database) as tamperer:
        real = next(row["signature"] for row in await tamperer.now(schema.chains) if row["name"] == "journal:own-1")
        await cut_with_empty_signature(tamperer, signature and real)
    with pytest.raises(ForgedHeadError, match="journal:own-1"):
        await begin_signing(database, KEY, 2, may_replace=True)
    with pytest.raises(ForgedHeadError, match="journal:own-1"):
        await begin_signing(database, NEW, 2, may_replace=True, evidence=Evidence([KEY]))


async def test_running_service_appends_nothing_to_a_cut_log(database: Database, tmp_path: Path) -> None:
    await signed_books(database)
    async with stored_forgery(database) as tamperer:
        *_, last_but_one, last = await tamperer.now(schema.audit)
        await tamperer.delete(schema.audit, last)
        end = {"seq": last_but_one["id"], "digest": last_but_one["digest"]}
        await tamperer.change(schema.chains, {"name": "audit"}, end)
    with pytest.raises(ForgedHeadError, match="audit"):
        async with database.writing() as connection:
            await audit_log.write(connection, audit_log.Entry("max", "admin", "noted", "nothing"), 2)
    with capture_logs() as logs:
        await Anchoring(database, tmp_path / "anchors", "", lambda: 1).anchor()
    assert [line["event"] for line in logs] == ["chain_heads_changed_from_outside"]
    assert not (tmp_path / "anchors").exists(), "a forged head is never anchored"


async def test_table_that_a_key_change_names_cannot_disappear(database: Database) -> None:
    """Its journal, its head and all that refers to it."""
    await signed_books(database)
    await begin_signing(database, NEW, 2, may_replace=True, evidence=Evidence([KEY]))
    async with stored_forgery(database) as tamperer:
        for row in await tamperer.now(schema.journal):
            if row["table_id"] == "own-1":
                await tamperer.delete(schema.journal, row)
        await tamperer.delete(schema.chains, {"name": "journal:own-1"})
    assert any(text.startswith("journal:own-1 row") for text in await faults(database, NEW))


async def test_key_is_replaced_with_the_earlier_key(database: Database) -> None:
    await signed_books(database)
    replaced = await begin_signing(database, NEW, 2, may_replace=True, evidence=Evidence([KEY]))
    assert replaced is not None
    assert await faults(database, NEW, KEY) == []
    alone = await verify(database, None, Proofs([NEW]))
    assert (alone.is_ok, list(alone.unchecked_rows)) == (True, [f"no earlier key {replaced}"])
    assert await faults(database, KEY) != []
    assert await begin_signing(database, NEW, 3, may_replace=True) is None


async def test_earlier_key_must_have_signed_that_it_is_replaced(database: Database) -> None:
    """The new key alone cannot pretend that the earlier one agreed."""
    await signed_books(database)
    await begin_signing(database, NEW, 2, may_replace=True, evidence=Evidence([KEY]))
    async with stored_forgery(database) as tamperer:
        signer = Signer(NEW, (await tamperer.now(schema.database_identity))[0]["id"])
        mark = (await tamperer.now(schema.audit))[-1]
        after = json.loads(mark["after"]) | {"earlier_signature": signer.key_id}
        await tamperer.change(schema.audit, mark, {"after": json.dumps(after, sort_keys=True)})
        await rechain_audit(tamperer)
        await sign_all(tamperer, signer, after_audit_row=mark["id"] - 1, with_journals=False)
    [fault] = await faults(database, NEW, KEY)
    assert "has not signed that it is replaced" in fault


async def test_key_is_replaced_after_an_orderly_stop(database: Database, tmp_path: Path) -> None:
    """The anchor file, which the forger cannot reach, names exactly these heads and their key."""
    await signed_books(database)
    evidence = Evidence(anchor_file=tmp_path / "anchors")
    with pytest.raises(UnconfirmedBooksError):
        await begin_signing(database, NEW, 2, may_replace=True, evidence=evidence)
    await Anchoring(database, tmp_path / "anchors", "", lambda: 1).anchor()
    assert await begin_signing(database, NEW, 2, may_replace=True, evidence=evidence)
    assert await faults(database, NEW) == []


async def test_anchor_of_an_earlier_moment_confirms_nothing(database: Database, tmp_path: Path) -> None:
    await signed_books(database)
    await Anchoring(database, tmp_path / "anchors", "", lambda: 1).anchor()
    async with stored_forgery(database) as tamperer:
        await pretend_key_change(tamperer)
    evidence = Evidence(anchor_file=tmp_path / "anchors")
    with pytest.raises(UnconfirmedBooksError):
        await begin_signing(database, KEY, 2, may_replace=True, evidence=evidence)


async def test_operator_may_accept_that_the_key_is_lost(database: Database) -> None:
    await signed_books(database)
    evidence = Evidence(is_accepted=True)
    replaced = await begin_signing(database, NEW, 2, may_replace=True, evidence=evidence)
    async with database.reading() as connection:
        mark = (await Tamperer(connection).now(schema.audit))[-1]
    assert json.loads(mark["after"])["confirmed_by"] == "operator"
    findings = await verify(database, None, Proofs([NEW]))
    assert findings.is_ok
    assert list(findings.unchecked_rows) == [f"no earlier key {replaced}; accepted in audit row {mark['id']}"]


async def test_books_older_than_signing_are_taken_over_only_where_none_were_signed(
    older_database: Database, tmp_path: Path
) -> None:
    """A database of an earlier version in the place of one that was signed is not the one last served."""
    await add_rows(older_database)
    file = tmp_path / "anchors"
    async with older_database.reading() as connection:
        url = connection.engine.url
    signed = Anchor("another database", 1, 5, {"audit": (5, "f" * 64)}, place=place_hash(url), signature="key:signed")
    file.write_bytes(signed.line())
    with pytest.raises(UnconfirmedBooksError, match="no signatures"):
        await begin_signing(older_database, KEY, 1, may_replace=True, evidence=Evidence(anchor_file=file))
    file.write_bytes(Anchor("another database", 1, 5, place="elsewhere", signature="key:signed").line())
    await begin_signing(older_database, KEY, 1, may_replace=True, evidence=Evidence(anchor_file=file))
    findings = await verify(older_database, None, Proofs([KEY]))
    assert (findings.is_ok, list(findings.unchecked_rows)) == (True, ["older than signing"])
