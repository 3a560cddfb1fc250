"""Reads everything a poker room has sent and stored, and finds cards that a recipient may not know yet.

The decks are opened with the key of the service, after the play. Where each card was follows from what the listener
itself was sent of a hand, so that these checks share no code with the dealer.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import orjson
from sqlalchemy import select

from casino.poker_room.shoe import ShoeSeal
from casino.settings import load_settings
from casino.storage import poker_schema, schema
from casino.storage.database import Database
from casino.storage.secret_key import existing_secret_key
from tests.live.clients import payload_of
from tests.live.frames import cards_in
from tests.live.service import Json, LiveService

Decks = Mapping[str, tuple[str, ...]]
HOLE_CARDS = {"nlhe": 2, "plo": 4}
_WRITTEN_CARD = re.compile(r"[\"'][2-9TJQKA][cdhs][\"']")
_CARDS_ALONE = re.compile(r"[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*")


@dataclass
class KnownHand:
    """What one listener knows of one hand."""

    order: list[int]
    """Seats dealt in, the first one left of the button."""
    hole_cards: int
    own_seat: int | None = None
    board: list[str] = field(default_factory=list)
    shown: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, hand: Json) -> "KnownHand":
        button = hand["positions"]["button"]
        seats = sorted((seat["seat_no"] for seat in hand["seats"]), key=lambda no: (no <= button, no))
        known = cls(seats, HOLE_CARDS[hand["game"]], board=[*hand["board"]])
        known.shown.update(card for seat in hand["seats"] for card in seat["cards"])
        return known

    def hole(self, deck: tuple[str, ...], seat_no: int) -> set[str]:
        place = self.order.index(seat_no)
        return {deck[number * len(self.order) + place] for number in range(self.hole_cards)}

    def dealt_board(self, deck: tuple[str, ...]) -> list[str]:
        first = len(self.order) * self.hole_cards
        return [*deck[first : first + 5]]


@dataclass
class Listener:
    """One player, over all connections. `results` are the nets the player was known, by hand."""

    decks: Decks
    hands: dict[str, KnownHand] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    read: int = 0

    def check(self, frames: Iterable[str]) -> None:
        for frame in frames:
            body = payload_of(frame)
            if not body or not isinstance(body[-1], dict):
                continue
            self.read += 1
            name = body[0] if isinstance(body[0], str) else "ack"
            self._verify(name, body[-1], frame)

    def _verify(self, name: str, payload: Json, frame: str) -> None:
        hand = payload if name == "hand" else payload.get("hand") if name == "ack" else None
        if isinstance(hand, dict) and "positions" in hand:
            own = self.hands[hand["hand_id"]].own_seat if hand["hand_id"] in self.hands else None
            self.hands[hand["hand_id"]] = KnownHand.of(hand)
            self.hands[hand["hand_id"]].own_seat = own
        shown_here = set(cards_in(payload))
        own_cards = payload if name == "cards" else payload.get("cards") if name == "ack" else None
        hand_id = payload.get("hand_id") or (hand or {}).get("hand_id")
        if hand_id is None or hand_id not in self.hands:
            assert not shown_here, f"cards of no hand: {frame}"
            return
        known, deck = self.hands[hand_id], self.decks[hand_id]
        if isinstance(own_cards, dict):
            known.own_seat = own_cards["seat_no"]
            assert set(own_cards["cards"]) == known.hole(deck, own_cards["seat_no"]), f"other cards: {frame}"
        if name == "step" and payload["kind"] == "board":
            known.board += payload["cards"]
        if name == "step" and payload["kind"] == "shown":
            assert set(payload["cards"]) <= known.hole(deck, payload["seat"]), f"cards of another seat: {frame}"
            known.shown.update(payload["cards"])
        if name == "hand_over":
            self.results[hand_id] = payload["net"]
        assert known.board == known.dealt_board(deck)[: len(known.board)], f"another board: {frame}"
        own_hole = known.hole(deck, known.own_seat) if known.own_seat is not None else set[str]()
        assert shown_here <= own_hole | known.shown | set(known.board), f"a card the player cannot know: {frame}"


async def stored_decks(database: Database, service: LiveService) -> dict[str, tuple[str, ...]]:
    """The cards of every hand, by hand: also of those that were interrupted."""
    key = existing_secret_key(load_settings(service.config).casino, service.database)
    assert key is not None
    seal, decks = ShoeSeal(key), {}
    async with database.reading() as connection:
        for row in await connection.execute(select(poker_schema.poker_hands)):
            shoe = seal.open(row.sealed)
            assert shoe is not None
            assert shoe.root == row.root
            decks[row.id] = tuple(str(shoe.card(index)) for index in range(52))
    return decks


async def verify_rows(database: Database) -> int:
    """No row of any table has a card, but for the board and the hands that were shown; returns the rows read."""
    count = 0
    async with database.reading() as connection:
        for table in schema.metadata.sorted_tables:
            for row in (await connection.execute(select(table))).mappings():
                count += 1
                hidden = {name: value for name, value in row.items() if isinstance(value, str)}
                if table is poker_schema.poker_hands:
                    _verify_hand(orjson.loads(hidden.pop("events")), hidden.pop("board").split())
                for name, value in hidden.items():
                    is_written = _WRITTEN_CARD.search(value) or _CARDS_ALONE.fullmatch(value)
                    assert not is_written, f"{table.name}.{name}: {value[:200]}"
    return count


def _verify_hand(events: list[Json], board: list[str]) -> None:
    """Stored events have the board, and cards of seats that were live at the end or showed them."""
    shown: set[str] = set()
    folded: set[int] = set()
    for event in events:
        match event["kind"]:
            case "acted" if event["action"] == "fold":
                folded.add(event["seat_no"])
            case "hands_shown":
                assert not folded & {seat_no for seat_no, _ in map(_seat_and_cards, event["hands"])}
                shown.update(card for _, cards in map(_seat_and_cards, event["hands"]) for card in cards)
            case "cards_shown":
                shown.update(event["cards"])
    assert set(cards_in(events)) <= shown | set(board)


def _seat_and_cards(shown: object) -> tuple[int, list[str]]:
    if isinstance(shown, dict):
        return shown["seat_no"], shown["cards"]
    assert isinstance(shown, list)
    return shown[0], shown[1]


def verify_log(service: LiveService) -> None:
    assert not [line for line in service.logged() if _WRITTEN_CARD.search(line)], "the log names a card"
