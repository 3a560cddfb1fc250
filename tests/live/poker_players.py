"""Poker players over real sockets, checked against the models and against each other's secrets."""

import json
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count

import aiohttp

from casino.wire import poker_events
from tests.live.clients import Device
from tests.live.service import Json, LiveService
from tests.wire.validation import holds, holds_reply

_pools = count(1)


def new_pool() -> str:
    """A pool that no test has used yet."""
    return f"t{next(_pools)}:FUN"


class PokerPlayer(Device):
    def __init__(self, web: aiohttp.ClientSession, address: str, signed_in: Json) -> None:
        super().__init__(web, address, signed_in["token"], "/poker")
        self.signed_in = signed_in
        self.web = web
        self.address = address
        self.id: str = signed_in["user"]["id"]
        self.name: str = signed_in["user"]["name"]
        self.table_id = ""
        self.snapshots: list[Json] = []

    async def say(self, event: str, **fields: object) -> Json:
        """The acknowledgement, held against its model."""
        answer = await self.call(event, fields)
        if answer["ok"]:
            holds_reply(poker_events.ACKS_TO_POKER_PLAYERS[event], answer)
        return answer

    async def accepted(self, event: str, **fields: object) -> Json:
        answer = await self.say(event, **fields)
        assert answer["ok"], (event, fields, answer)
        return answer

    async def code(self, event: str, **fields: object) -> str:
        answer = await self.say(event, **fields)
        assert not answer["ok"], (event, fields, answer)
        return str(answer["error"]["code"])

    async def ask_for_seat(self, pool: str, key: str = "") -> Json:
        return await self.accepted("join_pool", pool=pool, buy_in=1000, key=key or secrets.token_hex(8))

    async def come(self, table_id: str = "") -> Json:
        """Joins the table, by default the one of the seat that was given."""
        if not table_id and not self.table_id:
            seat = await self.until("seat", lambda seat: seat["table_id"] is not None)
            self.table_id = seat["table_id"]
        snapshot = await self.accepted("join", table_id=table_id or self.table_id)
        self.snapshots.append(snapshot)
        return snapshot

    async def asked(self, hand_id: str, turn: int) -> Json:
        return await self.until("options", lambda options: (options["hand_id"], options["turn"]) == (hand_id, turn))

    async def get(self, path: str) -> tuple[int, Json]:
        headers = {"Authorization": f"Bearer {self.signed_in['token']}"}
        async with self.web.get(self.address + path, headers=headers) as answer:
            body: Json = await answer.json()
            return answer.status, body

    def verify_received(self) -> None:
        """Everything received is what the models say, and steps have no gap."""
        for event, payload in self.received:
            holds(poker_events.TO_POKER_PLAYERS[event], payload)
        numbers = [payload["seq"] for event, payload in self.received if event in ("hand", "step")]
        if not self.snapshots[1:]:
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True


class Seats:
    """Players at one table, by the number of their seat."""

    def __init__(self, players: Sequence[PokerPlayer]) -> None:
        self.players = players
        self.by_seat: dict[int, PokerPlayer] = {}
        self.hand: Json = {}

    @property
    def table_id(self) -> str:
        return self.players[0].table_id

    async def dealt(self) -> Json:
        """The first hand that every player received, also by a snapshot."""
        listener = self.players[-1]
        self.hand = listener.snapshots[-1]["hand"] or await listener.until("hand")
        names = {player.name: player for player in self.players}
        self.by_seat = {seat["seat_no"]: names[seat["name"]] for seat in self.hand["seats"]}
        return self.hand

    async def turn(self, number: int) -> tuple[PokerPlayer, Json]:
        """The player who makes this decision, and the options."""
        hand_id = self.hand["hand_id"]
        if self.hand["turn"] and self.hand["turn"]["no"] == number:
            seat_no = self.hand["turn"]["seat"]
        else:
            step = await self.players[-1].until(
                "step",
                lambda step: step["hand_id"] == hand_id and bool(step["turn"]) and step["turn"]["no"] == number,
            )
            seat_no = step["turn"]["seat"]
        player = self.by_seat[seat_no]
        for snapshot in player.snapshots:
            options: Json | None = snapshot["options"]
            if options and (options["hand_id"], options["turn"]) == (hand_id, number):
                return player, options
        return player, await player.asked(hand_id, number)

    async def act(self, number: int, action: str, amount: int | None = None) -> Json:
        player, _ = await self.turn(number)
        at = {"table_id": self.table_id, "hand_id": self.hand["hand_id"], "turn": number}
        return await player.accepted("act", **at, action=action, amount=amount)

    async def check_down(self, first: int, last: int) -> None:
        for number in range(first, last + 1):
            _, options = await self.turn(number)
            await self.act(number, "check" if options["check"] else "call")


async def guest(web: aiohttp.ClientSession, service: LiveService) -> Json:
    async with web.post(f"{service.address}/api/guest", json={}) as answer:
        assert answer.status == 200
        signed_in: Json = await answer.json()
        return signed_in


@asynccontextmanager
async def seated_players(service: LiveService, pool: str = "") -> AsyncIterator[Seats]:
    """A table with three players who have all joined it. What they received is held against the models at the end."""
    pool = pool or new_pool()
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        players = [PokerPlayer(web, service.address, await guest(web, service)) for _ in range(3)]
        seats = Seats(players)
        try:
            for player in players:
                await player.connect()
                await player.ask_for_seat(pool)
            for player in players:
                await player.come()
            await seats.dealt()
            yield seats
        finally:
            for player in players:
                if not player.is_lost:
                    await player.call("leave", {"table_id": player.table_id})
                await player.close()
        for player in players:
            player.verify_received()


def leaked_cards(player: PokerPlayer, others: Sequence[PokerPlayer]) -> set[str]:
    """Hole cards of others that this player's connection received in the first hand before they were shown."""
    hidden = {card for other in others for card in hole_cards(other)}
    leaked: set[str] = set()
    for frame in player.client.frames:
        if '"kind":"shown"' in frame:
            break
        leaked |= {card for card in hidden if json.dumps(card) in frame}
    return leaked


def hole_cards(player: PokerPlayer) -> list[str]:
    own = player.all("cards")
    cards: list[str] = own[0]["cards"] if own else player.snapshots[0]["cards"]["cards"]
    return cards
