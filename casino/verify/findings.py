"""Findings of a verification: one check per invariant, and one fault per row that violates it.

It counts and words findings; other modules find them.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

FAULTS_NAMED_MAX: Final = 100
"""Faults listed per check; more are only counted."""


@dataclass(slots=True)
class Check:
    """`holds` is a sentence that is true of all counted rows, if there is no fault."""

    rows: str
    holds: str
    counted: int = 0
    faults: list[str] = field(default_factory=list)
    unnamed: int = 0

    def fault(self, text: str) -> None:
        """The text begins with the faulty row."""
        if self.is_full:
            self.unnamed += 1
        else:
            self.faults.append(text)

    @property
    def is_ok(self) -> bool:
        return not self.faults

    @property
    def is_full(self) -> bool:
        """Whether no more faults are listed."""
        return len(self.faults) >= FAULTS_NAMED_MAX

    @property
    def lines(self) -> list[str]:
        if self.is_ok:
            return [f"ok      {self.counted:,} {self.rows}: {self.holds}"]
        more = [f"BROKEN  {self.rows}: {self.unnamed:,} more"] if self.unnamed else []
        return [*(f"BROKEN  {self.rows}: {fault}" for fault in self.faults), *more]


class Findings:
    """All checks, in order of the report."""

    def __init__(self) -> None:
        self.operations = Check("operations", "as they were written, with their postings numbered from 0 without a gap")
        self.postings = Check("postings", "between two accounts of their currency, never from player to player")
        self.currencies = Check("currencies", "all accounts together are exactly zero")
        self.kinds = Check("players' currencies", "each is of one kind of money, as configured")
        self.accounts = Check("accounts", "each is what its name says, its balance is the sum of its postings")
        self.holds = Check("holds", "the open ones add up to what is held, the captured ones are the stakes of a round")
        self.rounds = Check("rounds", "replayed from the journal; status, number and times are the journal's")
        self.fairness = Check("machine-dealt rounds", "the cards settled on follow from the seeds they committed to")
        self.settlements = Check("rounds", "captured, played, settled or refunded again, exactly as they are posted")
        self.settled = Check("settled seats", "exported as the journal leads to them, field by field")
        self.escrows = Check("escrows", "empty after the round, and before it exactly what was staked")
        self.seats = Check("seats", "exactly those who had bet when betting closed, in their currency")
        self.unfinished = Check("unfinished rounds", "at most one at each table")
        self.journal = Check("journal rows", "linked without a gap, each as it was written")
        self.audit = Check("audit rows", "linked without a gap, each as it was written")
        self.signatures = Check("signatures", "of rows and heads, each made with the key in force and right")
        self.anchors = Check("anchors", "every head anchored outside is a row of the books, which are no older state")
        self.credits = Check("credits", "in the audit log as in the ledger, and none only there")
        self.receivables = Check("receivables", "booked, netted or written off as in the audit log, by two people")
        self.payments = Check("payments", "each has moved what its status says, and nothing else has")
        self.tips = Check("tips", "each from a player to a presenter, and nothing else is in a presenter's jar")
        self.poker_hands = Check("poker hands", "replayed and posted as they ended, each with the deck promised before")
        self.poker_decks = Check("poker decks", "the cards on the table are those of the sealed deck, at their places")
        self.poker_seats = Check("sittings at poker tables", "bought in and left as posted; all chips belong to one")
        self.poker_reports = Check("reports of poker players", "in the audit log as stored, and none only there")
        self.tournaments = Check("tournaments", "replayed and posted event by event; those that are over end at zero")
        self.closed_days = Check("closed days", "rows, totals and hashes of their exports are as they were closed")
        self.incidents = Check("incidents and corrections", "in the audit log as in the journal, and none only there")
        self.people = Check("accounts of people", "with the name, role, currency and state of the audit log")
        self.second_person = Check("proposals of staff", "proposed and answered by the people the audit log names")

        self.unchecked_rounds: Counter[str] = Counter()  # rounds of commitment version 1 not checked, by reason
        self.unchecked_decks = 0  # poker hands whose deck was not checked, for lack of its key
        self.unchecked_rows: dict[str, int] = {}  # rows whose signature was not checked, by reason

    @property
    def checks(self) -> list[Check]:
        return [check for check in vars(self).values() if isinstance(check, Check)]

    @property
    def is_ok(self) -> bool:
        return all(check.is_ok for check in self.checks)
