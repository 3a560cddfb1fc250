"""Invariants of the books at any moment, in plain SQL and independent of the code under test."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.ledger import accounts
from casino.live_table import journal
from casino.live_table.journal_replay import load_round
from casino.responsible_gaming.daily_losses import played_since
from casino.storage import schema
from casino.storage.database import Database
from casino.uth.phases import Phase
from casino.uth.results import results
from casino.uth.state import Round
from casino.verify.verifier import verify

NONE_OF = {
    "an account differs from its postings": """
        SELECT a.id, a.balance, coalesce(m.moved, 0) FROM accounts a LEFT JOIN (
            SELECT id, sum(amount) AS moved FROM (
                SELECT destination AS id, amount FROM postings UNION ALL SELECT source, -amount FROM postings
            ) AS side GROUP BY id
        ) AS m ON m.id = a.id WHERE a.balance <> coalesce(m.moved, 0)""",
    "an account's held money differs from its open holds": """
        SELECT a.id, a.held, coalesce(h.open, 0) FROM accounts a LEFT JOIN (
            SELECT account, sum(amount) AS open FROM holds WHERE status = 'open' GROUP BY account
        ) AS h ON h.account = a.id WHERE a.held <> coalesce(h.open, 0)""",
    "a currency does not sum to zero": """
        SELECT currency, sum(balance) FROM accounts GROUP BY currency HAVING sum(balance) <> 0""",
    "an account is overdrawn": """
        SELECT id, balance FROM accounts WHERE balance < 0 AND kind NOT IN
            ('house', 'cashier', 'credit', 'receivable')""",
    "a hold is open in a round that is over": """
        SELECT h.* FROM holds h JOIN rounds r ON r.id = h.round_id WHERE h.status = 'open' AND r.status <> 'open'""",
    "an escrow is not empty after its round": """
        SELECT a.id, a.balance FROM accounts a JOIN rounds r ON a.id LIKE 'round:' || r.id || ':escrow:%'
        WHERE r.status <> 'open' AND a.balance <> 0""",
    "money waits for a payment that is not under way": """
        SELECT a.id, a.balance FROM accounts a WHERE a.kind = 'withdrawal' AND a.balance <> coalesce((
            SELECT p.amount FROM payments p
            WHERE a.id = 'withdrawal:' || p.id || ':' || p.currency AND p.status = 'pending'), 0)""",
    "an operation moves nothing": """
        SELECT id FROM operations WHERE id NOT IN (SELECT operation_id FROM postings)""",
    "money went from player to player": """
        SELECT * FROM postings WHERE source LIKE 'player:%' AND destination LIKE 'player:%'""",
    "a table has two open rounds": """
        SELECT table_id FROM rounds WHERE status = 'open' GROUP BY table_id HAVING count(*) > 1""",
}

UNREADABLE = ("old-1-1", "old-2-1")
"""Rounds whose journals were written to tell nonsense."""

STATUS = {Phase.IDLE: {"void"}, Phase.SETTLED: {"settled", "corrected"}, Phase.CANCELLED: {"cancelled"}}


async def check_books(database: Database) -> None:
    async with database.reading() as connection:
        for complaint, query in NONE_OF.items():
            found = (await connection.execute(text(query))).all()
            assert not found, f"{complaint}: {found}"
        assert [fault async for fault in journal.verify_sequence(connection)] == []
        assert [fault async for fault in audit_log.faults(connection)] == []
        await _check_losses(connection)
        moved = await _moved(connection)
        held = await _held(connection)
        for row in (await connection.execute(select(schema.rounds))).all():
            if row.id in UNREADABLE:
                assert row.status in ("open", "forfeited")
                continue
            round_ = await load_round(connection, row.id)
            assert row.status in STATUS.get(round_.phase, {"open"}), (row, round_.phase)
            _check_round(round_, moved.get(row.id, {}), held.get(row.id, {}))


async def _check_losses(connection: AsyncConnection) -> None:
    """What is counted by the day for a limit is what the ledger says, after corrections, crashes and all."""
    limited = select(schema.safeguards.c.player_id).where(schema.safeguards.c.kind == "loss")
    for player in (await connection.execute(limited)).scalars().all():
        history = await played_since(connection, player, 0)
        own = select(schema.play_days).where(schema.play_days.c.player_id == player)
        counted = {row.day_ms: row.staked - row.returned for row in await connection.execute(own)}
        lost = {day_ms: played.staked - played.returned for day_ms, played in history.items()}
        assert {day: net for day, net in counted.items() if net} == {day: net for day, net in lost.items() if net}


async def check_verified(database: Database) -> None:
    """Runs the service's own verification of all books."""
    findings = await verify(database)
    assert findings.is_ok, [line for check in findings.checks for line in check.lines]


def _check_round(round_: Round, moved: Mapping[str, Counter[str]], held: Mapping[str, tuple[str, int]]) -> None:
    """Every player has paid in what the journal says was bet, and got back what the rules say, once."""
    paid_in = {player: seat.bets.total for player, seat in round_.seats.items()}
    bets = {player: 2 * seat.ante + seat.trips for player, seat in round_.seats.items()}
    if round_.phase in (Phase.BETTING, Phase.IDLE):
        assert not moved, "nothing moves while betting is open"
        return
    assert {player: amount for player, (status, amount) in held.items() if status == "captured"} == bets
    assert {player: both["in"] for player, both in moved.items()} == paid_in
    paid_out = {player: both["out"] for player, both in moved.items()}
    owed = {player: result.returned for player, result in results(round_).items()} if round_.is_over else {}
    assert paid_out == {player: owed.get(player, 0) for player in paid_in}


async def _moved(connection: AsyncConnection) -> dict[str, dict[str, Counter[str]]]:
    """By round and player: what went into the escrow and what came out; a reversal counts against either."""
    query = (
        select(schema.operations.c.round_id, schema.operations.c.kind, schema.postings)
        .join(schema.postings, schema.postings.c.operation_id == schema.operations.c.id)
        .where(schema.operations.c.round_id.is_not(None))
    )
    moved: dict[str, dict[str, Counter[str]]] = {}
    for row in await connection.execute(query):
        sides = _player_of(row.source), _player_of(row.destination)
        player = sides[0] or sides[1]
        if player:
            way, amount = ("in", row.amount) if sides[0] else ("out", row.amount)
            if row.kind == "reversal":
                way, amount = "out", -amount
            moved.setdefault(row.round_id, {}).setdefault(player, Counter())[way] += amount
    return moved


async def _held(connection: AsyncConnection) -> dict[str, dict[str, tuple[str, int]]]:
    held: dict[str, dict[str, tuple[str, int]]] = {}
    for row in await connection.execute(select(schema.holds)):
        held.setdefault(row.round_id, {})[row.player_id] = (row.status, row.amount)
    return held


def _player_of(account: str) -> str | None:
    kind, _, rest = account.partition(":")
    player = rest.removesuffix(":cash")
    return player if kind == "player" and account == accounts.player_cash_id(player) else None


async def contents(database: Database) -> dict[str, list[Any]]:
    """Every row of every table."""
    async with database.reading() as connection:
        return {
            table.name: sorted(map(tuple, await connection.execute(select(table))), key=repr)
            for table in schema.metadata.sorted_tables
        }
