"""Verifies lines of HexaPro games: what players paid for waiting entries, and the draws that were committed to."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import select

from casino.ledger.accounts import Kind
from casino.ledger.posting import Operation
from casino.poker.tournament.hexapro import draw_commitment
from casino.poker_room.shoe import ShoeSeal
from casino.poker_room.tournament.hexapro_store import Joining, cancel_operation, line_pool, register_operation
from casino.storage.tournament_schema import hexapro_draws, tournament_entries, tournaments
from casino.verify.ledger import Stored
from casino.verify.snapshot import Snapshot

Take = Callable[[str], tuple[str, int] | None]
"""Takes the posted operation with this key: its input hash and time."""


class HexaproLines:
    """`numbers` are those of the drawn pools of all games, by line and number of the draw."""

    def __init__(self, fault: Callable[[str], None], take: Take, seals: Sequence[ShoeSeal]) -> None:
        self._fault = fault
        self._take = take
        self._seals = seals
        self.numbers: dict[tuple[str, int], int] = {}

    async def compare(self, snapshot: Snapshot, stored: Mapping[str, Stored], waiting: Mapping[str, int]) -> None:
        """`waiting` is other money that belongs to no tournament yet, by account."""
        currencies = {id_.split(":")[1]: one.currency for id_, one in stored.items() if one.kind == Kind.TOURNAMENT}
        left = Counter(waiting)
        joined: dict[tuple[str, str], list[Any]] = defaultdict(list)
        query = select(tournament_entries).where(tournament_entries.c.line.is_not(None))
        for row in (await snapshot.connection.execute(query.order_by(tournament_entries.c.id))).all():
            joined[row.player_id, row.key.rpartition("#")[0]].append(row)
            pool = line_pool(row.line, currencies.get(row.line, ""))
            left[pool.id] += row.paid if row.status == "waiting" else 0
            is_waiting = row.status == "waiting" and row.ended_ms is None
            if row.tournament_id is None and (
                not (is_waiting or row.status == "returned")
                or (row.risked, row.won, row.place, row.ticket_id) != (row.paid, 0, None, None)
            ):
                self._fault(f"entry {row.id}: it is not as an entry that has waited in {row.line} can be")
            if row.status == "returned" and row.tournament_id is None:
                operation = cancel_operation(row.id, row.player_id, row.line, row.paid, currencies.get(row.line, ""))
                self._expect(operation, row.ended_ms)
        for (player_id, key), rows in joined.items():
            line, currency = rows[0].line, currencies.get(rows[0].line, "")
            joining = Joining(player_id, key, line, rows[0].paid, currency, tuple(row.id for row in rows))
            operation = register_operation(joining, sum(row.paid for row in rows))
            self._expect(operation, rows[0].registered_ms)
        await self._accounts(snapshot, stored, left)
        await self._draws(snapshot)

    def _expect(self, operation: Operation, at_ms: int) -> None:
        if self._take(operation.key) != (operation.input_hash(), at_ms):
            self._fault(f"operation {operation.key}: it is not what its entries lead to")

    async def _accounts(self, snapshot: Snapshot, stored: Mapping[str, Stored], left: Mapping[str, int]) -> None:
        known = set((await snapshot.connection.execute(select(tournaments.c.id))).scalars())
        for id_, account in stored.items():
            owner = id_.split(":")[1] if account.kind == Kind.TOURNAMENT else None
            if owner is not None and owner not in known and account.balance != left.get(id_, 0):
                self._fault(f"account {id_}: it has {account.balance}, and {left.get(id_, 0)} wait there")

    async def _draws(self, snapshot: Snapshot) -> None:
        """The number of every game is the one that was committed to, and the games of a line use draws in order."""
        used = dict(self.numbers)
        last: dict[str, int] = {}
        passed_over: dict[tuple[str, str], int] = {}  # the first unused draw, by line and key
        columns = hexapro_draws.c
        for row in (await snapshot.connection.execute(select(hexapro_draws).order_by(columns.line, columns.no))).all():
            if row.no != last.get(row.line, 0) + 1:
                self._fault(f"draw {row.no} of {row.line}: draw {last.get(row.line, 0) + 1} should be here")
            last[row.line] = row.no
            number = used.pop((row.line, row.no), None)
            place = (row.line, row.sealed.partition(":")[0])
            if number is None:
                passed_over.setdefault(place, row.no)
            elif place in passed_over:  # a draw of a lost key is passed over rightly
                self._fault(f"draw {row.no} of {row.line}: a game was played with it before draw {passed_over[place]}")
            opened = next((text for seal in self._seals if (text := seal.open_text(row.sealed))), None)
            if opened is None:
                if any(seal.is_sealed_by(row.sealed) for seal in self._seals):
                    self._fault(f"draw {row.no} of {row.line}: its sealed number was changed")
                continue  # without its key only the chain of the journal speaks for the draw
            drawn, secret = json.loads(opened)
            if draw_commitment(secret, drawn) != row.commitment or number not in (None, drawn):
                self._fault(f"draw {row.no} of {row.line}: the game was not played with the number committed to")
        for line, no in used:
            self._fault(f"draw {no} of {line}: a game was played with it, and it was never committed to")
