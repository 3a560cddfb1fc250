"""Independent implementation of the commitment to single cards, from the specification: recursive, over bytes.

Run as a script it writes the vectors that the Python and the TypeScript verifier are tested with.
"""

import json
import random
from hashlib import sha256
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent.parent / "vectors" / "card_proofs.json"
RANKS, SUITS = "23456789TJQKA", "cdhs"


def subtree(leaves: list[bytes]) -> bytes:
    """The hash over these leaves, whose number is a power of two."""
    if len(leaves) == 1:
        return leaves[0]
    half = len(leaves) // 2
    return sha256(subtree(leaves[:half]) + subtree(leaves[half:])).digest()


def siblings(leaves: list[bytes], index: int) -> list[str]:
    """Sibling hashes on the way from this leaf to the root, the lowest first."""
    if len(leaves) == 1:
        return []
    half = len(leaves) // 2
    if index < half:
        return [*siblings(leaves[:half], index), subtree(leaves[half:]).hex()]
    return [*siblings(leaves[half:], index - half), subtree(leaves[:half]).hex()]


def vector(name: str, seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    deck = [rank + suit for rank in RANKS for suit in SUITS]
    chance.shuffle(deck)
    salts = [chance.randbytes(32) for _ in deck]
    leaves = [
        sha256(salt + index.to_bytes() + card.encode("ascii")).digest()
        for index, (card, salt) in enumerate(zip(deck, salts, strict=True))
    ]
    leaves += [b"\0" * 32] * 12
    shown = sorted(chance.sample(range(52), 7)) if seed else list(range(52))
    proofs = [
        {"index": index, "card": deck[index], "salt": salts[index].hex(), "path": siblings(leaves, index)}
        for index in shown
    ]
    return {
        "name": name,
        "deck": deck,
        "salts": [salt.hex() for salt in salts],
        "root": subtree(leaves).hex(),
        "proofs": proofs,
    }


def vectors() -> list[dict[str, Any]]:
    return [vector("a whole deck", 0), vector("seven cards", 1), vector("seven others", 2)]


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n")
