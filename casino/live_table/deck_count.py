"""Deck count: a presenter's deck, counted card by card before a shift and when the deck is changed.

A deck is complete if 52 cards were read once each, and nothing else. The table decides who may count and when; the
settings map scanner codes to cards.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.cards.card import DECK, Card, written
from casino.errors import Code, Refusal
from casino.settings import TableSettings
from casino.settings.incidents import IncidentClass
from casino.storage.bulk import insert_rows
from casino.storage.schema import deck_counts, journal, rounds
from casino.wire import host_events

REPEATED_MS: Final = 1000
"""The same code read again within this time is one reading."""
_AGAIN: Final = "Read the card in your hand again."
FINDINGS_MAX: Final = 60
"""Bound on remembered wrong readings; a presenter starts again long before."""


@dataclass(frozen=True, slots=True)
class Count:
    """A count in progress. A doubtful reading is asked for again; the same one twice spoils the count.

    `doubt` is the card or code to read again.
    """

    deck: str
    by: str
    cards: tuple[Card, ...] = ()
    duplicates: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    doubt: str = ""
    last: str = ""  # the last reading, and when
    last_ms: int = 0

    @property
    def missing(self) -> list[Card]:
        return [card for card in DECK if card not in self.cards]

    @property
    def is_whole(self) -> bool:
        return not self.missing and not self.duplicates and not self.foreign and not self.doubt

    def read(self, code: str, table: TableSettings, now_ms: int) -> tuple["Count", Refusal | None]:
        """Returns the count after this reading, and its fault if there is one."""
        is_repeated = code == self.last and now_ms - self.last_ms < REPEATED_MS
        seen = replace(self, last=code, last_ms=now_ms)
        try:
            card = table.scanner.card_of(code, self.deck)
        except Refusal as refusal:
            if is_repeated or self.doubt != code:
                return replace(seen, doubt=code), Refusal(refusal.code, f"{refusal.message} {_AGAIN}")
            return replace(
                seen, doubt="", foreign=(*self.foreign, table.scanner.name_of(code))[-FINDINGS_MAX:]
            ), refusal
        if card not in self.cards:
            return replace(seen, cards=(*self.cards, card), doubt=""), None
        if is_repeated and self.doubt != card:
            return seen, None  # the scanner has read one card twice
        counted = f"{written(card)} was already counted."
        if is_repeated or self.doubt != card:
            return replace(seen, doubt=card), Refusal(Code.DUPLICATE_CARD, f"{counted} {_AGAIN}")
        twice = replace(seen, doubt="", duplicates=(*self.duplicates, card)[-FINDINGS_MAX:])
        return twice, Refusal(Code.DUPLICATE_CARD, f"{counted} Set it aside and count again.")

    def view(self) -> host_events.DeckCount:
        return {
            "deck": self.deck,
            "by": self.by,
            "cards": list(self.cards),
            "missing": list(self.missing),
            "duplicates": list(self.duplicates),
            "foreign": list(self.foreign),
            "doubt": self.doubt or None,
        }


@dataclass(frozen=True, slots=True)
class Deck:
    """`name` is empty for unnamed decks; `rounds_since` counts the rounds begun since the last count.

    `is_doubtful` is set by an incident that puts the deck in doubt, until the next complete count.
    """

    name: str = ""
    counted_by: str | None = None
    counted_ms: int | None = None
    rounds_since: int = 0
    is_doubtful: bool = False
    count: Count | None = None

    def is_due(self, table: TableSettings) -> bool:
        """Whether the deck must be counted before betting opens."""
        if table.dealing != "presenter":
            return False
        within = table.deck.count_within_rounds
        return self.is_doubtful or (bool(within) and (self.counted_ms is None or self.rounds_since >= within))

    def verify_ready(self, table: TableSettings) -> None:
        if self.count:
            raise Refusal(Code.NOT_EXPECTED, "A deck count is running. Finish it first.")
        if self.is_due(table):
            raise Refusal(Code.NOT_EXPECTED, "Count the deck before the next round.")

    def counted(self, by: str, at_ms: int) -> "Deck":
        assert self.count, "only a count under way can end"
        return Deck(self.count.deck, by, at_ms)

    def view(self, table: TableSettings) -> host_events.Deck:
        return {
            "name": self.name,
            "names": list(table.scanner.decks),
            "counted_by": self.counted_by,
            "counted_at": self.counted_ms,
            "rounds_since": self.rounds_since,
            "count_within_rounds": table.deck.count_within_rounds,
            "is_due": self.is_due(table),
            "count": self.count.view() if self.count else None,
        }


async def load_deck(connection: AsyncConnection, table: TableSettings, incidents: Mapping[str, IncidentClass]) -> Deck:
    """Loads the deck an earlier run stored. An incident reported since the last count may have put it in doubt."""
    row = (await connection.execute(select(deck_counts).where(deck_counts.c.table_id == table.id))).first()
    if row is None or (table.scanner.decks and row.deck not in table.scanner.decks):
        since_ms = row.counted_ms if row else 0
        return Deck(table.scanner.first_deck, is_doubtful=await _is_doubtful(connection, table.id, since_ms, incidents))
    begun = select(func.count()).where(rounds.c.table_id == table.id, rounds.c.started_ms > row.counted_ms)
    rounds_since = (await connection.execute(begun)).scalar_one()
    is_doubtful = await _is_doubtful(connection, table.id, row.counted_ms, incidents)
    return Deck(row.deck, row.counted_by, row.counted_ms, rounds_since, is_doubtful)


async def _is_doubtful(
    connection: AsyncConnection, table_id: str, since_ms: int, incidents: Mapping[str, IncidentClass]
) -> bool:
    classified = select(journal.c.data).where(
        journal.c.table_id == table_id, journal.c.kind == "incident_classified", journal.c.at_ms > since_ms
    )
    names = {json.loads(data)["incident_class"] for data in (await connection.execute(classified)).scalars()}
    return any(incidents[name].count_deck for name in names & incidents.keys())


async def store_count(connection: AsyncConnection, table_id: str, deck: Deck) -> None:
    row = (table_id, deck.name, deck.counted_by, deck.counted_ms)
    replaced = (
        "ON CONFLICT (table_id) DO UPDATE SET deck = excluded.deck, counted_by = excluded.counted_by, "
        "counted_ms = excluded.counted_ms"
    )
    columns = ("table_id", "deck", "counted_by", "counted_ms")
    await insert_rows(connection, deck_counts, columns, [row], or_else=replaced)
    assert deck.counted_by is not None
    assert deck.counted_ms is not None
    entry = audit_log.Entry(
        deck.counted_by, "presenter", "deck_counted", f"table {table_id}", after={"deck": deck.name, "cards": 52}
    )
    await audit_log.write(connection, entry, deck.counted_ms)


def spoiled(table_id: str, count: Count) -> audit_log.Entry:
    """Audit entry of an abandoned count, with its findings."""
    found = {"missing": count.missing, "duplicates": count.duplicates, "foreign": count.foreign}
    return audit_log.Entry(count.by, "presenter", "deck_not_whole", f"table {table_id}", after=found)
