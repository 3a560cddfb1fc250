"""Small values that several events of a tournament carry."""

from enum import StrEnum
from typing import NamedTuple


class EntrySeat(NamedTuple):
    table_no: int
    seat_no: int
    entry_id: str


class EntryAmount(NamedTuple):
    entry_id: str
    amount: int


class BustRecord(NamedTuple):
    """`eliminators` are the entries that share the head, clockwise from the button."""

    entry_id: str
    start: int
    eliminators: tuple[str, ...]


class RefundRecord(NamedTuple):
    entry_id: str
    fees: int
    share: int
    bounty: int
    ticket: int | None


class RefundProposal(NamedTuple):
    """A cancellation outside the published cases that a second person has to approve."""

    reason: str
    by: str


class PauseReason(StrEnum):
    BREAK = "break"
    ADD_ON = "add_on"
    RESTART = "restart"  # the server stood still, and with it the level clock
