"""What every writer does. It writes into a file that is its own; what becomes of the file is not its business."""

from typing import Protocol

from casino.finance.columns import Part, Totals


class Writer(Protocol):
    def add(self, part: Part) -> None: ...

    def close(self, totals: Totals) -> None:
        """Nothing more comes; the file is whole afterwards."""

    def abandon(self) -> None:
        """Somebody stopped it or the disk is full: what is there is of no use, and no time is spent on it."""
