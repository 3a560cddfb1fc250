"""Fairness proofs of machine-dealt rounds, public once the round is over."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from casino.cards.commitment import Shoe
from casino.cards.seeded_shuffle import ServerSeed, seeded_deck
from casino.uth.fairness import contributions_of
from casino.uth.state import Round
from casino.wire.common import Card, Sha256


class SeedContribution(TypedDict):
    """A player's seed, under an opaque id that is new in every round."""

    player: str
    seed: str


class FairnessProof(TypedDict):
    """Proof that the deck of a machine-dealt round follows from its seeds, and the cards it was settled on.

    Version 1 has `secret`; version 2 has `server_seed` and `seeds`.
    """

    version: Literal[1, 2]
    table_id: str
    round_id: str
    commitment: Sha256
    secret: NotRequired[str]
    server_seed: NotRequired[Sha256]
    seeds: NotRequired[list[SeedContribution]]
    deck: list[Card]
    dealt: list[Card]
    """The cards settled on, in dealing order."""
    slots: list[str]
    """Slot of each of these cards; every slot has a fixed place in the deck."""


class Fairness(FairnessProof):
    own_id: NotRequired[str]
    """Id under which this player's seed is listed."""


def proof_of(round_: Round) -> FairnessProof | None:
    """The proof of a round whose server seed is revealed."""
    if round_.server_seed is None or round_.commitment is None:
        return None
    server_seed = ServerSeed(round_.server_seed)
    contributions = contributions_of(round_, server_seed)
    return {
        "version": 2,
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "commitment": round_.commitment,
        "server_seed": server_seed.hex,
        "seeds": [{"player": one.player, "seed": one.seed} for one in contributions],
        "deck": list(seeded_deck(server_seed, round_.table_id, round_.round_id, contributions)),
        "dealt": list(round_.cards),
        "slots": _dealt_slots(round_),
    }


def proof_of_shoe(round_: Round, shoe: Shoe) -> FairnessProof:
    """The proof of a round with a commitment of version 1."""
    assert round_.commitment is not None, "a shoe is sealed under its commitment"
    return {
        "version": 1,
        "table_id": round_.table_id,
        "round_id": round_.round_id,
        "commitment": round_.commitment,
        "secret": shoe.secret,
        "deck": list(shoe.deck),
        "dealt": list(round_.cards),
        "slots": _dealt_slots(round_),
    }


def _dealt_slots(round_: Round) -> list[str]:
    return list(round_.slots[: len(round_.cards)])
