"""Checks that the books hold everything a killed poker process had acknowledged."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.responsible_gaming.daily_losses import hands_played_since
from casino.storage import schema
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hand_players, poker_hands, poker_sittings, poker_tables
from casino.verify.verifier import Proofs, verify
from tests.chaos.books import NONE_OF
from tests.chaos.random_poker import COUNTED, KEY, PLAYERS, PURSE


@dataclass
class PokerChecker:
    began: set[str] = field(default_factory=set)
    results: dict[tuple[str, str], int] = field(default_factory=dict)  # hand and player: net
    bought: dict[tuple[str, str], int] = field(default_factory=dict)  # player and key: amount
    topped_up: dict[tuple[str, str], int] = field(default_factory=dict)
    left: dict[tuple[str, str], list[int]] = field(default_factory=lambda: defaultdict(list))
    """By player and table, the stacks."""
    before: set[str] = field(default_factory=set)  # hands that earlier processes had begun
    recovered: bool = False
    finished: bool = False

    def listen(self, words: Path) -> None:
        """Reads one process after those before it; lines are whole or missing."""
        self.read_all(words.read_text().splitlines())

    def read_all(self, lines: Sequence[str]) -> None:
        self.before, self.recovered, self.finished = set(self.began), False, False
        for line in lines:
            self._read(*json.loads(line))

    def _read(self, what: str, *words: Any) -> None:  # noqa: ANN401  plain JSON
        match what, *words:
            case "began", hand_id:
                self.began.add(hand_id)
            case "result", hand_id, player_id, net:
                assert hand_id in self.began
                self.results[hand_id, player_id] = net
            case "answered", "buy_in", player_id, key, amount, {"status": "seated"}:
                self.bought[player_id, key] = amount
            case "answered", "top_up", player_id, key, amount, {"after_hand": False}:
                self.topped_up[player_id, key] = amount
            case "answered", "leave", player_id, table_id, {"after_hand": False, "stack": stack}:
                self.left[player_id, table_id].append(stack)
            case ("recovered",):
                self.recovered = True
            case ("finished",):
                self.finished = True

    async def check(self, database: Database) -> None:
        async with database.reading() as connection:
            for complaint, query in NONE_OF.items():
                found = (await connection.execute(text(query))).all()
                assert not found, f"{complaint}: {found}"
            await self._check_hands(connection)
            await self._check_sittings(connection)
            await self._check_money(connection)
            await _check_losses(connection)
        findings = await verify(database, proofs=Proofs((KEY,)))
        checks = [check for check in findings.checks if check is not findings.signatures]  # these books are not signed
        assert all(check.is_ok for check in checks), [line for check in checks if check.faults for line in check.lines]
        assert findings.unchecked_decks == 0

    async def _check_hands(self, connection: AsyncConnection) -> None:
        """Told results are stored; once a process has recovered, all hands begun before it are settled or void."""
        stored = {row.id: row for row in await connection.execute(select(poker_hands))}
        players = await connection.execute(select(poker_hand_players))
        nets = {(row.hand_id, row.player_id): row.returned - row.staked for row in players}
        for (hand_id, player_id), net in self.results.items():
            assert hand_id in stored, "a published result is lost"
            assert nets.get((hand_id, player_id)) == net, "a published result is not the stored one"
        if self.recovered:
            assert self.before <= stored.keys(), "an interrupted hand has no row"
        reported = {hand_id for hand_id, _ in self.results}
        for hand_id in self.began & stored.keys():
            row = stored[hand_id]
            assert row.status == "settled" or hand_id not in reported
            if row.started_ms is None:
                assert (row.status, row.events, row.pot, row.rake) == ("void", "[]", 0, 0)
                assert not [1 for of_hand, _ in nets if of_hand == hand_id]
        decks = [row.root for row in stored.values()]
        assert len(set(decks)) == len(decks), "a deck was used twice"
        following = (await connection.execute(select(poker_tables.c.next_root))).scalars()
        assert not set(following) - {""} & set(decks)

    async def _check_sittings(self, connection: AsyncConnection) -> None:
        found = {(row.player_id, row.key): row for row in await connection.execute(select(poker_sittings))}
        for bought, amount in self.bought.items():
            assert bought in found, "an acknowledged buy-in is lost"
            assert found[bought].initial == amount
        keys = set((await connection.execute(select(schema.operations.c.key))).scalars())
        for player_id, key in self.topped_up:
            assert f"poker_top_up:{player_id}:{key}" in keys, "an acknowledged top-up is lost"
        departures = defaultdict(list)
        for row in found.values():
            departures[row.player_id, row.table_id].append(row.left_with)
        for place, stacks in self.left.items():
            for stack in stacks:
                assert stack in departures[place], "an acknowledged departure is lost"

    async def _check_money(self, connection: AsyncConnection) -> None:
        """To the cent: what players had at first is theirs, at tables or not, or rake."""
        totals: dict[str, int] = defaultdict(int)
        for row in await connection.execute(select(schema.accounts)):
            if row.kind in ("player", "seat", "rake", "pot"):
                totals[row.currency] += row.balance
        for currency, total in totals.items():
            assert total == PURSE * sum(own == currency for own in PLAYERS.values())


async def _check_losses(connection: AsyncConnection) -> None:
    for player_id in COUNTED:
        reported = await hands_played_since(connection, player_id, 0)
        own = select(schema.play_days).where(schema.play_days.c.player_id == player_id)
        counted = {row.day_ms: (row.staked, row.returned) for row in await connection.execute(own)}
        assert counted == {day: tuple(played) for day, played in reported.items()}
