"""The machine that deals where no presenter does: its shoe from the promise to the last card, and its pace.

A presenter's table has one as well, which keeps its hands off the cards.
"""

from casino.cards.card import Card
from casino.cards.commitment import Shoe, commitment_of
from casino.table.bookkeeping import Bookkeeper
from casino.table.shoe import Seal, fresh_shoe, next_card
from casino.uth.state import Round


class ShoeLostError(Exception):
    """The shoe is not in the books, or was sealed with another secret key: the cards to come are not known."""


class Dealing:
    def __init__(self, bookkeeper: Bookkeeper, seal: Seal, *, is_machine: bool, card_ms: int) -> None:
        self.is_machine = is_machine
        self.due_ms = 0  # when the next card lies; after a restart at once
        self._bookkeeper = bookkeeper
        self._seal = seal
        self._card_ms = card_ms
        self._shoe: Shoe | None = None

    def deals(self, round_: Round | None) -> bool:
        """Whether the next thing to happen is a card of the machine."""
        return self.is_machine and round_ is not None and round_.expects is not None and not round_.paused

    def after(self, round_: Round, now_ms: int) -> None:
        """Something has happened: the next card takes its time from here."""
        if self.deals(round_):
            self.due_ms = now_ms + self._card_ms

    def shuffle(self) -> tuple[str | None, str | None]:
        """A new shoe: its promise for everybody, and itself, sealed, for the books."""
        self._shoe = fresh_shoe() if self.is_machine else None
        return (commitment_of(self._shoe), self._seal.close(self._shoe)) if self._shoe else (None, None)

    def forget(self) -> None:
        """Which shoe the round has is not known here: it is looked up before the first card."""
        self._shoe = None

    async def card(self, round_: Round) -> Card:
        """The next one; raises `ShoeLostError`."""
        if self._shoe is None:
            self._shoe = await self._stored(round_.round_id)
        return next_card(self._shoe, round_.cards)

    async def _stored(self, round_id: str) -> Shoe:
        """After a restart the cards to come are those that were promised before betting."""
        sealed = await self._bookkeeper.sealed_shoe(round_id)
        shoe = self._seal.open(sealed) if sealed else None
        if shoe is None:
            raise ShoeLostError(round_id)
        return shoe
