"""Fairness proof of a machine-dealt round: built from the journal, and checkable by anyone.

A proof is plain JSON and needs nothing but itself to be checked. It is judged by the cards the round was settled on.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from casino.cards.card import Card
from casino.cards.commitment import Shoe, broken_promises
from casino.cards.seeded_shuffle import (
    Contribution,
    ServerSeed,
    commit_to_seed,
    is_player_seed,
    opaque_player,
    seeded_deck,
)
from casino.uth.phases import SEATS_MAX, deck_places
from casino.uth.phases import slots as slots_of
from casino.uth.state import Round
from casino.uth.terms import Layout

_TEXTS: Final = {
    1: ("table_id", "round_id", "commitment", "secret"),
    2: ("table_id", "round_id", "commitment", "server_seed"),
}
_SEAT: Final = re.compile(f"seat_[1-{SEATS_MAX}]_card_[12]")


class MalformedProofError(ValueError):
    """The document is not a fairness proof."""


def contributions_of(round_: Round, server_seed: ServerSeed) -> list[Contribution]:
    """The seeds of the bets that stood when betting closed, sorted by opaque id."""
    return sorted(
        Contribution(opaque_player(server_seed, round_.table_id, round_.round_id, seat.player_id), seat.seed)
        for seat in round_.seats.values()
        if seat.seed is not None
    )


def deck_of(round_: Round, server_seed: ServerSeed) -> tuple[Card, ...]:
    """The deck of a round whose betting is closed."""
    return seeded_deck(server_seed, round_.table_id, round_.round_id, contributions_of(round_, server_seed))


def card_at(round_: Round, deck: Sequence[Card], slot: str) -> Card:
    return deck[deck_places(is_shared=round_.terms.layout is Layout.SHARED)[slot]]


def keeps_commitment(round_: Round, server_seed: ServerSeed) -> bool:
    return commit_to_seed(server_seed, round_.table_id, round_.round_id) == round_.commitment


def faults_in(proof: Mapping[str, Any]) -> list[str]:
    """Everything wrong with a proof, in sentences; an empty list proves the round fair.

    Raises `MalformedProofError` for a document that is not a proof.
    """
    version = _verified_version(proof)
    deck, dealt = tuple(map(Card, proof["deck"])), tuple(map(Card, proof["dealt"]))
    if version == 1:
        return broken_promises(proof["commitment"], Shoe(deck, proof["secret"]), dealt)
    try:
        server_seed = ServerSeed(proof["server_seed"])
    except ValueError:
        return ["The server seed is not 64 lower-case hexadecimal digits."]
    return [
        *_commitment_faults(proof, server_seed),
        *_deck_faults(proof, server_seed, deck),
        *_dealt_faults(proof["slots"], dealt, deck),
    ]


def cards_missing(proof: Mapping[str, Any]) -> int:
    """How many cards of a settled round the proof does not list. Raises nothing for a proof without faults."""
    listed = proof.get("slots")
    seats = {int(slot[5]) for slot in listed if _SEAT.fullmatch(str(slot))} if isinstance(listed, list) else ()
    return len(slots_of(sorted(seats))) - len(proof["dealt"])


def _verified_version(proof: object) -> int:
    if not isinstance(proof, Mapping) or type(proof.get("version")) is not int or proof["version"] not in _TEXTS:
        raise MalformedProofError("The document is not a fairness proof of version 1 or 2.")
    version: int = proof["version"]
    if version == 1 and not proof.keys().isdisjoint({"server_seed", "seeds"}):
        raise MalformedProofError("The proof claims version 1, but has the seeds of a round of version 2.")
    for name in _TEXTS[version]:
        if not _is_ascii_text(proof.get(name)):
            raise MalformedProofError(f"The proof has no ASCII text named {name}.")
    for name in ("deck", "dealt") if version == 1 else ("deck", "dealt", "slots"):
        listed = proof.get(name)
        if not isinstance(listed, list) or not all(map(_is_ascii_text, listed)):
            raise MalformedProofError(f"The proof has no list of ASCII texts named {name}.")
    if version == 2 and not _are_contributions(proof.get("seeds")):
        raise MalformedProofError("The proof has no list of players and seeds named seeds.")
    return version


def _are_contributions(seeds: object) -> bool:
    return isinstance(seeds, list) and all(
        isinstance(one, dict) and set(one) == {"player", "seed"} and _is_ascii_text(one["player"]) for one in seeds
    )


def _is_ascii_text(value: object) -> bool:
    return isinstance(value, str) and value.isascii()


def _commitment_faults(proof: Mapping[str, Any], server_seed: ServerSeed) -> list[str]:
    if commit_to_seed(server_seed, proof["table_id"], proof["round_id"]) == proof["commitment"]:
        return []
    return ["The revealed server seed does not give the commitment published before betting."]


def _deck_faults(proof: Mapping[str, Any], server_seed: ServerSeed, deck: Sequence[Card]) -> list[str]:
    seeds = proof["seeds"]
    if not all(is_player_seed(one["seed"]) for one in seeds):
        return ["A contributed seed is not 1 to 64 printable ASCII characters."]
    listed = [Contribution(one["player"], one["seed"]) for one in seeds]
    faults = []
    if listed != sorted(listed) or len({one.player for one in listed}) != len(listed):
        faults.append("The contributed seeds are not sorted, or a player is listed twice.")
    if seeded_deck(server_seed, proof["table_id"], proof["round_id"], listed) != tuple(deck):
        faults.append("The seeds do not give the published deck.")
    return faults


def _dealt_faults(slots: Sequence[str], dealt: Sequence[Card], deck: Sequence[Card]) -> list[str]:
    seats = sorted({int(slot[5]) for slot in slots if _SEAT.fullmatch(slot)})
    if len(slots) != len(dealt) or tuple(slots) != slots_of(seats)[: len(slots)]:
        return ["The cards settled on are not listed without a gap, each at its place, in dealing order."]
    places = deck_places(is_shared=not seats)
    found = dict(enumerate(deck))
    return [
        f"The card settled on at {slot} is {card}, and {found.get(places[slot], 'none')} in the deck."
        for slot, card in zip(slots, dealt, strict=True)
        if found.get(places[slot]) != card
    ]
