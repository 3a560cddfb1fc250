"""Player at the terminal: gets a seat, reads the table's events, and sends the actions that are typed."""

import contextlib
import secrets
from typing import Any, Final

from casino.client.http_api import HttpApi, Member, Payload, Rejected, Unreachable
from casino.client.interactive_loop import run_interactive
from casino.client.poker.connection import PokerConnection
from casino.client.poker.rendering import HELP, PokerRenderer
from casino.client.terminal import Terminal
from casino.money import parse_amount

_ENDINGS: Final = ("gone", "moved", "awake")
_MOVED_BY_HOUSE: Final = "table_closed"


class PokerPerson:
    def __init__(self, connection: PokerConnection, pool: Payload, renderer: PokerRenderer, terminal: Terminal) -> None:
        self._connection = connection
        self._pool = pool
        self._renderer = renderer
        self._terminal = terminal
        self._table_id: str | None = None
        self._is_out = False
        self._has_asked_to_leave = False

    async def play(self) -> int:
        """Until the person leaves (0) or has no seat any more (1)."""
        await self._find_seat()
        has_left = await run_interactive(self._terminal, self._listen(), self._execute)
        if has_left:
            with contextlib.suppress(Rejected, Unreachable):  # the seat is given up already, or the line is lost
                await self._leave()
        return 0 if self._has_asked_to_leave else 1

    async def _find_seat(self) -> None:
        """With the largest buy-in; the house chooses the table."""
        asked: dict[str, Any] = {"pool": self._pool["pool"], "buy_in": self._pool["buy_in_max"], "wait_for_bb": False}
        joined = await self._connection.say("join_pool", **asked, key=_new_key())
        if joined["status"] != "queued":  # the place in the queue comes as an event
            await self._take(joined["table_id"], joined["status"] == "reserved", joined.get("min", 0))

    async def _take(self, table_id: str, is_reserved: bool, amount: int) -> None:  # noqa: FBT001
        if is_reserved:
            await self._connection.say("sit", table_id=table_id, amount=amount, key=_new_key())
        if self._table_id != table_id:
            self._table_id = table_id
            await self._connection.join(table_id)

    async def _listen(self) -> None:
        async for event, payload in self._connection.events():
            self._terminal.say(*self._renderer.render(event, payload))
            if event in _ENDINGS or (event == "seat" and await self._is_lost(payload)):
                return

    async def _is_lost(self, seat: Payload) -> bool:
        """Whether there is no seat any more. A player of a closed table gets one at another table."""
        state, table_id = seat["state"], seat["table_id"]
        if state == "gone":
            if table_id not in (None, self._table_id):
                return False
            if self._table_id is not None:
                self._connection.forget(self._table_id)
            self._table_id = None
            return bool(seat["reason"] != _MOVED_BY_HOUSE)
        self._is_out = state == "sitting_out"
        if table_id and table_id != self._table_id:
            await self._take(table_id, state == "reserved", seat["min"] or 0)
        return False

    async def _execute(self, words: list[str]) -> None:
        match words:
            case ["f"]:
                await self._act("fold")
            case ["c"]:
                options = self._renderer.options
                await self._act("check" if options and options["check"] else "call")
            case ["r", amount]:
                await self._act("raise_to", parse_amount(amount, self._pool["currency"]))
            case ["a"]:
                await self._all_in()
            case ["b", amount]:
                await self._buy(parse_amount(amount, self._pool["currency"]))
            case ["s"]:
                await self._sit_out(is_on=not self._is_out)
            case ["l"]:
                await self._leave()
            case _:
                self._terminal.say(HELP)

    async def _act(self, action: str, amount: int | None = None) -> None:
        options = self._renderer.options
        if options is None:
            self._terminal.say("It isn't your turn")
            return
        at = {name: options[name] for name in ("table_id", "hand_id", "turn")}
        await self._connection.say("act", **at, action=action, amount=amount)

    async def _all_in(self) -> None:
        options = self._renderer.options
        if options and options["raise"]:
            await self._act("raise_to", options["raise"]["max"])
        else:
            await self._act("call")

    async def _sit_out(self, *, is_on: bool) -> None:
        await self._connection.say("sit_out", table_id=None, when="now", on=is_on)
        self._terminal.say("You sit out from the next hand on" if is_on else "You are back from the next hand on")

    async def _buy(self, amount: int) -> None:
        if self._table_id is None:
            self._terminal.say("You have no seat yet")
            return
        bought = await self._connection.say("top_up", table_id=self._table_id, amount=amount, key=_new_key())
        when = "after this hand" if bought["after_hand"] else "now"
        self._terminal.say(f"Your stack {when}: {self._renderer.amount(bought['stack'])}")

    async def _leave(self) -> None:
        self._has_asked_to_leave = True
        if self._table_id is None:
            await self._connection.say("leave_pool", pool=self._pool["pool"])
            self._connection.wake()
            return
        left = await self._connection.say("leave", table_id=self._table_id)
        if left["after_hand"]:
            self._terminal.say("You leave after this hand")


def _new_key() -> str:
    return secrets.token_hex(8)


async def play_poker(api: HttpApi, member: Member, pool_name: str, terminal: Terminal) -> int:
    wallet = await api.wallet(member)
    wanted = pool_name if ":" in pool_name else f"{pool_name}:{wallet.currency}"
    pools = {pool["pool"]: pool for pool in await api.poker_pools()}
    if wanted not in pools:
        raise Unreachable(f"There is no pool {wanted}. Choose one of: {', '.join(sorted(pools))}.")
    connection = PokerConnection(api, member)
    renderer = PokerRenderer(wallet.currency, symbols=terminal.has_symbols, colours=terminal.is_terminal)
    terminal.say(f"You are {member.name}, balance {renderer.amount(wallet.balance)} {wallet.currency}", HELP)
    try:
        await connection.open()
        code = await PokerPerson(connection, pools[wanted], renderer, terminal).play()
    finally:
        await connection.close()
    after = await api.wallet(member)
    terminal.say(f"Goodbye. Balance {renderer.amount(after.balance)} {after.currency}")
    return code
