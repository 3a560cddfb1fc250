"""Verifies the hash chains of journals and audit log: consecutive numbers and correct hashes.

It does not interpret the content of the rows.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import select

from casino.audit import log as audit_log
from casino.live_table.journal import chain_name
from casino.poker_room.hand_store import chain_name as poker_chain_name
from casino.poker_room.tournament.journal_store import chain_name as tournament_chain_name
from casino.storage.hash_chain import EMPTY, link
from casino.storage.poker_schema import poker_hands
from casino.storage.schema import audit, chains, journal
from casino.storage.tournament_schema import tournament_journal
from casino.verify.findings import Check, Findings
from casino.verify.signatures import Anchored, Signatures
from casino.verify.snapshot import Rows, Snapshot

HANDS_AT_ONCE: Final = 500
"""Hands per fetch: each has all its events."""

_PREFIXES: Final = (chain_name(""), poker_chain_name(""), tournament_chain_name(""))

End = tuple[int, str]
Seen = Callable[[str, Any, str, str | None], None]


async def check_chains(
    snapshot: Snapshot,
    findings: Findings,
    step: Callable[[int], None],
    signatures: Signatures,
    anchored: Anchored,
) -> None:
    def seen(chain: str, seq: Any, digest: str, signature: str | None) -> None:  # noqa: ANN401  a forger's, perhaps
        signatures.row(chain, seq, digest, signature)
        anchored.row(chain, seq, digest)

    heads: dict[str, End] = {}
    for row in await snapshot.connection.execute(select(chains.c.name, chains.c.seq, chains.c.digest)):
        heads[row.name] = (row.seq, row.digest)
    tables = snapshot.partitions(select(journal).order_by(journal.c.table_id, journal.c.seq))
    for (table_id,), end in (await _follow(tables, _JOURNAL, findings.journal, step, seen)).items():
        _compare(findings.journal, f"journal row {table_id}/{end[0]}", end, heads.pop(chain_name(table_id), None))
    in_order = select(poker_hands).order_by(poker_hands.c.table_id, poker_hands.c.no)
    hands = snapshot.partitions(in_order, size=HANDS_AT_ONCE)
    for (table_id,), end in (await _follow(hands, _POKER, findings.poker_hands, step, seen, counts=False)).items():
        head = heads.pop(poker_chain_name(table_id), None)
        _compare(findings.poker_hands, f"poker hand {table_id}/{end[0]}", end, head)
    in_order = select(tournament_journal).order_by(tournament_journal.c.tournament_id, tournament_journal.c.seq)
    events = snapshot.partitions(in_order)
    ends = await _follow(events, _TOURNAMENT, findings.tournaments, step, seen, counts=False)
    for (tournament_id,), end in ends.items():
        head = heads.pop(tournament_chain_name(tournament_id), None)
        _compare(findings.tournaments, f"tournament event {tournament_id}/{end[0]}", end, head)
    log = snapshot.partitions(select(audit).order_by(audit.c.id))
    end = (await _follow(log, _AUDIT, findings.audit, step, seen)).get((), EMPTY.end)
    _compare(findings.audit, f"audit row {end[0]}", end, heads.pop(audit_log.CHAIN, EMPTY.end))
    for name, head in heads.items():
        if head != EMPTY.end or not name.startswith(_PREFIXES):
            findings.journal.fault(f"chain {name}: its head is at {head[0]}, and it has no rows")
    await signatures.heads(snapshot.connection)
    await anchored.close(snapshot.connection)


class _ChainRows(NamedTuple):
    """How the rows of a kind of chain are called, the column of their number, and the name of their chain."""

    called: str
    seq_at: int
    chain: Callable[..., str]


_JOURNAL: Final = _ChainRows("journal row", 1, chain_name)
_POKER: Final = _ChainRows("poker hand", 1, poker_chain_name)
_TOURNAMENT: Final = _ChainRows("tournament event", 1, tournament_chain_name)
_AUDIT: Final = _ChainRows("audit row", 0, lambda: audit_log.CHAIN)


async def _follow(
    rows: AsyncIterator[Rows],
    rows_of: "_ChainRows",
    check: Check,
    step: Callable[[int], None],
    seen: Seen,
    *,
    counts: bool = True,
) -> dict[tuple[Any, ...], End]:
    """Returns the end of each chain. Columns before the number name the chain; the last two are link and signature."""
    ends: dict[tuple[Any, ...], End] = {}
    seq_at, called = rows_of.seq_at, rows_of.called
    async for some in rows:
        check.counted += len(some) if counts else 0
        step(len(some))
        for row in some:
            chain, seq, digest = row[:seq_at], row[seq_at], row[-2]
            last_seq, last_digest = ends.get(chain, EMPTY.end)
            if seq != last_seq + 1:
                check.fault(f"{called} {_named(row, seq_at)}: row {last_seq + 1} should be here")
            if digest != _link(last_digest, row[:-2]):
                check.fault(f"{called} {_named(row, seq_at)}: it is not the row that was written at this place")
            seen(rows_of.chain(*chain), seq, digest, row[-1])
            ends[chain] = (seq if isinstance(seq, int) else last_seq + 1, digest)
    return ends


def _named(row: Sequence[Any], seq_at: int) -> str:
    return "/".join(str(part) for part in row[: seq_at + 1])


def _link(previous: str, fields: Sequence[Any]) -> str | None:
    """Returns None for values no row can hold, such as bytes instead of text."""
    try:
        return link(previous, fields)
    except (TypeError, ValueError, AttributeError):
        return None


def _compare(check: Check, where: str, end: End, head: End | None) -> None:
    if head is None:
        check.fault(f"{where}: the head of the chain is missing")
    elif head != end:
        check.fault(f"{where}: the chain ends here, and its head is at {head[0]}")
