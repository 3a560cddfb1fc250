"""Simulated device: connects, sends messages and waits for their acknowledgement."""

import asyncio
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tests.simulation.network import Link, Network, Unreachable

Json = dict[str, Any]

PATIENCE_SECONDS = 3.0
"""How long an answer is waited for before it is asked again."""
DEAD_SECONDS = 8.0
"""After this time without any packet a device considers the connection dead."""


@lru_cache(maxsize=256)
def _read(text: str) -> Any:  # noqa: ANN401  plain JSON, never changed
    """Parses a broadcast text once."""
    return json.loads(text)


class Device:
    def __init__(
        self, network: Network, namespace: str, token: str, player_id: str, on_event: Callable[[str, Json], None]
    ) -> None:
        self.player_id = player_id
        self._network = network
        self._namespace = namespace
        self._token = token
        self._on_event = on_event
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._number = 0
        self._link: Link | None = None
        self._let_in: asyncio.Future[None] | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._received_at = 0.0
        self.arrived = asyncio.Event()

    @property
    def is_whole(self) -> bool:
        """Nothing that was said to this device has been lost on the way."""
        return self._link is not None and self._link.is_whole

    @property
    def is_connected(self) -> bool:
        return self._link is not None

    async def connect(self) -> None:
        self._let_in = asyncio.get_running_loop().create_future()
        self._link = await self._network.connect(self)
        self._received_at = self._network.loop.time()
        self._watch_over()
        try:
            async with asyncio.timeout(DEAD_SECONDS):
                await self._let_in
        except TimeoutError:
            self.hang_up()
            raise Unreachable from None

    async def ask(self, event: str, data: Json) -> Json | None:
        """The acknowledgement; None if there was none in time."""
        if self._link is None:
            raise Unreachable
        self._number += 1
        number = self._number
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._link.say(f"42{self._namespace},{number}{json.dumps([event, data])}")
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await answer
        except TimeoutError:
            return None
        finally:
            self._answers.pop(number, None)

    def hang_up(self) -> None:
        if self._link is not None:
            self._link.hang_up()

    # What the link calls

    def receive(self, link: Link, text: str) -> None:
        if link is not self._link:
            return
        self._received_at = self._network.loop.time()
        place = f"{self._namespace},"
        if text.startswith("0"):
            link.say(f"40{place}{json.dumps({'token': self._token})}")
        elif text == "2":
            link.say("3")
        elif text.startswith(f"42{place}"):
            event, payload = _read(text[2 + len(place) :])
            self._on_event(event, payload)
            self.arrived.set()
        elif text.startswith(f"43{place}"):
            number, _, answer = text[2 + len(place) :].partition("[")
            waiting = self._answers.get(int(number))
            if waiting and not waiting.done():
                waiting.set_result(json.loads(f"[{answer}")[0])
        elif text.startswith(f"40{place}"):
            if self._let_in and not self._let_in.done():
                self._let_in.set_result(None)
        else:  # refused, disconnected, or the end of the session
            link.hang_up()

    def lost(self, link: Link) -> None:
        if link is not self._link:
            return
        self._link = None
        if self._watch:
            self._watch.cancel()
        for waiting in (self._let_in, *self._answers.values()):
            if waiting and not waiting.done():
                waiting.set_exception(Unreachable())
        self.arrived.set()

    def _watch_over(self) -> None:
        loop, due = self._network.loop, self._received_at + DEAD_SECONDS
        if loop.time() < due:
            self._watch = loop.call_at(due, self._watch_over)
        else:
            self.hang_up()
