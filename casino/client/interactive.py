"""Interactive player: reads table events, and sends bets and decisions typed at the terminal."""

import re
from typing import Final

from casino.client import texts
from casino.client.http_api import HttpApi, Member
from casino.client.interactive_loop import run_interactive
from casino.client.rendering import HELP, Renderer
from casino.client.table_connection import TableConnection
from casino.client.terminal import Terminal
from casino.money import parse_amount

_NOTHING: Final = re.compile(r"0+(\.0+)?")
_ENDINGS: Final = ("gone", "moved")


class Person:
    def __init__(self, connection: TableConnection, renderer: Renderer, terminal: Terminal) -> None:
        self._connection = connection
        self._renderer = renderer
        self._terminal = terminal

    async def play(self) -> int:
        """Until the person leaves (0) or is at the table no longer (1)."""
        self._terminal.say(*self._renderer.welcome())
        has_left = await run_interactive(
            self._terminal, self._listen(), self._execute, explain=self._renderer.refusal, status=self._renderer.status
        )
        self._terminal.say(
            f"Goodbye. Balance {self._renderer.amount(self._renderer.balance)} {self._renderer.currency}"
        )
        return 0 if has_left else 1

    async def _listen(self) -> None:
        async for event, payload in self._connection.events():
            self._terminal.say(*self._renderer.render(event, payload))
            if event in _ENDINGS:
                return

    async def _execute(self, words: list[str]) -> None:
        match words:
            case ["0"]:
                self._terminal.say(await self._bet("0"))
            case ["b", ante]:
                self._terminal.say(await self._bet(ante))
            case ["b", ante, trips]:
                self._terminal.say(await self._bet(ante, trips))
            case [key] if key in texts.ACTION_OF_KEY:
                self._terminal.say(await self._decide(texts.ACTION_OF_KEY[key]))
            case _:
                self._terminal.say(HELP)

    async def _bet(self, ante: str, trips: str = "0") -> str:
        if self._connection.round["phase"] != "betting":
            return "Betting is closed"
        stored = (await self._connection.bet(self._minor(ante), self._minor(trips)))["bets"]
        if not stored["ante"]:
            return "Bets taken back"
        amounts = (f"{spot.upper()} {self._renderer.amount(stored[spot])}" for spot in texts.SPOTS if stored[spot])
        return f"Bet: {', '.join(amounts)}"

    async def _decide(self, action: str) -> str:
        phase = self._connection.round["phase"]
        if not phase.startswith("deciding_"):
            return "There is nothing to decide now"
        stored = (await self._connection.decide(action, phase))["bets"]
        answer = texts.answered(action)
        return f"{answer}: {self._renderer.amount(stored['play'])} on PLAY" if stored["play"] else answer

    def _minor(self, text: str) -> int:
        return 0 if _NOTHING.fullmatch(text) else parse_amount(text, self._renderer.currency)


async def play(api: HttpApi, member: Member, table_id: str, terminal: Terminal) -> int:
    terms, wallet = await api.table(table_id), await api.wallet(member)
    connection = TableConnection(api, member, table_id)
    renderer = Renderer(terms, wallet, connection, symbols=terminal.has_symbols, colours=terminal.is_terminal)
    try:
        await connection.open()
        return await Person(connection, renderer, terminal).play()
    finally:
        await connection.close()
