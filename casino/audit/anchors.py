"""Anchors: the heads of the hash chains at one moment, recorded outside the database.

An anchor is a line of JSON with the id of its database, the time, the number of transactions, the head of every chain
and, made with the key in force, a signature. A partial anchor names only the heads that have changed since the anchor
before it: every tournament has a chain of its own, and most of them are over. Short anchors have no heads: they only
say how far the books had come.
An anchor marked `accepted` says that a person has put an older state of the books into service: what earlier anchors
say about rows beyond its heads is void.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import orjson
from sqlalchemy import select
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.hash_chain import HEAD_COLUMNS, Head, Signer, database_id, is_genuine, signer_of
from casino.storage.schema import chains
from casino.storage.url import file_of, place_of

KIND: Final = "chain_anchor"
_PLACE_LENGTH: Final = 16
End = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Anchor:
    """`writes` counts the transactions of all chains together; it only ever grows.

    `place` is a hash of the address of the database: whatever database is put there later, this one was there.
    """

    database: str
    at_ms: int
    writes: int
    chains: Mapping[str, End] = field(default_factory=dict)
    is_accepted: bool = False
    signature: str | None = None
    place: str = ""
    is_partial: bool = False

    def signed(self, signer: Signer | None) -> "Anchor":
        return replace(self, signature=signer.anchor(self._content()) if signer else None)

    def is_signed_by(self, signer: Signer) -> bool:
        return self.signature == signer.anchor(self._content())

    def short(self) -> "Anchor":
        """Without heads and signature: it fits into a line however many tables there are."""
        return Anchor(self.database, self.at_ms, self.writes)

    def changed_since(self, before: Mapping[str, End]) -> "Anchor":
        """Only with the heads that are not among those named before; to be signed again."""
        changed = {name: end for name, end in self.chains.items() if before.get(name) != end}
        return replace(self, chains=changed, is_partial=True, signature=None)

    def plain(self) -> dict[str, Any]:
        """Lists and not objects, so that no name of a table is ever a key."""
        record: dict[str, Any] = {"event": KIND, "database": self.database, "at": self.at_ms, "writes": self.writes}
        if self.chains:
            record["chains"] = [[name, *end] for name, end in sorted(self.chains.items())]
        if self.is_accepted:
            record["accepted"] = True
        if self.is_partial:
            record["partial"] = True
        if self.place:
            record["place"] = self.place
        if self.signature:
            record["signature"] = self.signature
        return record

    def line(self) -> bytes:
        return orjson.dumps(self.plain(), option=orjson.OPT_APPEND_NEWLINE)

    def _content(self) -> bytes:
        record = self.plain()
        record.pop("signature", None)
        return orjson.dumps(record, option=orjson.OPT_SORT_KEYS)


async def current_anchor(connection: AsyncConnection, at_ms: int) -> Anchor:
    """The books as this connection sees them.

    The anchor is signed only if every head is: a signature must not vouch for a head that another program wrote.
    """
    rows = (await connection.execute(select(chains.c.name, *HEAD_COLUMNS, chains.c.signature))).all()
    heads = {name: Head(*head) for name, *head, _ in rows}
    anchor = Anchor(
        await database_id(connection),
        at_ms,
        sum(head.writes for head in heads.values()),
        {name: head.end for name, head in heads.items() if head.seq},
        place=place_hash(connection.engine.url),
    )
    signer = signer_of(connection)
    genuine = all(is_genuine(signer, name, heads[name], signature) for name, *_, signature in rows)
    return anchor.signed(signer if genuine else None)


def place_hash(url: URL) -> str:
    place = str(file_of(url).resolve()) if url.get_backend_name() == "sqlite" else place_of(url)
    return hashlib.sha256(place.encode()).hexdigest()[:_PLACE_LENGTH]


def anchors_in(file: Path, database: str) -> list[Anchor]:
    """Those of one database, in the order they were written; other lines are ignored. Raises OSError."""
    found = _anchors(_objects(file.read_bytes(), database.encode()))
    return [anchor for anchor in found if anchor.database == database]


def anchors_at(file: Path, place: str) -> list[Anchor]:
    """Those of any database at one place, in the order they were written. Raises OSError."""
    return [anchor for anchor in _anchors(_objects(file.read_bytes(), place.encode())) if anchor.place == place]


def in_force(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Without those that say how far the books had come before an older state was accepted."""
    valid: list[Anchor] = []
    for anchor in anchors:
        if anchor.is_accepted:
            valid = [_up_to(earlier, anchor) for earlier in valid]
        valid.append(anchor)
    return valid


def anchored_heads(anchors: Iterable[Anchor]) -> dict[str, End]:
    """The newest anchored head of every chain; a full anchor says which chains there are."""
    heads: dict[str, End] = {}
    for anchor in anchors:
        if anchor.chains and not anchor.is_partial:
            heads = {}
        heads |= anchor.chains
    return heads


def _up_to(earlier: Anchor, accepted: Anchor) -> Anchor:
    kept = {name: end for name, end in earlier.chains.items() if end[0] <= accepted.chains.get(name, (0, ""))[0]}
    return replace(earlier, writes=min(earlier.writes, accepted.writes), chains=kept, is_accepted=False, signature=None)


def _objects(content: bytes, wanted: bytes) -> Iterator[Any]:
    """Lines of JSON, or one JSON document with an anchor in it, such as the manifest of a backup."""
    try:
        whole = orjson.loads(content)
    except ValueError:
        for line in content.splitlines():
            if wanted in line:
                try:
                    yield orjson.loads(line)
                except ValueError:  # half a line: the machine went down while it was written
                    continue
    else:
        yield whole.get("anchor", whole) if isinstance(whole, dict) else whole


def _anchors(objects: Iterable[Any]) -> Iterator[Anchor]:
    for record in objects:
        if not isinstance(record, dict) or record.get("event") != KIND:
            continue
        try:
            heads = {str(name): (int(seq), str(digest)) for name, seq, digest in record.get("chains", ())}
            yield Anchor(
                str(record["database"]),
                int(record["at"]),
                int(record["writes"]),
                heads,
                record.get("accepted") is True,
                record.get("signature"),
                str(record.get("place", "")),
                record.get("partial") is True,
            )
        except (KeyError, TypeError, ValueError):
            continue
