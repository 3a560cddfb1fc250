"""Independent implementation of the scheme in docs/fairness.md, from the specification and the standard library alone.

HMAC is spelled out (RFC 2104), so that not even its implementation is shared with the code under test.
Run as a script it writes the vectors that the Python and the TypeScript verifier are tested with.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent.parent / "vectors" / "fairness.json"
BLOCK = 64


def oracle_commitment(table_id: str, round_id: str, server_seed: str) -> str:
    return hashlib.sha256(f"v2|{table_id}|{round_id}|{server_seed}".encode("ascii")).hexdigest()


def oracle_hmac(key: bytes, message: bytes) -> bytes:
    padded = key.ljust(BLOCK, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def oracle_player(table_id: str, round_id: str, server_seed: str, user_id: str) -> str:
    message = f"v2|{table_id}|{round_id}|player|{user_id}".encode("ascii")
    return oracle_hmac(bytes.fromhex(server_seed), message).hex()[:16]


def oracle_deck(table_id: str, round_id: str, server_seed: str, seeds: list[dict[str, str]]) -> list[str]:
    in_order = sorted(seeds, key=lambda one: (one["player"], one["seed"]))
    listed = ",".join(f'{{"player":{json.dumps(one["player"])},"seed":{json.dumps(one["seed"])}}}' for one in in_order)
    message = f"v2|{table_id}|{round_id}|[{listed}]"
    words: list[int] = []
    for i in range(40):
        block = oracle_hmac(bytes.fromhex(server_seed), f"{message}|{i}".encode("ascii"))
        words += [int.from_bytes(block[k : k + 4], "big") for k in range(0, 32, 4)]
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    for j in range(51, 0, -1):
        while words[0] >= 2**32 - 2**32 % (j + 1):
            words.pop(0)
        k = words.pop(0) % (j + 1)
        deck[j], deck[k] = deck[k], deck[j]
    return deck


OWN_PLACES = {
    **{f"seat_{seat}_card_{card}": 2 * (seat - 1) + card - 1 for seat in range(1, 8) for card in (1, 2)},
    **{slot: 14 + place for place, slot in enumerate(("flop_1", "flop_2", "flop_3", "turn", "river"))},
    "dealer_1": 19,
    "dealer_2": 20,
}
SHARED_SLOTS = ("player_1", "player_2", "flop_1", "flop_2", "flop_3", "turn", "river", "dealer_1", "dealer_2")

CASES: list[dict[str, Any]] = [
    {"name": "no contributed seed", "round_id": "rFirst", "server_seed": "00" * 32, "users": {}},
    {"name": "one player", "round_id": "rSecond", "server_seed": "0123456789abcdef" * 4, "users": {"u1": "lucky 7"}},
    {
        "name": "characters that JSON escapes",
        "round_id": "r-Third_3",
        "server_seed": "fedcba9876543210" * 4,
        "users": {"u1": '"quoted" \\ back|slash', "u2": "~", "u3": " ", "u4": "{}[],:/<>&'" + "x" * 53},
    },
    {
        "name": "own hands, seats 2 and 5",
        "round_id": "rFourth",
        "server_seed": hashlib.sha256(b"four").hexdigest(),
        "users": {"u2": "a", "u5": "b"},
        "seats": (2, 5),
    },
    {
        "name": "a hundred players",
        "round_id": "rFifth",
        "server_seed": hashlib.sha256(b"five").hexdigest(),
        "users": {f"user{number}": f"{number:x}" * 3 for number in range(100)},
    },
]


def vector(case: dict[str, Any]) -> dict[str, Any]:
    ids = ("uth-1", case["round_id"])
    server_seed = case["server_seed"]
    players = {user: oracle_player(*ids, server_seed, user) for user in case["users"]}
    seeds = [{"player": players[user], "seed": seed} for user, seed in case["users"].items()]
    seeds.sort(key=lambda one: (one["player"], one["seed"]))
    deck = oracle_deck(*ids, server_seed, seeds)
    seats = case.get("seats", ())
    slots = [slot for slot in OWN_PLACES if not slot.startswith("seat_") or int(slot[5]) in seats]
    places = [OWN_PLACES[slot] for slot in slots] if seats else list(range(9))
    return {
        "name": case["name"],
        "players": players,
        "proof": {
            "version": 2,
            "table_id": ids[0],
            "round_id": ids[1],
            "commitment": oracle_commitment(*ids, server_seed),
            "server_seed": server_seed,
            "seeds": seeds,
            "deck": deck,
            "dealt": [deck[place] for place in places],
            "slots": slots if seats else list(SHARED_SLOTS),
        },
    }


if __name__ == "__main__":
    VECTORS.write_text(json.dumps([vector(case) for case in CASES], indent=1) + "\n")
