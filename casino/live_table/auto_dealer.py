"""Automatic dealer: commits to a server seed before betting opens, and deals from the deck derived from it.

A presenter's table has an instance too, which deals nothing.
"""

from typing import Final

from casino.cards.card import Card
from casino.cards.commitment import Shoe, commitment_of
from casino.cards.seeded_shuffle import ServerSeed, commit_to_seed
from casino.cards.shuffle import new_server_seed
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.shoe import Seal, next_card
from casino.uth.fairness import card_at, deck_of, keeps_commitment
from casino.uth.state import Round

_STREETS: Final = frozenset({"flop_1", "turn", "dealer_1"})
_PAUSE_CARDS: Final = 3
"""Without a decision between two streets the dealer pauses as long as for this many cards, so that players can look."""


class ShoeLostError(Exception):
    """The cards to come are unknown: the stored secret is missing, not the committed one, or its key is lost."""


class AutoDealer:
    def __init__(self, unit_of_work: TableUnitOfWork, seal: Seal, *, is_machine: bool, card_ms: int) -> None:
        self.is_machine = is_machine
        self.due_ms = 0  # time of the next card; immediate after a restart
        self._unit_of_work = unit_of_work
        self._seal = seal
        self._card_ms = card_ms
        self._dealt = 0  # cards out at the last step
        self._server_seed: ServerSeed | None = None
        self._deck: tuple[Card, ...] | None = None
        self._shoe: Shoe | None = None  # of a round of version 1 that was open when the service was upgraded

    def is_dealers_turn(self, round_: Round | None) -> bool:
        """Whether the next step is a card of the automatic dealer."""
        return self.is_machine and round_ is not None and round_.expects is not None and not round_.paused

    def after(self, round_: Round, now_ms: int) -> None:
        """Schedules the next card after a step of the round."""
        follows_card, self._dealt = len(round_.cards) > self._dealt, len(round_.cards)
        if self.is_dealers_turn(round_):
            cards = _PAUSE_CARDS if follows_card and round_.expects in _STREETS else 1
            self.due_ms = now_ms + cards * self._card_ms

    def commit(self, table_id: str, round_id: str) -> tuple[str | None, str | None]:
        """Creates a server seed for the round: the commitment to publish, and the sealed seed to store."""
        self.drop_shoe()
        if not self.is_machine:
            return None, None
        self._server_seed = new_server_seed()
        return commit_to_seed(self._server_seed, table_id, round_id), self._seal.close(self._server_seed)

    def drop_shoe(self) -> None:
        """Forgets the secrets of the last round; those of the current one are read from the database when needed."""
        self._server_seed, self._deck, self._shoe = None, None, None

    async def card(self, round_: Round) -> Card:
        """Returns the next card; raises `ShoeLostError`."""
        assert round_.expects is not None
        if round_.commitment_version == 1:
            if self._shoe is None:
                self._shoe = await self._stored_shoe(round_)
            return next_card(self._shoe, round_.cards)
        if self._deck is None:
            self._deck = deck_of(round_, self._server_seed or await self._stored_seed(round_))
        return card_at(round_, self._deck, round_.expects)

    async def _stored_seed(self, round_: Round) -> ServerSeed:
        """Reads the stored seed after a restart; with the contributed seeds in the journal it yields the same deck."""
        sealed = await self._unit_of_work.sealed_shoe(round_.round_id)
        server_seed = self._seal.open_seed(sealed) if sealed else None
        if server_seed is None or not keeps_commitment(round_, server_seed):
            raise ShoeLostError(round_.round_id)
        return server_seed

    async def _stored_shoe(self, round_: Round) -> Shoe:
        sealed = await self._unit_of_work.sealed_shoe(round_.round_id)
        shoe = self._seal.open_shoe(sealed) if sealed else None
        if shoe is None or commitment_of(shoe) != round_.commitment:
            raise ShoeLostError(round_.round_id)
        return shoe
