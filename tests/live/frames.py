"""Reads every message a client received, in order, and finds cards that are not public yet.

What may be known at a table is what its last `round` shows, and what a `round` may show depends on its phase.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.live.clients import payload_of
from tests.live.service import Json

CARD = re.compile(r"(?<![0-9A-Za-z_-])[2-9TJQKA][cdhs](?![0-9A-Za-z_-])")
_NOT_CARDS = frozenset({"round_id", "commitment", "name", "sid", "from", "text", "table_id", "player_id"})

# phase: how many cards a player hand, the board and the dealer may show: least and most
SHOWN: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    "idle": ((0, 0), (0, 0), (0, 0)),
    "betting": ((0, 0), (0, 0), (0, 0)),
    "dealing_hole": ((0, 2), (0, 0), (0, 0)),
    "deciding_preflop": ((2, 2), (0, 0), (0, 0)),
    "dealing_flop": ((2, 2), (0, 3), (0, 0)),
    "deciding_flop": ((2, 2), (3, 3), (0, 0)),
    "dealing_river": ((2, 2), (3, 5), (0, 0)),
    "deciding_river": ((2, 2), (5, 5), (0, 0)),
    "showdown": ((2, 2), (5, 5), (0, 2)),
    "settled": ((2, 2), (5, 5), (2, 2)),
    "cancelled": ((0, 2), (0, 5), (0, 2)),
}


_SAID_BY_STAFF = ("deck", "proposal")
"""A deck is counted between rounds; cards in a manager's proposal are face up on a presenter's table."""


def cards_in(value: object, key: str = "") -> Iterator[str]:
    """Every text that looks like a card, in any place."""
    if isinstance(value, str):
        if key not in _NOT_CARDS:
            yield from CARD.findall(value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in _SAID_BY_STAFF:
                yield from cards_in(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from cards_in(inner, key)


def verify_frames(frames: Iterable[str]) -> int:
    """Raises if one client was shown too much; the answer is how many messages were read."""
    known: dict[str, set[str]] = {}
    count = 0
    for frame in frames:
        payload = payload_of(frame)
        if payload is None:
            continue
        count += 1
        for view in _rounds_in(payload):
            known[view["table_id"]] = _verify_round(view)
        if _is_echo(payload[-1]):
            continue
        everything_known = set().union(*known.values())
        assert set(cards_in(payload)) <= everything_known, f"a card that is not on the table: {frame}"
    return count


def _is_echo(body: object) -> bool:
    """A refusal that names the card the client itself has just sent."""
    error = body.get("error") if isinstance(body, dict) else None
    return isinstance(error, dict) and error["code"] in ("bad_card", "duplicate_card")


def _rounds_in(payload: list[Any]) -> Iterator[Json]:
    body = payload[-1]
    if isinstance(body, dict):
        if payload[0] == "round":
            yield body
        for holder in (body, body.get("host")):
            if isinstance(holder, dict) and isinstance(holder.get("round"), dict):
                yield holder["round"]


def _verify_round(view: Json) -> set[str]:
    hands = [seat["player_cards"] for seat in view["seats"]] if "seats" in view else [view["player_cards"]]
    hand, board, dealer = SHOWN[view["phase"]]
    for cards in hands:
        assert hand[0] <= len(cards) <= hand[1], view
    assert board[0] <= len(view["board"]) <= board[1], view
    assert dealer[0] <= len(view["dealer_cards"]) <= dealer[1], view
    assert (view["dealer_hand"] is None) == (len(view["dealer_cards"]) < 2), view
    return {card for cards in (*hands, view["board"], view["dealer_cards"]) for card in cards}
