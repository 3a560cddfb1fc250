"""Bad input in every field of every event of both namespaces, while another player finishes a round."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import pytest
import socketio

from casino.errors import Code
from tests.deep import DEEP
from tests.live.clients import Clients, Device, Host, Player
from tests.live.hands import WINDOWS, Hand, deal
from tests.live.service import Json

CREDIT: Final = 100_000
HAND: Final = Hand.of("7s 7d | 7h 2c 9d Jc Ks | Ah Ad")
CODES: Final = frozenset(Code) - {Code.INTERNAL}
MESSAGES_PER_DEVICE: Final = 30  # below what one connection may ask in five seconds
WORKERS: Final = 6

AMOUNTS: Final[list[Any]] = [
    -1, 1.5, "5", True, False, None, 1e3, math.nan, math.inf, -math.inf, 2**53, 2**63, 2**64, -(2**63), 10**30,
    "５", "500", "", 50, 60_000, 150, [500], {"amount": 500}, -0.0, 500.0, "0x1f4", "5e2",
]  # fmt: skip
STRINGS: Final[list[Any]] = [
    "", "\x00", "a\x00b", "a\r\nb", "\u202eabc", "a\u200bb", "\ud800", "<img src=x onerror=alert(1)>",
    '=HYPERLINK("http://example.invalid")', "../../etc/passwd", "pаypal", "' OR 1=1 --", "%s%n", "{{7*7}}", "x" * 5_000,
    "x" * 10_000_000, "null", "__proto__", "😀" * 100,
]  # fmt: skip
STRUCTURES: Final[list[Any]] = [
    [], {}, [[]], {"__proto__": {"ok": True}}, {"constructor": 1}, {str(n): n for n in range(10_000)}, None, 77, True,
]  # fmt: skip
CARDS: Final = ["1s", "AS ", "as", "10h", "7S", "Xx", "A", "🂡", "7s7s"]
ACTIONS: Final = ["play_5x", "PLAY_4X", "play_4x ", "play", "raise", "all_in", "CHECK"]


def deep(levels: int) -> list[Any]:
    nest: list[Any] = []
    for _ in range(levels):
        nest = [nest]
    return nest


ANYTHING: Final = [*AMOUNTS, *STRINGS, *STRUCTURES, *CARDS, *ACTIONS, deep(150)]

VALUES_APART: Final = 3
Way = tuple[str, object]


def wrong_fields(event: str, message: Json, texts: Sequence[str] = ()) -> list[Way]:
    """The message with one field replaced by everything it must not be; a text may be any text.

    Each field has a third of the values in turn, so that every value is sent; `make test-deep` sends all in each.
    """
    ways: list[Way] = []
    for turn, field in enumerate(message, start=len(event)):
        bad = [one for one in ANYTHING if not isinstance(one, str)] if field in texts else ANYTHING
        bad = bad if DEEP else bad[turn % VALUES_APART :: VALUES_APART]
        ways += [(event, {**message, field: one}) for one in bad]
        ways.append((event, {name: value for name, value in message.items() if name != field}))
    return ways


def wrong_bodies(event: str, message: Json) -> list[Way]:
    """No message at all, or one with something more in it."""
    more = [{**message, name: 1} for name in ("__proto__", "constructor", "player_id", "available_minor", "")]
    return [(event, one) for one in (*STRUCTURES, *STRINGS, deep(150), [message], *more)]


class Attacker:
    """Sends given messages, each on a connection that the one before may have closed."""

    def __init__(self, connect: Callable[[], Awaitable[Device]]) -> None:
        self._connect = connect
        self._device: Device | None = None
        self._sent = 0

    async def send(self, event: str, data: object) -> str:
        """The code of the refusal, `ok`, or `closed`."""
        if self._device is None or self._device.is_lost or self._sent >= MESSAGES_PER_DEVICE:
            await self.close()
            self._device, self._sent = await self._connect(), 0
        self._sent += 1
        lost = asyncio.create_task(self._device.lost())
        asked = asyncio.create_task(self._device.call(event, data))
        await asyncio.wait({lost, asked}, return_when=asyncio.FIRST_COMPLETED)
        for task in (lost, asked):
            task.cancel()
        answer, _ = await asyncio.gather(asked, lost, return_exceptions=True)
        if isinstance(answer, asyncio.CancelledError | socketio.exceptions.SocketIOError):
            return "closed"
        assert isinstance(answer, dict), answer
        return "ok" if answer["ok"] else str(answer["error"]["code"])

    async def close(self) -> None:
        if self._device is not None:
            await self._device.close()


async def attack(ways: list[Way], connects: list[Callable[[], Awaitable[Device]]]) -> list[tuple[Way, str]]:
    """All of it, from several sides at once."""
    waiting, outcomes = list(ways), []

    async def work(connect: Callable[[], Awaitable[Device]]) -> None:
        attacker = Attacker(connect)
        while waiting:
            way = waiting.pop()
            outcomes.append((way, await attacker.send(*way)))
        await attacker.close()

    await asyncio.gather(*(work(connect) for connect in connects))
    return outcomes


def verify_refused(outcomes: list[tuple[Way, str]]) -> None:
    for (event, data), code in outcomes:
        assert code == "closed" or code in CODES, (event, str(data)[:200], code)


class Bystander:
    """Plays a round at the table that is attacked, and notices nothing of it."""

    def __init__(self, table_id: str, host: Host, player: Player, round_id: str, number: int) -> None:
        self.table_id = table_id
        self.host = host
        self.player = player
        self.round_id = round_id
        self._number = number

    @classmethod
    async def at(cls, clients: Clients) -> "Bystander":
        table_id = clients.service.table("attacked")
        host, player = await clients.host(), await clients.player()
        await host.take_over(table_id)
        joined = await player.join(table_id)
        round_id = await host.start(table_id)
        await player.bet(table_id, round_id, 500, 100)
        return cls(table_id, host, player, round_id, joined["round"]["seq"])

    async def until_decision(self) -> None:
        await self.host.phase(self.table_id, self.round_id, "dealing_hole")
        await self.host.scan(self.table_id, self.round_id, HAND.player)
        await self.player.phase(self.table_id, self.round_id, WINDOWS[0])

    async def finish(self, owed: Sequence[tuple[str, str]] = ()) -> None:
        """`owed` are table and code of the notices that concern the bystander; there is no other."""
        hand = Hand("", HAND.flop, HAND.turn_river, HAND.dealer)
        ways: dict[Player, tuple[str, ...]] = {self.player: ("check", "check", "play_1x")}
        await deal(self.host, self.table_id, self.round_id, hand, ways)
        result = await self.player.result(self.round_id)
        assert (result["result"], result["staked"], result["returned"]) == ("win", 1600, 2900)
        assert await self.player.money() == (CREDIT + 1300,) * 2
        numbers = [view["seq"] for view in self.player.all("round")]
        assert numbers == list(range(self._number + 1, self._number + 1 + len(numbers)))
        assert not any(view["paused"] for view in self.player.all("round"))
        # A busy machine makes the table give back time that it lost: `resumed` without a pause is not the attack.
        notices = [(notice["table_id"], notice["code"]) for notice in self.player.all("notice")]
        assert [notice for notice in notices if notice != (self.table_id, "resumed")] == list(owed)
        assert not self.player.is_lost


@pytest.mark.req("SEC-6")
async def test_players_can_send_anything_and_nothing_happens(clients: Clients) -> None:
    bystander = await Bystander.at(clients)
    table_id, round_id = bystander.table_id, bystander.round_id
    here = {"table_id": table_id}
    bet = {**here, "round_id": round_id, "ante": 500, "trips": 500}
    decide = {**here, "round_id": round_id, "action": "check", "phase": WINDOWS[0]}

    guests: list[Json] = []

    async def connect() -> Device:
        guests.append(await clients.guest())  # a new one, whose pace is not counted yet
        player = Player(clients.web, clients.service.address, guests[-1])
        await player.connect()
        await player.join(table_id)
        return player

    connects: list[Callable[[], Awaitable[Device]]] = [connect] * WORKERS
    outcomes = await attack(wrong_fields("bet", bet), connects)
    await bystander.until_decision()
    ways = [
        *wrong_fields("join", here | {"seat_no": 1}),
        *wrong_fields("leave", here),
        *wrong_fields("decide", decide),
        *wrong_fields("chat", here | {"text": "Hello"}, texts=["text"]),
        *(way for event in ("join", "leave", "bet", "decide", "chat") for way in wrong_bodies(event, here)),
        *((event, decide) for event in ("", "x" * 300, "connect", "disconnect", "round", "scan", "__proto__", "bet\n")),
    ]
    allowed = [("join", here | {"seat_no": None}), ("join", here), ("decide", {**decide, "phase": None})]
    outcomes += await attack([way for way in ways if way not in allowed and way[1] != here], connects)
    verify_refused(outcomes)
    assert len(outcomes) > (900 if DEEP else 400)
    for guest in guests:
        assert await Player(clients.web, clients.service.address, guest).money() == (CREDIT, CREDIT)
    await bystander.finish()


@pytest.mark.parametrize(
    "raw",
    [
        '2/table,7["bet",' + "[" * 1000 + "]" * 1000 + "]",
        '2/table,7["bet",' + '{"table_id":' * 1000 + "1" + "}" * 1000 + "]",
        '2/table,7["bet",{"table_id":"\\ud800"}]',
        '2/table,7["bet",{"ante":1e999,"trips":NaN}]',
        '2/table,7["bet",{"table_id":"a","table_id":"b","ante":1',
        '2/table,7["bet"',
        "2/table,7[]",
        "2/table,7{}",
        '2/table,7["bet",{},{},{}]',
        '51-/table,7["bet",{"_placeholder":true,"num":0}]',
        "0/table,{}",
        "0/nowhere,{}",
        '3/table,7[{"ok":true}]',
        "9",
        "",
    ],
    ids=range(15),
)
async def test_a_message_that_is_none_is_refused_or_ends_the_connection(clients: Clients, raw: str) -> None:
    """And only that connection: the same player on another one is not concerned."""
    guest = await clients.guest()
    bad, good = await clients.device(guest), await clients.device(guest)
    await bad.client.eio.send(raw)
    is_open = asyncio.create_task(bad.call("leave", {"table_id": "attacked-1"}))
    is_lost = asyncio.create_task(bad.lost())
    done, waiting = await asyncio.wait({is_open, is_lost}, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*done, *waiting, return_exceptions=True)
    await good.ok("leave", {"table_id": "attacked-1"})


@pytest.mark.req("SEC-6")
async def test_consoles_can_send_anything_and_nothing_happens(clients: Clients) -> None:
    bystander = await Bystander.at(clients)
    await bystander.until_decision()
    here = {"table_id": bystander.table_id}
    there = {**here, "round_id": bystander.round_id}
    reason = {"reason": "Something is wrong."}

    def connect(name: str) -> Callable[[], Awaitable[Device]]:
        async def connected() -> Device:
            device = Host(clients.web, clients.service.address, signed_in[name])
            await device.connect()
            return device

        return connected

    signed_in = {name: await clients.sign_in(name) for name in ("pest", "mob")}
    presenters = [
        *(way for event in ("watch", "open_table", "close_table", "start_round") for way in wrong_fields(event, here)),
        *wrong_fields("scan", there | {"card": "As"}),
        *wrong_fields("undo_scan", there),
        *wrong_fields("take_over", here),
        *wrong_fields("say", here | {"text": "Hello"}, texts=["text"]),
        *wrong_fields("report_problem", here | reason, texts=["reason"]),
        *(
            way
            for event in ("watch", "scan", "report_problem", "say", "start_round")
            for way in wrong_bodies(event, here)
        ),
    ]
    managers = [
        *wrong_fields("correct_card", there | {"slot": "player_1", "card": "As"} | reason, texts=["reason"]),
        *wrong_fields("resume", here | {"reason": ""}, texts=["reason"]),
        *wrong_fields("cancel_round", here | reason, texts=["reason"]),
        *wrong_fields("approve", here | {"proposal_id": "none.1"}),
        *wrong_fields("reject", here | {"proposal_id": "none.1"} | reason, texts=["reason"]),
        *(
            way
            for event in ("resume", "cancel_round", "correct_card", "approve", "reject")
            for way in wrong_bodies(event, here)
        ),
    ]
    outcomes = await attack([way for way in presenters if way[1] != here], [connect("pest")] * 3)
    outcomes += await attack([way for way in managers if way[1] != here], [connect("mob")] * 3)
    verify_refused(outcomes)
    assert len(outcomes) > (1000 if DEEP else 500)
    await bystander.finish()
