"""HexaPro lines: entries that wait by product and buy-in, and games of three different players.

The draw of the next game is committed to before its players register, and revealed before its first hand.
"""

import asyncio
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from casino.clock import Clock
from casino.poker.tournament.balance import Pick
from casino.poker.tournament.commands import Command, Register, Start
from casino.poker.tournament.director import announce, begin, decide, evolve
from casino.poker.tournament.hexapro import DRAW_OF, PLAYERS, Product, has_long_clock
from casino.poker.tournament.hexapro_terms import hexapro_terms
from casino.poker.tournament.waiting import Waiting, next_game
from casino.poker_room.seat_money import SeatMoney
from casino.poker_room.senders import Sender
from casino.poker_room.tournament.hexapro_store import CommittedDraw, HexaproStore, Joining, WaitingEntry
from casino.poker_room.tournament.journal_store import JournalStore, Step, Stored
from casino.poker_room.tournament.messages import CancelHexa, RegisterHexa
from casino.poker_room.tournament.spec import TournamentKind, TournamentSpec, source_of
from casino.poker_room.transaction_retry import until_known
from casino.refusals import Reason
from casino.settings.poker import PokerSettings
from casino.settings.poker.room import ClockName
from casino.wire.poker_entries import OwnEntry
from casino.wire.poker_hexapro import HexaCancelledAck, HexaLine, HexaRegisteredAck

_log = structlog.get_logger()
GAMES_MAX: Final = 8
"""Games of one registration."""

StartGame = Callable[["Line", Stored, list[Step], CommittedDraw, dict[str, str]], Awaitable[None]]
"""Runs a stored game: the names of its players are given by id."""
NewId = Callable[[], str]


@dataclass
class Line:
    """One product, buy-in and currency. `draws` are committed and unused; the first is that of the next game."""

    line: str
    product: Product
    buy_in: int
    currency: str
    waiting: list[WaitingEntry] = field(default_factory=list)
    draws: list[CommittedDraw] = field(default_factory=list)
    last_no: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class HexaproLines:
    """`playing` counts the games of each player. `draw` makes the numbers; only tests pass another one."""

    def __init__(
        self,
        settings: PokerSettings,
        store: HexaproStore,
        journals: JournalStore,
        money: SeatMoney,
        clock: Clock,
        *,
        pick: Pick,
        start: StartGame,
        playing: Callable[[], Counter[str]],
        changed: Callable[[HexaLine], None],
        draw: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        self._settings = settings
        self._store = store
        self._journals = journals
        self._money = money
        self._clock = clock
        self._pick = pick
        self._start_game = start
        self._playing = playing
        self._changed = changed
        self._draw = draw
        self.lines: Final[dict[str, Line]] = {}
        self.is_draining = False

    async def open(self) -> None:
        """Brings back waiting entries and unused draws, and commits to the draws of the next games."""
        for product in self._settings.products.values():
            for buy_in in product.buy_ins:
                for currency in self._settings.room.currencies:
                    line = Line(source_of(product.product_id, currency, buy_in), product, buy_in, currency)
                    self.lines[line.line] = line
        await self._store.open_lines([(line.line, line.currency) for line in self.lines.values()])
        for name, entry in await self._store.waiting():
            if name in self.lines:
                self.lines[name].waiting.append(entry)
        for line in self.lines.values():
            line.draws, line.last_no = await self._store.draws(line.line), await self._store.last_no(line.line)
        await self._commit_ahead([*self.lines.values()])

    async def _commit_ahead(self, lines: list[Line], games: int = 0) -> None:
        """Draws for every waiting entry, these further ones, and one more game."""
        new: list[tuple[Line, CommittedDraw]] = []
        for line in lines:
            for _ in range(len(line.waiting) + games + 1 - len(line.draws)):
                line.last_no += 1
                new.append((line, CommittedDraw(line.last_no, self._draw(DRAW_OF), secrets.token_hex(32))))
        if not new:
            return
        await until_known(lambda: self._store.commit([(line.line, draw) for line, draw in new], self._clock()))
        for line, draw in new:
            line.draws.append(draw)

    async def draw(self, line: str, no: int) -> CommittedDraw | None:
        """The draw of a game that has started; None if its key is gone."""
        return await self._store.draw(line, no)

    # Players

    async def register(self, message: RegisterHexa, new_id: NewId) -> HexaRegisteredAck:
        sender = message.sender
        known = await self._journals.known_entries(sender.player_id, message.key)
        line = self._line_of(message.product, message.buy_in, sender)
        if known:
            is_same = all(entry.line == line.line for entry in known) and len(known) == message.games
            if not is_same:
                raise Reason.KEY_REUSED.refusal()
        else:
            known_ids = tuple(new_id() for _ in range(message.games))
            joining = Joining(sender.player_id, message.key, line.line, line.buy_in, line.currency, known_ids)
            async with line.lock:
                await self._commit_ahead([line], message.games)
                await self._store.join(joining, self._clock())
                line.waiting += [WaitingEntry(entry_id, sender.player_id, sender.name) for entry_id in known_ids]
            await self.serve(line)
            return {"entries": [*known_ids], "available": await self._money.available(sender.player_id)}
        return {
            "entries": [entry.entry_id for entry in known],
            "available": await self._money.available(sender.player_id),
        }

    async def cancel(self, message: CancelHexa) -> HexaCancelledAck:
        """Takes a waiting entry back in full; the same message again has the same answer."""
        sender = message.sender
        line = next((line for line in self.lines.values() if _has(line, message.entry_id)), None)
        if line is None:
            if await self._journals.returned_means(sender.player_id, message.entry_id) is None:
                raise Reason.NOT_REGISTERED.refusal()
            return {"available": await self._money.available(sender.player_id)}
        async with line.lock:
            if not await self._store.take_back(message.entry_id, sender.player_id, line.currency, self._clock()):
                raise Reason.NOT_REGISTERED.refusal()
            line.waiting = [entry for entry in line.waiting if entry.entry_id != message.entry_id]
        self._changed(self.view(line))
        return {"available": await self._money.available(sender.player_id)}

    def _line_of(self, product: str, buy_in: int, sender: Sender) -> Line:
        if self.is_draining:
            raise Reason.TABLE_STOPPED.refusal()
        line = self.lines.get(source_of(product, sender.currency, buy_in))
        if line is None:
            raise Reason.NO_SUCH_STAKE.refusal()
        return line

    # Games

    async def serve(self, line: Line) -> None:
        """Starts games while three different players wait."""
        async with line.lock:
            while not self.is_draining:
                waiting = [Waiting(entry.entry_id, entry.player_id) for entry in line.waiting]
                games_max = self._settings.room.hexapro_games_max
                chosen = next_game(waiting, PLAYERS, self._playing(), games_max)
                if chosen is None:
                    break
                await self._start(line, {entry.entry_id for entry in chosen})
        self._changed(self.view(line))

    async def _start(self, line: Line, chosen: set[str]) -> None:
        players = [entry for entry in line.waiting if entry.entry_id in chosen]
        draw, now_ms = line.draws[0], self._clock()
        tournament_id = f"{TournamentKind.HEXAPRO}-{secrets.token_hex(5)}"
        terms = hexapro_terms(line.product, line.buy_in, draw.number, tournament_id, now_ms)
        assert terms.draw is not None
        clock: ClockName = "hexa_high" if has_long_clock(terms.draw.multiplier) else "hexa_low"
        spec = TournamentSpec(tournament_id, TournamentKind.HEXAPRO, line.line, line.currency, clock, now_ms, draw.no)
        announced = announce(terms, now_ms)
        state, steps = begin(announced), list[Step]()
        commands: list[Command] = [*(Register(entry.entry_id, entry.player_id) for entry in players), Start()]
        for command in commands:
            for event in decide(state, command, now_ms, self._pick):
                steps.append(Step(state, event, len(steps) + 2))
                state = evolve(state, event)

        async def store() -> Stored:
            return Stored(spec, await self._store.start(spec, announced, steps, state), (announced,))

        stored = await until_known(store)
        line.waiting = [entry for entry in line.waiting if entry.entry_id not in chosen]
        line.draws.pop(0)
        names = {entry.player_id: entry.name for entry in players}
        await self._start_game(line, stored, steps, draw, names)

    # Views

    def view(self, line: Line) -> HexaLine:
        return {
            "line": line.line,
            "product": line.product.product_id,
            "name": line.product.name,
            "game": line.product.game,
            "currency": line.currency,
            "buy_in": line.buy_in,
            "waiting": len(line.waiting),
            "next_game": line.draws[0].no,
            "commitment": line.draws[0].commitment,
        }

    def rows(self, currency: str | None) -> list[HexaLine]:
        return [self.view(line) for line in self.lines.values() if currency in {None, line.currency}]

    def own_entries(self, player_id: str) -> list[OwnEntry]:
        """Entries of the player that wait."""
        return [
            _own_view(line, entry)
            for line in self.lines.values()
            for entry in line.waiting
            if entry.player_id == player_id
        ]


def _has(line: Line, entry_id: str) -> bool:
    return any(entry.entry_id == entry_id for entry in line.waiting)


def _own_view(line: Line, entry: WaitingEntry) -> OwnEntry:
    return {
        "entry_id": entry.entry_id,
        "tournament_id": None,
        "line": line.line,
        "name": line.product.name,
        "status": "waiting",
        "table_id": None,
        "seat_no": None,
        "chips": 0,
        "bounty": 0,
        "rank": None,
        "paid": line.buy_in,
        "won": 0,
        "place": None,
        "can_unregister": True,
        "can_rebuy": False,
        "rebuy_until": None,
        "can_add_on": False,
        "can_reenter": False,
    }
