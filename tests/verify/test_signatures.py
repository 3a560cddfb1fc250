"""Signed books: forgeries with consistent hashes are found with the key."""

import asyncio

import pytest

from casino.audit.signing_keys import OtherKeyInForceError, begin_signing, continue_signing
from casino.cashier.cashier import Cashier
from casino.cashier.provider import PlayMoney
from casino.settings import ServiceSettings
from casino.storage import schema
from casino.storage.database import Database
from casino.users.credit import Credit, give_credit
from casino.users.roles import Actor, Role
from casino.users.users import Users
from casino.verify.findings import Findings
from casino.verify.snapshot import Snapshot
from casino.verify.verifier import Proofs, verify, verify_books
from tests.databases import PostgresServer, sqlite_url
from tests.verify import full_books
from tests.verify.forging import rebalance, rechain_audit, rechain_journal
from tests.verify.tampering import Tamperer, names

KEY = "the key of the service that nobody else has"
OTHER = "another key, of a forger or of a later service"

pytestmark = pytest.mark.req("AUD")


async def build(url: str) -> None:
    database = await Database.open(url)
    await begin_signing(database, KEY, 1, may_replace=False)
    await full_books.build(database)
    await database.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def signed_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "sqlite":
        url = sqlite_url(tmp_path_factory.mktemp("signed"))
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.fresh_database()
    asyncio.run(build(url))
    return url


async def found(tamperer: Tamperer, *keys: str) -> Findings:
    return await verify_books(await Snapshot.on(tamperer.connection), None, Proofs(keys or (KEY,)))


def broken(findings: Findings) -> set[str]:
    return {check.rows for check in findings.checks if not check.is_ok}


async def test_signed_books_are_in_order(signed_url: str) -> None:
    async with Tamperer.at(signed_url) as tamperer:
        findings = await found(tamperer)
        rows = len(await tamperer.now(schema.audit)) + len(await tamperer.now(schema.journal))
        heads = len(await tamperer.now(schema.chains))
    assert findings.is_ok
    assert findings.signatures.counted == rows + heads


async def test_forgotten_credit_is_found_although_every_link_fits(database: Database, database_url: str) -> None:
    """A credit, its withdrawal and the audit row are deleted, and every link is made to fit again."""
    await begin_signing(database, KEY, 1, may_replace=False)
    by = Actor("cli:max", "operator")
    async with database.writing() as connection:
        users = Users(connection)
        max_ = await users.add("Max", Role.PLAYER, "EUR", password_hash=None, by=by, at_ms=2)
        assert await give_credit(connection, max_, Credit(10_000, "For Max", "k"), by, 3)
        await users.add("Ann", Role.PLAYER, "EUR", password_hash=None, by=by, at_ms=4)
    await Cashier(database, PlayMoney(), ServiceSettings()).withdraw(max_, 10_000, "out")
    assert (await verify(database, None, Proofs([KEY]))).is_ok
    async with Tamperer.at(database_url) as tamperer, tamperer.undone():
        for table in (schema.payments, schema.postings, schema.operations):
            for row in await tamperer.now(table):
                await tamperer.delete(table, row)
        await rebalance(tamperer)
        [audited] = [row for row in await tamperer.now(schema.audit) if row["action"] == "credit"]
        await tamperer.delete(schema.audit, audited)
        await rechain_audit(tamperer)
        plain, signed = await tamperer.verify(), await found(tamperer)
    assert plain.is_ok, "without the key everything fits"
    assert names(signed, f"audit row {audited['id']}")
    assert names(signed, "head of audit")


@pytest.mark.parametrize("chain", ["audit", "journal:uth-1"])
async def test_rows_cut_off_the_end_are_found(signed_url: str, chain: str) -> None:
    table, number = (schema.audit, "id") if chain == "audit" else (schema.journal, "seq")
    async with Tamperer.at(signed_url) as tamperer, tamperer.undone():
        rows = [row for row in await tamperer.now(table) if row.get("table_id", "uth-1") == "uth-1"]
        await tamperer.delete(table, rows[-1])
        last = {"seq": rows[-2][number], "digest": rows[-2]["digest"]}
        await tamperer.change(schema.chains, {"name": chain}, last)
        assert names(await found(tamperer), f"head of {chain}")


async def test_signature_of_another_row_is_found(signed_url: str) -> None:
    async with Tamperer.at(signed_url) as tamperer, tamperer.undone():
        rows = await tamperer.now(schema.audit)
        await tamperer.change(schema.audit, rows[3], {"signature": rows[2]["signature"]})
        assert names(await found(tamperer), f"audit row {rows[3]['id']}")


async def test_books_whose_signatures_are_taken_away_are_found(signed_url: str) -> None:
    async with Tamperer.at(signed_url) as tamperer, tamperer.undone():
        for table in (schema.audit, schema.journal, schema.chains):
            await tamperer.connection.execute(table.update().values(signature=None))
        marked = next(row for row in await tamperer.now(schema.audit) if row["action"] == "signing_key_in_force")
        await tamperer.delete(schema.audit, marked)
        await rechain_audit(tamperer)
        await rechain_journal(tamperer, "uth-1")
        assert broken(await found(tamperer)) == {"signatures"}


async def test_wrong_key_fails_and_no_key_does_not(signed_url: str) -> None:
    async with Tamperer.at(signed_url) as tamperer:
        assert broken(await found(tamperer, OTHER)) == {"signatures"}
        assert (await tamperer.verify()).is_ok


async def test_only_the_service_replaces_the_key(database: Database) -> None:
    await begin_signing(database, KEY, 1, may_replace=False)
    with pytest.raises(OtherKeyInForceError):
        await begin_signing(database, OTHER, 2, may_replace=False)
    assert await continue_signing(database, KEY)
    assert not await continue_signing(database, OTHER)
    assert not await continue_signing(database, None)


async def test_rows_older_than_signing_are_protected_from_then_on(
    older_database: Database, empty_database_url: str
) -> None:
    await full_books.build(older_database)
    await begin_signing(older_database, KEY, 1, may_replace=False)
    assert (await verify(older_database, None, Proofs([KEY]))).is_ok
    async with Tamperer.at(empty_database_url) as tamperer, tamperer.undone():
        row = next(row for row in await tamperer.now(schema.audit) if row["action"] == "user_added")
        await tamperer.change(schema.audit, row, {"reason": "none"})
        await rechain_audit(tamperer)
        assert names(await found(tamperer), "head of audit")
