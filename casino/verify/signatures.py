"""Verifies the signatures of chained rows and heads with the key, and compares anchors with their rows.

The audit log records from which row on which key is in force (`casino/audit/signing_keys.py`). Rows before the first
mark are older than signing. Rows of an earlier key that is not given are not checked individually: the mark of the
next key must say how the service confirmed them when it took over. A mark that does not is a fault, because a forger
can write rows under a key of their own and wait for the service to replace it.
"""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.audit.anchors import Anchor, End, in_force
from casino.audit.signing_keys import ACTION, Confirmation
from casino.storage.hash_chain import EMPTY, GENESIS, Signer, database_id, key_id_of
from casino.storage.schema import audit, chains
from casino.verify.findings import Check


class Mark(NamedTuple):
    """Rows after these heads are signed with this key."""

    row: int
    key_id: str
    before: str | None
    heads: Mapping[str, End]
    confirmed_by: str | None
    earlier_signature: str | None


class Signatures:
    """Checks every row and head. Without a key, or with one that is not in force, it checks none."""

    def __init__(self, check: Check, marks: Sequence[Mark], signers: Mapping[str, Signer]) -> None:
        self.check = check
        self.unchecked: dict[str, int] = defaultdict(int)
        self._marks = marks
        self._signers = signers
        self._starts: dict[str, list[int]] = {}
        self._named = {(name, *end): mark.row for mark in marks for name, end in mark.heads.items() if end[0]}

    @property
    def signers(self) -> Mapping[str, Signer]:
        """Signers by key id; none if the key in force is unknown."""
        return self._signers

    @classmethod
    async def of(cls, connection: AsyncConnection, check: Check, keys: Sequence[str]) -> "Signatures":
        """The first key is the one in force."""
        if not keys:
            return cls(check, (), {})
        id_ = await database_id(connection)
        signers = [Signer(key, id_) for key in keys]
        marks = await _marks(connection, check)
        found = marks[-1].key_id if marks else None
        if found != signers[0].key_id:
            details = f"signed with the key {found}" if found else "not signed"
            check.fault(f"the books are {details}, and the key given is {signers[0].key_id}")
            return cls(check, (), {})
        known = {signer.key_id: signer for signer in signers}
        for mark, last in zip(marks, (None, *marks), strict=False):
            for fault in _mark_faults(mark, last, known):
                check.fault(f"audit row {mark.row}: {fault}")
        return cls(check, marks, known)

    def row(self, chain: str, seq: Any, digest: str, signature: str | None) -> None:  # noqa: ANN401
        if not self._marks or not isinstance(seq, int):
            return
        starts = self._starts.get(chain)
        if starts is None:
            starts = self._starts[chain] = [mark.heads.get(chain, EMPTY.end)[0] for mark in self._marks]
        self._named.pop((chain, seq, digest), None)
        place = bisect_left(starts, seq)
        self._compare(f"{chain} row {seq}", place, signature, lambda signer: signer.row(chain, seq, digest))

    def _compare(self, called: str, place: int, signature: str | None, sign: Any) -> None:  # noqa: ANN401
        if place == 0:
            self.unchecked[self._reason(place, "older than signing")] += 1
            if signature is not None:
                self.check.fault(f"{called}: it is signed, and signing began later")
            return
        key_id = self._marks[place - 1].key_id
        signer = self._signers.get(key_id)
        if signer is None:
            self.unchecked[self._reason(place, f"no earlier key {key_id}")] += 1
            if key_id_of(signature) != key_id:
                self.check.fault(f"{called}: it is not signed with the key {key_id}, which was in force")
            return
        self.check.counted += 1
        if signature != sign(signer):
            self.check.fault(f"{called}: its signature is not that of the row")

    def _reason(self, place: int, reason: str) -> str:
        """Names the row in which an operator took the responsibility for rows that nothing else confirmed."""
        following = self._marks[place] if place < len(self._marks) else None
        if following is None or following.confirmed_by != Confirmation.OPERATOR:
            return reason
        return f"{reason}; accepted in audit row {following.row}"

    async def heads(self, connection: AsyncConnection) -> None:
        if not self._marks:
            return
        for name, seq, digest, writes, signature in await connection.execute(
            select(chains.c.name, chains.c.seq, chains.c.digest, chains.c.writes, chains.c.signature)
        ):
            sign = _head_of(name, seq, digest, writes)
            self._compare(f"head of {name}", len(self._marks), signature, sign)
        for (chain, seq, _), row in self._named.items():
            self.check.fault(f"{chain} row {seq}: it is not the row that audit row {row} names, or it is missing")


def _mark_faults(mark: Mark, last: Mark | None, signers: Mapping[str, Signer]) -> Iterator[str]:
    """Yields what is wrong with the claim of a mark. Its own signature is checked with those of all rows."""
    if mark.before != (last.key_id if last else None) or mark.before == mark.key_id:
        yield "the key it replaces was not in force"
    if mark.heads.get(audit_log.CHAIN, EMPTY.end)[0] != mark.row - 1:
        yield "its first row is not the one at this place"
    if last is None:
        return
    earlier = signers.get(last.key_id)
    if mark.confirmed_by == Confirmation.EARLIER_KEY and earlier is not None:
        if mark.earlier_signature != earlier.key_change(mark.key_id, mark.heads):
            yield f"the key {last.key_id} has not signed that it is replaced"
    elif mark.confirmed_by is None and earlier is None:
        yield (
            f"the key {last.key_id} was replaced, and nothing confirms that it was a key of the service. Give it in "
            "CASINO_PREVIOUS_SECRET_KEYS; if it is unknown, another program may have written the rows before"
        )


def _head_of(name: str, seq: int, digest: str, writes: int) -> Any:  # noqa: ANN401
    return lambda signer: signer.head(name, seq, digest, writes)


async def _marks(connection: AsyncConnection, check: Check) -> list[Mark]:
    query = select(audit.c.id, audit.c.before, audit.c.after).where(audit.c.action == ACTION)
    found = []
    for id_, before, after in await connection.execute(query.order_by(audit.c.id)):
        try:
            details = json.loads(after)
            heads = {str(name): (int(seq), str(digest)) for name, (seq, digest) in details["heads"].items()}
            by, earlier = details.get("confirmed_by"), details.get("earlier_signature")
            found.append(Mark(id_, str(details["key_id"]), json.loads(before)["key_id"], heads, by, earlier))
        except (ValueError, KeyError, TypeError, AttributeError):
            check.fault(f"audit row {id_}: it does not say which key is in force from which row on")
    return found


class Anchored:
    """Compares anchors with chains: `row` receives every row, `close` reports anchored rows that never came."""

    def __init__(self, check: Check, anchors: Iterable[Anchor], signers: Mapping[str, Signer]) -> None:
        self._check = check
        self._wanted: dict[str, dict[int, tuple[str, int]]] = defaultdict(dict)
        self._writes = (0, 0)
        for anchor in in_force(anchor for anchor in anchors if self._is_genuine(anchor, signers)):
            check.counted += 1
            self._writes = max(self._writes, (anchor.writes, anchor.at_ms))
            for chain, (seq, digest) in anchor.chains.items():
                details = self._wanted[chain].setdefault(seq, (digest, anchor.at_ms))
                if details[0] != digest:
                    check.fault(f"{chain} row {seq}: two anchors contradict each other")

    def _is_genuine(self, anchor: Anchor, signers: Mapping[str, Signer]) -> bool:
        """A short anchor has no signature: it can only add requirements, never remove one."""
        signer = signers.get(key_id_of(anchor.signature) or "")
        is_forged = not anchor.is_signed_by(signer) if signer else bool(signers) and anchor.is_accepted
        if is_forged:
            self._check.fault(f"anchor of {anchor.at_ms}: its signature is not that of the anchor")
        return not is_forged

    def row(self, chain: str, seq: Any, digest: str) -> None:  # noqa: ANN401
        wanted = self._wanted.get(chain)
        if wanted and isinstance(seq, int) and seq in wanted:
            anchored, at_ms = wanted.pop(seq)
            if anchored != digest:
                self._check.fault(f"{chain} row {seq}: it is not the row anchored at {at_ms}")

    async def close(self, connection: AsyncConnection) -> None:
        for chain, wanted in self._wanted.items():
            for seq, (digest, at_ms) in sorted(wanted.items()):
                if seq or digest != GENESIS:
                    self._check.fault(f"{chain} row {seq}: it was anchored at {at_ms}, and it is missing")
        done = sum((await connection.execute(select(chains.c.writes))).scalars())
        writes, at_ms = self._writes
        if done < writes:
            self._check.fault(f"transactions: {writes} were anchored at {at_ms}, and the books have {done}")
