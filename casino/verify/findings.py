"""What a verification found: one check for each thing that must hold, and a fault for each row where it does not.

It knows how findings are counted and worded, not how they are found.
"""

from dataclasses import dataclass, field
from typing import Final

FAULTS_NAMED_MAX: Final = 100
"""Of each check. If more rows are wrong they are counted; a list of a million helps nobody."""


@dataclass(slots=True)
class Check:
    """`holds` is a sentence that is true of all the rows counted, if there is no fault."""

    rows: str
    holds: str
    counted: int = 0
    faults: list[str] = field(default_factory=list)
    unnamed: int = 0

    def fault(self, text: str) -> None:
        """The text begins with the row that is wrong."""
        if self.is_full:
            self.unnamed += 1
        else:
            self.faults.append(text)

    @property
    def is_ok(self) -> bool:
        return not self.faults

    @property
    def is_full(self) -> bool:
        """Nobody would read what else there is to say."""
        return len(self.faults) >= FAULTS_NAMED_MAX

    @property
    def lines(self) -> list[str]:
        if self.is_ok:
            return [f"ok      {self.counted:,} {self.rows}: {self.holds}"]
        more = [f"BROKEN  {self.rows}: {self.unnamed:,} more"] if self.unnamed else []
        return [*(f"BROKEN  {self.rows}: {fault}" for fault in self.faults), *more]


class Findings:
    """All that is checked, in the order it is reported."""

    def __init__(self) -> None:
        self.operations = Check("operations", "as they were written, with their postings numbered from 0 without a gap")
        self.postings = Check("postings", "between two accounts of their currency, never from player to player")
        self.currencies = Check("currencies", "all accounts together are exactly zero")
        self.accounts = Check("accounts", "each is what its name says, its balance is the sum of its postings")
        self.holds = Check("holds", "the open ones add up to what is held, the captured ones are the stakes of a round")
        self.rounds = Check("rounds", "replayed from the journal; status, number and times are the journal's")
        self.settlements = Check("rounds", "captured, played, settled or refunded anew, exactly as they are posted")
        self.settled = Check("settled seats", "exported as the journal leads to them, field by field")
        self.escrows = Check("escrows", "empty after the round, and before it exactly what was staked")
        self.seats = Check("seats", "exactly those who had bet when betting closed, in their currency")
        self.unfinished = Check("unfinished rounds", "at most one at each table")
        self.journal = Check("journal rows", "linked without a gap, each as it was written")
        self.audit = Check("audit rows", "linked without a gap, each as it was written")
        self.credits = Check("credits", "in the audit log as in the ledger, and none only there")
        self.payments = Check("payments", "each has moved what its status says, and nothing else has")
        self.tips = Check("tips", "each from a player to a presenter, and nothing else is in a presenter's jar")
        self.closed_days = Check("closed days", "rows, totals and hashes of their exports are as they were closed")
        self.incidents = Check("incidents and corrections", "in the audit log as in the journal, and none only there")

    @property
    def checks(self) -> list[Check]:
        return list(vars(self).values())

    @property
    def is_ok(self) -> bool:
        return all(check.is_ok for check in self.checks)
