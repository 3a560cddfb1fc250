"""The deck in a presenter's hands: counted card by card before a shift or when it is changed.

Decides whether a deck is whole: 52 cards, each read once, nothing else read. Who may count, and when, is decided by
the table; what a scanner's code means is the settings' business.
"""

from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.cards.card import DECK, Card
from casino.errors import Code, Refusal
from casino.settings import TableSettings
from casino.storage.bulk import insert_rows
from casino.storage.schema import deck_counts, rounds
from casino.table.messages import Payload

FINDINGS_MAX: Final = 60
"""So many wrong readings are remembered; a presenter starts again long before."""


@dataclass(frozen=True, slots=True)
class Count:
    """A count under way. One wrong reading spoils it: a second ace of spades is what it is for."""

    deck: str
    by: str
    cards: tuple[Card, ...] = ()
    duplicates: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()

    @property
    def missing(self) -> list[Card]:
        return [card for card in DECK if card not in self.cards]

    @property
    def is_whole(self) -> bool:
        return not self.missing and not self.duplicates and not self.foreign

    def read(self, code: str, table: TableSettings) -> tuple["Count", Refusal | None]:
        """The count after this reading, and what is wrong with it."""
        try:
            card = table.scanner.card_of(code, self.deck)
        except Refusal as refusal:
            return replace(self, foreign=(*self.foreign, code)[-FINDINGS_MAX:]), refusal
        if card in self.cards:
            twice = replace(self, duplicates=(*self.duplicates, card)[-FINDINGS_MAX:])
            return twice, Refusal(Code.DUPLICATE_CARD, f"{card} was counted already. Set it aside, count again.")
        return replace(self, cards=(*self.cards, card)), None

    def view(self) -> Payload:
        return {
            "deck": self.deck,
            "by": self.by,
            "cards": list(self.cards),
            "missing": self.missing,
            "duplicates": list(self.duplicates),
            "foreign": list(self.foreign),
        }


@dataclass(frozen=True, slots=True)
class Deck:
    """`name` is empty where decks have none; `rounds_since` the count counts the rounds begun with it."""

    name: str = ""
    counted_by: str | None = None
    counted_ms: int | None = None
    rounds_since: int = 0
    count: Count | None = None

    def is_due(self, table: TableSettings) -> bool:
        """Whether betting must not open before the deck is counted."""
        within = table.deck.count_within_rounds
        return bool(within) and (self.counted_ms is None or self.rounds_since >= within)

    def verify_ready(self, table: TableSettings) -> None:
        if self.count:
            raise Refusal(Code.NOT_EXPECTED, "The deck is being counted. Finish the count first.")
        if self.is_due(table):
            raise Refusal(Code.NOT_EXPECTED, "Count the deck before the next round.")

    def counted(self, by: str, at_ms: int) -> "Deck":
        assert self.count, "only a count under way can end"
        return Deck(self.count.deck, by, at_ms)

    def view(self, table: TableSettings) -> Payload:
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


async def load_deck(connection: AsyncConnection, table: TableSettings) -> Deck:
    """As an earlier run left it."""
    row = (await connection.execute(select(deck_counts).where(deck_counts.c.table_id == table.id))).first()
    if row is None or (table.scanner.decks and row.deck not in table.scanner.decks):
        return Deck(table.scanner.first_deck)
    begun = select(func.count()).where(rounds.c.table_id == table.id, rounds.c.started_ms > row.counted_ms)
    return Deck(row.deck, row.counted_by, row.counted_ms, (await connection.execute(begun)).scalar_one())


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
    """A count that was given up, for the audit log: what was found is worth knowing."""
    found = {"missing": count.missing, "duplicates": count.duplicates, "foreign": count.foreign}
    return audit_log.Entry(count.by, "presenter", "deck_not_whole", f"table {table_id}", after=found)
