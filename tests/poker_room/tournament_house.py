"""A poker room with tournaments on virtual time and a real database: simulated players who act in turn."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from casino.poker.betting import Action
from casino.poker.tournament.state import Status, Tournament
from casino.poker_room.decks import Decks
from casino.poker_room.hand_runner import Phase
from casino.poker_room.hand_store import HandStore
from casino.poker_room.messages import ActInHand, Join, Message
from casino.poker_room.recovery import recover
from casino.poker_room.room import PokerRoom
from casino.poker_room.tournament.ids import new_tournament_id
from casino.poker_room.tournament.messages import RegisterEntry
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.poker_room.tournament.tournament_recovery import recover_tournaments
from casino.poker_room.tournament.tournament_table import TournamentTable
from casino.settings.poker import PUBLISHED, PokerSettings, load_poker
from casino.settings.poker.products import Products
from casino.settings.poker.schedule import TournamentRow
from casino.storage.database import Database
from casino.verify.verifier import verify
from tests.ledger.invariants import check_books
from tests.live_table.stored_rounds import fill_purses
from tests.poker_room.running_room import Clock, Recorder, sender
from tests.poker_room.stored_tables import SEAL, balances_of, fixed_shoe

HouseOpened = Callable[..., Awaitable["TournamentHouse"]]
PURSE = 1_000_000


def published(**parts: Any) -> PokerSettings:  # noqa: ANN401  any section
    """The shipped configuration in EUR, with one Sit & Go of each size and one HexaPro line."""
    settings = load_poker(PUBLISHED)
    room = settings.room.model_copy(update={"currencies": ["EUR"]})
    rows = [row.model_copy(update={"buy_ins": row.buy_ins[3:4]}) for row in settings.sit_and_gos.sng]
    small = settings.sit_and_gos.model_copy(update={"sng": rows})
    products = settings._part(Products)
    classic = products.product[0].model_copy(update={"buy_ins": products.product[0].buy_ins[:1]})
    few = products.model_copy(update={"product": [classic]})
    sunday = settings.schedule.by_id["sunday-109"].model_copy(update={"registration_opens_minutes": 1})
    calendar = settings.schedule.model_copy(update={"tournament": [sunday]})
    shown = {"schedule.toml": calendar} | {"room.toml": room, "sng.toml": small, "hexapro.toml": few}
    return replace(settings, parts={**settings.parts, **shown, **parts})


@dataclass
class TournamentHouse:
    database: Database
    room: PokerRoom
    clock: Clock
    sent: Recorder
    settings: PokerSettings
    chance: random.Random
    decks: int = 0
    keys: int = 0
    is_dead: Callable[[], bool] = lambda: False
    """Whether the process has crashed: what it was storing never ends."""
    publisher: ClassVar[Callable[[], Recorder]] = Recorder

    @classmethod
    async def open(
        cls, database: Database, players: int = 6, *, settings: PokerSettings | None = None, seed: int = 1
    ) -> Self:
        names = [f"p{number}" for number in range(1, players + 1)]
        await fill_purses(database, dict.fromkeys(names, "EUR") | {"zoe": "FUN"}, PURSE)
        house = cls.build(database, Clock(), settings or published(), random.Random(seed))
        await recover_tournaments(house.room, database, house.sent, house.clock)
        await house.settle()
        return house

    @classmethod
    def build(cls, database: Database, clock: Clock, settings: PokerSettings, chance: random.Random) -> Self:
        sent = cls.publisher()
        store = HandStore(database, gather_seconds=0, retry_seconds=0.01)

        def shoe() -> Any:  # noqa: ANN401
            deck = fixed_shoe("", 0)._deck
            shuffled = chance.sample(deck, len(deck))
            return fixed_shoe(" ".join(shuffled), chance.getrandbits(60))

        decks = Decks(SEAL, shoe)
        room = PokerRoom(settings, database, sent, clock, decks=decks, draw=chance.randrange, store=store)
        return cls(database, room, clock, sent, settings, chance)

    async def crash(self, after_ms: int = 0) -> Self:
        """The process ends without a word; another one takes over what is stored."""
        await self.room.stop()
        storing = self.room.store._running
        if storing is not None:  # a process that is gone stores no more hands
            storing.cancel()
            await asyncio.gather(storing, return_exceptions=True)
        self.clock.now_ms += after_ms
        house = self.build(self.database, self.clock, self.settings, self.chance)
        await recover(house.room, self.database, house.sent, house.clock)
        await recover_tournaments(house.room, self.database, house.sent, house.clock)
        house.keys = self.keys
        await house.settle()
        return house

    # Time

    async def settle(self) -> None:
        """Waits for everything that does not wait for time."""
        room = self.room
        while not self.is_dead() and (room.upkeep.tasks or not room.store.is_idle or not room.tournaments.is_idle):  # noqa: ASYNC110
            await asyncio.sleep(0)

    async def step(self) -> bool:
        """Time goes on to the next deadline; False if there is none."""
        await self.settle()
        due = [
            nearest
            for deadlines in (self.room.upkeep.deadlines, self.room.tournaments.floor.deadlines)
            if (nearest := deadlines._nearest()) is not None
        ]
        if not due:
            return False
        self.clock.now_ms = max(min(due)[0], self.clock.now_ms)
        self.room.upkeep.deadlines.run_due()
        self.room.tournaments.floor.deadlines.run_due()
        await self.settle()
        return True

    async def advance(self, ms: int) -> None:
        until_ms = self.clock.now_ms + ms
        await self.settle()
        while (due := self.room.tournaments.floor.deadlines._nearest()) is not None and due[0] <= until_ms:
            await self.step()
        self.clock.now_ms = until_ms

    # Players

    async def ask(self, message: Message) -> Any:  # noqa: ANN401
        reply = await self.room.ask(message)
        await self.settle()
        return reply

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    async def announce(self, **fields: Any) -> RunningTournament:  # noqa: ANN401  keys of schedule.toml
        """A scheduled tournament; it starts in ten minutes unless the fields say otherwise."""
        wait_ms = fields.pop("wait_ms", 600_000)
        row = TournamentRow(id="event", name="The Event", every="day 19:00", **({"total": 1000} | fields))
        tournament_id = new_tournament_id(TournamentKind.MTT)
        now_ms = self.clock.now_ms
        terms = self.settings.tournament_terms(row, tournament_id, now_ms + wait_ms)
        spec = TournamentSpec(tournament_id, TournamentKind.MTT, source_of("event", "EUR"), "EUR", "mtt", now_ms)
        return await self.room.tournaments.announcements.announce(spec, terms)

    def sit_and_go(self, source: str) -> RunningTournament:
        return next(
            running
            for running in self.room.tournaments.running.values()
            if running.spec.source == source and running.state.status is Status.REGISTERING
        )

    async def register(self, running: RunningTournament, *players: str) -> list[str]:
        entries = []
        for player in players:
            message = RegisterEntry(sender(player), running.tournament_id, self.key())
            entries.append((await self.ask(message))["entry_id"])
        return entries

    async def come(self) -> None:
        """Every player who has a seat joins the table."""
        for running in self.room.tournaments.running.values():
            for player_id, table in [*running.seats.items()]:
                if not table.occupants[player_id].is_connected:
                    await self.ask(Join(sender(player_id), table.terms.table_id))

    async def answer(self, table: TournamentTable) -> None:
        """The player whose turn it is decides at random, more wildly than people."""
        live = table.live
        assert live is not None
        offered = live.options
        assert offered is not None
        player_id = live.hand.seats[live.hand.pending[0]].player_id
        lot, amount = self.chance.random(), 0
        if offered.sizes is not None and lot < 0.2:
            action, amount = Action.RAISE_TO, offered.sizes.largest if lot < 0.1 else offered.sizes.smallest
        elif offered.check:
            action = Action.CHECK
        else:
            action = Action.FOLD if lot > 0.6 else Action.CALL
        hand = live.hand
        message = ActInHand(sender(player_id), table.terms.table_id, hand.hand_id, hand.turn, action, amount)
        await self.room.ask(message)

    async def play(self, until: Callable[[], bool], *, steps: int = 200_000) -> None:
        """Every player joins and acts at once; time goes on only when it is no player's turn."""
        for _ in range(steps):
            await self.settle()
            if until():
                return
            await self.come()
            to_act = [
                table
                for table in self.room.tournaments.floor
                if table.phase is Phase.PLAYING and table.live is not None and table.live.hand.pending
            ]
            for table in to_act:
                if table.phase is Phase.PLAYING and table.live is not None and table.live.hand.pending:
                    await self.answer(table)
            if not to_act and not await self.step():
                raise AssertionError("nothing is due, and the tournament is not over")
        raise AssertionError("the tournament does not end")

    async def play_out(self, running: RunningTournament) -> Tournament:
        await self.play(lambda: running.tournament_id not in self.room.tournaments.running)
        return running.state

    def announcements(self, player_id: str, kind: str) -> list[dict[str, Any]]:
        payloads = (dict(payload) for name, payload in self.sent.to_players[player_id] if name == "tournament_news")
        return [payload for payload in payloads if payload["kind"] == kind]

    # Books

    async def checked_with(self, source: str) -> dict[str, int]:
        """As `checked`, while money of flights may wait for the second phase of this name."""
        return await self.checked(waiting=source)

    async def checked(self, waiting: str = "") -> dict[str, int]:
        """The books are whole, and accounts of tournaments that are over are empty."""
        await self.settle()
        await check_books(self.database)
        balances = dict(await balances_of(self.database))
        running = {*self.room.tournaments.running, waiting}
        for line in self.room.tournaments.hexapro.lines.values():
            assert balances[f"mtt:{line.line}:pool:EUR"] == line.buy_in * len(line.waiting)
            running.add(line.line)
        for account, balance in balances.items():
            if account.startswith("mtt:") and account.split(":")[1] not in running:
                assert not balance, f"{account} is not empty"
        return balances

    async def verified(self) -> None:
        """`casino verify` finds nothing wrong."""
        await self.settle()
        findings = await verify(self.database)
        assert findings.is_ok, [line for check in findings.checks for line in check.lines if not check.is_ok]

    async def close(self) -> None:
        await self.room.stop()


def purses_of(balances: dict[str, int], players: Sequence[str]) -> list[int]:
    return [balances[f"player:{player}:cash"] - PURSE for player in players]
