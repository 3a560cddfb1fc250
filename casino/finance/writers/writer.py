"""Interface of all writers. A writer fills one file; its caller places or deletes that file."""

from typing import Protocol

from casino.finance.columns import Part, Totals


class Writer(Protocol):
    def add(self, part: Part) -> None: ...

    def close(self, totals: Totals) -> None:
        """Completes the file; no rows may follow."""

    def abandon(self) -> None:
        """Abandons the file, after a cancellation or on a full disk, without spending time on it."""
