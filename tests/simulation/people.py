"""Simulated players, presenters and managers, random and with human timing.

They bet, decide, change their minds, repeat requests without an answer, leave, reconnect from another device, and
sometimes send requests that must be refused.
"""

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Any

from casino.bots.core import BotCore, Habits, all_stakes
from casino.cards.card import DECK
from casino.uth.phases import OFFERED, Phase
from tests.simulation.device import Device, Json
from tests.simulation.network import Network, Unreachable
from tests.simulation.seeded_random import sometimes

TRIES = 3
BETTING_SECONDS, DECIDING_SECONDS = 1.2, 1.8
"""The longest a player thinks."""
HABITS = Habits(all_stakes((100, 200, 500, 700, 2500), (0, 0, 100, 300)), silence=0.15, thinking=(0.0, 1.0))
UNFIT_STAKES = ((0, 0), (50, 0), (0, 100), (150, 0), (10**9, 0), (100, 50))


@dataclass
class SimulatedPerson:
    """Connects, stays until the connection breaks, and connects again. Events are recorded by table."""

    network: Network
    chance: Random
    token: str
    id: str
    namespace: str = "/table"
    rounds: dict[str, Json] = field(default_factory=dict)
    is_leaving: bool = False

    def __post_init__(self) -> None:
        self.device = self._device()

    def _device(self) -> Device:
        device = Device(self.network, self.namespace, self.token, self.id, lambda *event: self._receive(device, *event))
        return device

    def _receive(self, device: Device, event: str, payload: Json) -> None:
        if device is self.device:  # an old one may still receive events
            self.receive(event, payload)

    def receive(self, event: str, payload: Json) -> None:
        raise NotImplementedError

    def arrive(self) -> None:
        """Before the door: whatever was true of the last visit is true no longer."""

    async def visit(self) -> None:
        raise NotImplementedError

    async def live(self) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(0.1, 1.5))
            self.arrive()
            try:
                await self.device.connect()
                await self.visit()
            except Unreachable:
                continue

    async def insist(self, event: str, data: Json) -> Json | None:
        """Asked again, word for word, until there is an answer."""
        for _ in range(TRIES):
            answer = await self.device.ask(event, data)
            if answer is not None:
                return answer
        return None

    async def wait(self, seconds: float) -> None:
        """For news, but not for ever."""
        device = self.device
        device.arrived.clear()
        if not device.is_connected:
            raise Unreachable
        enough = self.network.loop.call_later(seconds, device.arrived.set)
        try:
            await device.arrived.wait()
        finally:
            enough.cancel()


@dataclass
class Player(SimulatedPerson):
    table_id: str = ""
    seq: int = 0
    seat: Json = field(default_factory=dict)
    money: Json = field(default_factory=dict)
    is_behind: bool = True
    gaps: list[str] = field(default_factory=list)
    tips: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.core = BotCore(HABITS, self.chance)

    @property
    def is_seated(self) -> bool:
        return self.device.is_connected and not self.is_behind

    @property
    def round(self) -> Json:
        return self.rounds.get(self.table_id, {})

    def receive(self, event: str, payload: Json) -> None:
        if event == "round":
            if payload["seq"] != self.seq + 1 and not self.is_behind:
                self.is_behind = True
                if self.device.is_whole:
                    self.gaps.append(f"{self.id} received {payload['seq']} after {self.seq}, and nothing was lost")
            self.seq = payload["seq"]
            self.rounds[self.table_id] = payload
        elif event == "seat":
            self.seat = payload
        elif event == "balance":
            self.money = payload
        elif event == "moved":
            self.is_behind = True

    def arrive(self) -> None:
        self.is_behind = True

    async def visit(self) -> None:
        while not self.is_leaving:
            if self.is_behind:
                await self._join()
            await self._act()
            await self._wander()
            await self.wait(2.0)

    async def _join(self) -> None:
        answer = await self.insist("join", {"table_id": self.table_id})
        if answer is None or not answer["ok"]:
            self.device.hang_up()
            raise Unreachable
        self.is_behind = False
        self.rounds[self.table_id], self.seat, self.seq = answer["round"], answer["seat"], answer["round"]["seq"]

    async def _act(self) -> None:
        if not self.round.get("round_id") or self.round["paused"]:
            return
        round_id, phase = str(self.round["round_id"]), str(self.round["phase"])
        if not self.core.may_act(round_id, phase):
            return
        self.core.act(round_id, phase)
        if phase == "betting":
            await self._bet(round_id)
        elif self.seat.get("bets", {}).get("ante"):
            await self._decide(round_id, phase)

    async def _bet(self, round_id: str) -> None:
        chance = self.chance
        if sometimes(chance, 0.1):
            return
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            await asyncio.sleep(self.core.delay(BETTING_SECONDS))
            ante, trips = self.core.stakes()
            if sometimes(chance, 0.08):
                ante, trips = chance.choice(UNFIT_STAKES)
            await self.insist("bet", self._words(round_id, ante=ante, trips=trips, **self._seed()))

    def _seed(self) -> dict[str, str]:
        """What this player contributes to the shuffle, if anything."""
        return {"seed": f"{self.chance.getrandbits(64):x}"} if sometimes(self.chance, 0.5) else {}

    async def _decide(self, round_id: str, phase: str) -> None:
        chance = self.chance
        action: str | None = self.core.decide(phase, OFFERED[Phase(phase)])
        if action is None:
            return  # asleep
        await asyncio.sleep(self.core.delay(DECIDING_SECONDS))
        if sometimes(chance, 0.05):
            action = chance.choice(("play_1x", "play_2x", "check", "fold"))
        more = {} if sometimes(chance, 0.3) else {"phase": phase}
        await self.insist("decide", self._words(round_id, action=action, **more))

    async def _wander(self) -> None:
        """After every news, so that each of it happens once in some rounds: far more often than people do it."""
        chance = self.chance
        if sometimes(chance, 0.01):
            await self.insist("chat", {"table_id": self.table_id, "text": f"hello {chance.randrange(10**6)}"})
        if sometimes(chance, 0.015):
            self.tips += 1
            tip = {"table_id": self.table_id, "amount": 100 * chance.randint(1, 3), "key": f"tip-{self.tips}"}
            await self.insist("tip", tip)
        if sometimes(chance, 0.005):
            await self.insist("leave", {"table_id": self.table_id})
            self.is_behind = True
            await asyncio.sleep(chance.uniform(0, 3))
        if sometimes(chance, 0.005):
            self.device.hang_up()
        if sometimes(chance, 0.005):  # from another device, while this one is still there
            before, self.device = self.device, self._device()
            self.is_behind = True  # until the snapshot has come to the new one
            await self.device.connect()
            await self._join()
            before.hang_up()

    def _words(self, round_id: str, **more: object) -> Json:
        return {"table_id": self.table_id, "round_id": round_id, **more}


@dataclass
class Console(SimulatedPerson):
    """A host console that shows every table named."""

    namespace: str = "/host"
    tables: tuple[str, ...] = ()
    states: dict[str, Json] = field(default_factory=dict)

    def receive(self, event: str, payload: Json) -> None:
        if event == "host":
            self.states[payload["table_id"]] = payload

    async def visit(self) -> None:
        for table_id in self.tables:
            await self.begin(table_id)
        while not self.is_leaving:
            for table_id in self.tables:
                if table_id in self.states:
                    await self.work(table_id, self.states[table_id])
            await self.wait(1.0)

    async def begin(self, table_id: str) -> None:
        answer = await self.insist("watch", {"table_id": table_id})
        if answer is None or not answer["ok"]:
            self.device.hang_up()
            raise Unreachable
        self.states[table_id] = answer["host"]

    async def work(self, table_id: str, state: Json) -> None:
        raise NotImplementedError

    async def say(self, event: str, table_id: str, **more: Any) -> Json | None:  # noqa: ANN401  plain JSON
        return await self.insist(event, {"table_id": table_id, **more})


@dataclass
class Presenter(Console):
    async def begin(self, table_id: str) -> None:
        await super().begin(table_id)
        await self.say("open_table", table_id)

    async def work(self, table_id: str, state: Json) -> None:
        chance, round_ = self.chance, state["round"]
        await asyncio.sleep(chance.uniform(0.05, 0.3))
        if round_["paused"]:
            return
        if sometimes(chance, 0.01):
            await self.say("report_problem", table_id, reason="A card fell on the floor.")
        elif state["expects"]:
            await self._deal(table_id, round_)
        elif state["status"] != "open":
            await self.say("open_table", table_id)
        elif round_["phase"] in ("idle", "settled", "cancelled"):
            await self.say("start_round", table_id)

    async def _deal(self, table_id: str, round_: Json) -> None:
        out = {*round_["player_cards"], *round_["board"], *round_["dealer_cards"]}
        card: str = self.chance.choice([card for card in DECK if card not in out])
        if sometimes(self.chance, 0.03):
            card = self.chance.choice((*DECK, "1s"))  # perhaps one that is out already
        await self.say("scan", table_id, round_id=round_["round_id"], card=card)
        if sometimes(self.chance, 0.03):
            await self.say("undo_scan", table_id, round_id=round_["round_id"])


@dataclass
class Manager(Console):
    incidents: float = 0.0

    async def work(self, table_id: str, state: Json) -> None:
        chance, round_ = self.chance, state["round"]
        if not round_["paused"]:
            if sometimes(chance, self.incidents):
                reason = {"reason": "Something is wrong."}
                await self.say(chance.choice(("report_problem", "report_problem", "cancel_round")), table_id, **reason)
            return
        await asyncio.sleep(chance.uniform(0.2, 2))
        what = chance.random()
        if what < 0.15:
            await self.say("cancel_round", table_id, reason="It cannot be sorted out.")
            return
        if what < 0.3 and len(round_["player_cards"]) == 2:
            out = {*round_["player_cards"], *round_["board"], *round_["dealer_cards"]}
            card = chance.choice([card for card in DECK if card not in out])
            words = {"round_id": round_["round_id"], "slot": "player_1", "card": card, "reason": "misread"}
            await self.say("correct_card", table_id, **words)
        await self.say("resume", table_id, reason="sorted out")
