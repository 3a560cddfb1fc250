"""Player at the terminal: gets a seat, reads the table's events, and sends the actions that are typed."""

import asyncio
import contextlib
import secrets
import signal
from typing import Any, Final

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable
from casino.client.poker.connection import PokerConnection
from casino.client.poker.rendering import HELP, PokerRenderer
from casino.client.terminal import Terminal
from casino.errors import Refusal
from casino.money import parse_amount

_ENDINGS: Final = ("gone", "moved")


class PokerPerson:
    def __init__(self, line: PokerConnection, pool: Payload, renderer: PokerRenderer, terminal: Terminal) -> None:
        self._line = line
        self._pool = pool
        self._renderer = renderer
        self._terminal = terminal
        self._table_id: str | None = None

    async def play(self) -> int:
        """Until the person leaves (0) or has no seat any more (1)."""
        loop = asyncio.get_running_loop()
        with self._terminal.listening():
            listening, typing = loop.create_task(self._listen()), loop.create_task(self._type())
            loop.add_signal_handler(signal.SIGINT, typing.cancel)
            await self._find_seat()
            done, _ = await asyncio.wait({listening, typing}, return_when=asyncio.FIRST_COMPLETED)
            for task in (listening, typing):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        if typing in done:
            with contextlib.suppress(Rejected, Unreachable):  # the seat is given up already, or the line is lost
                await self._leave()
        return 1 if listening in done else 0

    async def _find_seat(self) -> None:
        """With the largest buy-in; the house chooses the table."""
        asked: dict[str, Any] = {"pool": self._pool["pool"], "buy_in": self._pool["buy_in_max"], "wait_for_bb": False}
        joined = await self._line.say("join_pool", **asked, key=secrets.token_hex(8))
        if joined["status"] == "queued":
            self._terminal.say(f"In the queue at place {joined['place']}; {joined['missing']} more open a table")
        else:
            await self._take(joined["table_id"], joined["status"] == "reserved", joined.get("min", 0))

    async def _take(self, table_id: str, is_reserved: bool, amount: int) -> None:  # noqa: FBT001
        if is_reserved:
            await self._line.say("sit", table_id=table_id, amount=amount, key=secrets.token_hex(8))
        if self._table_id != table_id:
            self._table_id = table_id
            await self._line.join(table_id)

    async def _listen(self) -> None:
        async for event, payload in self._line.news():
            self._terminal.say(*self._renderer.render(event, payload))
            if event == "seat":
                if payload["state"] == "gone":
                    return
                if payload["table_id"] and payload["table_id"] != self._table_id:
                    await self._take(payload["table_id"], payload["state"] == "reserved", payload["min"] or 0)
            if event in _ENDINGS:
                return

    async def _type(self) -> None:
        async for typed in self._terminal.lines():
            wish = typed.split()
            if wish == ["q"]:
                return
            if wish:
                await self._do(wish)

    async def _do(self, wish: list[str]) -> None:
        try:
            match wish:
                case ["f"]:
                    await self._act("fold")
                case ["c"]:
                    options = self._renderer.options
                    await self._act("check" if options and options["check"] else "call")
                case ["r", amount]:
                    await self._act("raise_to", parse_amount(amount, self._pool["currency"]))
                case ["a"]:
                    await self._all_in()
                case ["l"]:
                    await self._leave()
                case _:
                    self._terminal.say(HELP)
        except Refusal as refusal:
            self._terminal.say(refusal.message)
        except Rejected as rejected:
            self._terminal.say(rejected.message)
        except Unreachable as failure:
            self._terminal.say(str(failure))

    async def _act(self, action: str, amount: int | None = None) -> None:
        options = self._renderer.options
        if options is None:
            self._terminal.say("It isn't your turn")
            return
        at = {name: options[name] for name in ("table_id", "hand_id", "turn")}
        await self._line.say("act", **at, action=action, amount=amount)

    async def _all_in(self) -> None:
        options = self._renderer.options
        if options and options["raise"]:
            await self._act("raise_to", options["raise"]["max"])
        else:
            await self._act("call")

    async def _leave(self) -> None:
        if self._table_id is not None:
            left = await self._line.say("leave", table_id=self._table_id)
            if left["after_hand"]:
                self._terminal.say("You leave after this hand")


async def play_poker(door: HttpApi, member: Member, pool_name: str, terminal: Terminal) -> int:
    wallet = await door.wallet(member)
    wanted = pool_name if ":" in pool_name else f"{pool_name}:{wallet.currency}"
    pools = {pool["pool"]: pool for pool in await door.poker_pools()}
    if wanted not in pools:
        raise Unreachable(f"There is no pool {wanted}. Choose one of: {', '.join(sorted(pools))}.")
    line = PokerConnection(door, member)
    renderer = PokerRenderer(wallet.currency, symbols=terminal.has_symbols, colours=terminal.is_terminal)
    terminal.say(f"You are {member.name}, balance {renderer.amount(wallet.balance)} {wallet.currency}", HELP)
    try:
        await line.open()
        code = await PokerPerson(line, pools[wanted], renderer, terminal).play()
    finally:
        await line.close()
    after = await door.wallet(member)
    terminal.say(f"Goodbye. Balance {renderer.amount(after.balance)} {after.currency}")
    return code
