"""Changes of player limits: stricter ones at once, looser ones a day later, each with a row in the audit log."""

import json
from typing import Any

import pytest
from sqlalchemy import select

from casino.audit import log as audit_log
from casino.clock import NO_END_MS
from casino.responsible_gaming.play_sessions import PlaySessions, session_of
from casino.responsible_gaming.player_limits import DAY_MS, Kind, Period
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.bets import Action
from tests.live_table.stored_rounds import fill_purses
from tests.responsible_gaming.evening import ANN, HOUR_MS, MINUTE_MS, WINNING, Evening, finish, here
from tests.uth.tabletop import NOON_MS

pytestmark = pytest.mark.req("RGP")


@pytest.fixture
async def evening(database: Database) -> Evening:
    await fill_purses(database)
    return Evening(database)


async def stands(evening: Evening, at_ms: int) -> tuple[int | None, tuple[int | None, int] | None]:
    """The limit in force, and the change that waits."""
    own = await evening.safeguard(Kind.DEPOSIT, Period.DAY, at_ms)
    return own.in_force(at_ms), own.pending(at_ms)


async def test_limit_is_lowered_at_once(evening: Evening) -> None:
    await evening.limit(Kind.DEPOSIT, Period.DAY, 5_000)
    assert await stands(evening, NOON_MS) == (5_000, None)
    await evening.limit(Kind.DEPOSIT, Period.DAY, 1_000, NOON_MS + 1)
    assert await stands(evening, NOON_MS + 1) == (1_000, None)


@pytest.mark.parametrize("value", [5_001, None])
async def test_limit_is_raised_or_removed_after_a_day(evening: Evening, value: int | None) -> None:
    await evening.limit(Kind.DEPOSIT, Period.DAY, 5_000)
    await evening.limit(Kind.DEPOSIT, Period.DAY, value, NOON_MS + 1)
    due_ms = NOON_MS + 1 + DAY_MS
    assert await stands(evening, due_ms - 1) == (5_000, (value, due_ms))
    assert await stands(evening, due_ms) == (value, None)
    await evening.limit(Kind.DEPOSIT, Period.DAY, 5_000, due_ms)
    assert await stands(evening, due_ms) == (5_000, None), "and lowered again at once"


async def test_waiting_change_is_taken_back_by_the_limit_in_force(evening: Evening) -> None:
    await evening.limit(Kind.DEPOSIT, Period.DAY, 5_000)
    await evening.limit(Kind.DEPOSIT, Period.DAY, 9_000, NOON_MS + 1)
    await evening.limit(Kind.DEPOSIT, Period.DAY, 5_000, NOON_MS + 2)
    assert await stands(evening, NOON_MS + 3) == (5_000, None)
    assert await stands(evening, NOON_MS + 3 * DAY_MS) == (5_000, None)


async def test_another_raise_waits_a_whole_day_again(evening: Evening) -> None:
    await evening.limit(Kind.DEPOSIT, Period.DAY, 5_000)
    await evening.limit(Kind.DEPOSIT, Period.DAY, 6_000, NOON_MS + 1)
    await evening.limit(Kind.DEPOSIT, Period.DAY, 9_000, NOON_MS + HOUR_MS)
    assert await stands(evening, NOON_MS + 1 + DAY_MS) == (5_000, (9_000, NOON_MS + HOUR_MS + DAY_MS))


async def test_raised_loss_limit_holds_for_bets_a_day_later(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.DAY, 1_000)
    await evening.limit(Kind.LOSS, Period.DAY, 2_000, NOON_MS)
    assert not await evening.may_bet(NOON_MS + DAY_MS - 16_000)
    assert await evening.may_bet(NOON_MS + DAY_MS)


@pytest.mark.parametrize("kind", [Kind.TIME_OUT, Kind.SELF_EXCLUSION])
async def test_exclusion_is_made_longer_and_never_shorter(evening: Evening, kind: Kind) -> None:
    await evening.exclude(kind, NOON_MS + 2 * DAY_MS)
    await evening.exclude(kind, NOON_MS + DAY_MS)
    assert (await evening.safeguard(kind, "", NOON_MS)).in_force(NOON_MS) == NOON_MS + 2 * DAY_MS
    await evening.exclude(kind, NO_END_MS)
    await evening.exclude(kind, NOON_MS + DAY_MS)
    assert (await evening.safeguard(kind, "", NOON_MS)).in_force(NOON_MS) == NO_END_MS


@pytest.mark.req("AUD")
async def test_limits_and_exclusions_are_in_the_audit_log(evening: Evening) -> None:
    await evening.limit(Kind.LOSS, Period.WEEK, 5_000)
    await evening.limit(Kind.LOSS, Period.WEEK, 9_000, NOON_MS + 1)
    await evening.exclude(Kind.TIME_OUT, NOON_MS + DAY_MS, NOON_MS + 2)
    assert await audit_rows(evening.database) == [
        ("Ann", "limit_changed", {"limit": "loss week", "value": None}, 5_000),
        ("Ann", "limit_changed", {"limit": "loss week", "value": 5_000}, 5_000),
        ("Ann", "time_out", {"until_ms": None}, NOON_MS + DAY_MS),
    ]


async def audit_rows(database: Database) -> list[tuple[str, str, dict[str, Any], int]]:
    async with database.reading() as connection:
        rows = (await connection.execute(select(schema.audit).order_by(schema.audit.c.id))).all()
        assert [fault async for fault in audit_log.faults(connection)] == []
    assert {row.target for row in rows} == {f"user {ANN.id}"}
    changes = [(json.loads(row.before), json.loads(row.after)) for row in rows]
    return [
        (row.actor, row.action, before, after.get("value", after.get("until_ms")))
        for row, (before, after) in zip(rows, changes, strict=True)
    ]


async def test_session_shows_its_start_stakes_and_returns(evening: Evening) -> None:
    """Rounds that ended in it, also one that was open on arrival."""
    visits = PlaySessions(evening.database)
    await evening.fold(NOON_MS - HOUR_MS, 300)
    arrived = await evening.fold(NOON_MS - 20_000, 700)
    assert arrived.now_ms > NOON_MS, "betting closed before she came, and the round ended after"
    await visits.note(here("ann", at_ms=NOON_MS), NOON_MS)
    table = await evening.table(NOON_MS + MINUTE_MS)
    await table.do(table.bet("ann", 500, 100))
    await finish(table, WINNING, table.answer("ann", Action.PLAY_4X))
    running = await evening.table(NOON_MS + HOUR_MS)
    await running.do(running.bet("ann", 200))
    await running.time_out()
    now_ms = NOON_MS + 2 * HOUR_MS
    await visits.note(here("ann", at_ms=now_ms), now_ms)
    async with evening.database.reading() as connection:
        session = await session_of(connection, "ann", now_ms)
        assert await session_of(connection, "bob", now_ms) is None
        assert await session_of(connection, "ann", now_ms + HOUR_MS) is None, "she has left"
    assert session is not None
    assert session.view() == {
        "since": NOON_MS,
        "elapsed": 2 * HOUR_MS,
        "staked": 3_100 + 1_400,
        "returned": 5_500,
        "net": 2_400 - 1_400,
    }
