"""Mutes: stored with actor and reason, and in force after a restart."""

import pytest
from sqlalchemy import select

from casino.audit import log as audit_log
from casino.chat.mutes import Muted, Mutes
from casino.errors import Code, Refusal
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Actor, Role
from casino.users.users import Users

pytestmark = pytest.mark.req("CHT")

NOW_MS = 1_000_000
PIA = Actor("Pia", "presenter")


async def person(database: Database, name: str, role: Role = Role.PLAYER) -> str:
    async with database.writing() as connection:
        user = await Users(connection).add(name, role, "EUR", password_hash=None, by=PIA, at_ms=1)
        return user.id


async def reloaded(database: Database) -> Mutes:
    """As another run of the service knows them."""
    mutes = Mutes(database)
    await mutes.load()
    return mutes


async def test_mute_lasts_its_minutes_at_its_table_and_survives_a_restart(database: Database) -> None:
    ann = await person(database, "Ann")
    mutes = Mutes(database)
    await mutes.mute(Muted("uth-1", ann), 10, PIA, "insults", NOW_MS)
    for known in (mutes, await reloaded(database)):
        assert known.is_muted("uth-1", ann, NOW_MS)
        assert known.is_muted("uth-1", ann, NOW_MS + 599_999)
        assert not known.is_muted("uth-1", ann, NOW_MS + 600_000)
        assert not known.is_muted("uth-2", ann, NOW_MS)
        assert known.at("uth-1", NOW_MS) == [ann]
        assert known.at("uth-1", NOW_MS + 600_000) == []


async def test_mute_without_minutes_lasts_until_it_is_taken_back(database: Database) -> None:
    ann = await person(database, "Ann")
    mutes = Mutes(database)
    await mutes.mute(Muted("uth-1", ann), 1, PIA, "", NOW_MS)
    await mutes.mute(Muted("uth-1", ann), None, PIA, "", NOW_MS)
    assert (await reloaded(database)).is_muted("uth-1", ann, NOW_MS * 10**6)
    await mutes.unmute(Muted("uth-1", ann), PIA, "apologised", NOW_MS)
    await mutes.unmute(Muted("uth-1", ann), PIA, "again", NOW_MS)
    for known in (mutes, await reloaded(database)):
        assert not known.is_muted("uth-1", ann, NOW_MS)


@pytest.mark.req("AUD")
async def test_every_mute_is_in_the_audit_log(database: Database) -> None:
    ann = await person(database, "Ann")
    mutes = Mutes(database)
    await mutes.mute(Muted("uth-1", ann), 10, PIA, "insults", NOW_MS)
    await mutes.unmute(Muted("uth-1", ann), PIA, "apologised", NOW_MS + 1)
    await mutes.unmute(Muted("uth-1", ann), PIA, "nothing to take back", NOW_MS + 2)
    log = schema.audit.c
    async with database.reading() as connection:
        rows = (await connection.execute(select(schema.audit).where(log.action.like("chat_%")).order_by(log.id))).all()
        assert [fault async for fault in audit_log.faults(connection)] == []
    assert [(row.action, row.actor, row.role, row.target, row.reason) for row in rows] == [
        ("chat_muted", "Pia", "presenter", f"user {ann}", "insults"),
        ("chat_unmuted", "Pia", "presenter", f"user {ann}", "apologised"),
    ]
    assert f'"until_ms": {NOW_MS + 600_000}' in rows[0].after


async def test_only_players_can_be_muted(database: Database) -> None:
    mutes = Mutes(database)
    for player_id in ("nobody", await person(database, "Max", Role.MANAGER)):
        with pytest.raises(Refusal) as refused:
            await mutes.mute(Muted("uth-1", player_id), None, PIA, "", NOW_MS)
        assert refused.value.code is Code.NOT_FOUND
    assert (await reloaded(database)).at("uth-1", NOW_MS) == []
