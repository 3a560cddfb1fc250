"""Recount of many bots over many rounds: every payout and every balance, computed independently."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path

from sqlalchemy import text

from casino.client.bots import BotPool
from casino.client.http_api import HttpApi, Member, Payload, open_http_api
from casino.client.options import Options, Strategy
from casino.client.table_connection import ConnectionEvent, TableConnection
from casino.storage.database import Database
from casino.uth.rtp_cache import cache_folder
from tests.client.conftest import FAST
from tests.deep import count
from tests.live.service import Kind, LiveService, started_service
from tests.uth.oracle import returned

BOTS = count("CASINO_TEST_BOTS", usual=40, deep=60)
ROUNDS = count("CASINO_TEST_BOT_ROUNDS", usual=4, deep=8)
CREDIT = 100_000

# A machine with few cores needs longer until the last of many bets is in.
KINDS = {"crowded": Kind(1, dealing="auto", seconds=FAST | {"betting": 1.5 + BOTS / 60})}


class EventRecorder:
    """Records every event that every bot received."""

    def __init__(self) -> None:
        self.received: dict[Member, list[ConnectionEvent]] = defaultdict(list)

    def connections(self) -> type[TableConnection]:
        received = self.received

        class RecordingConnection(TableConnection):
            async def events(self) -> AsyncIterator[ConnectionEvent]:
                async for item in super().events():
                    received[self.member].append(item)
                    yield item

        return RecordingConnection

    def results(self, member: Member) -> list[Payload]:
        return [payload for event, payload in self.received[member] if event == "result"]

    def settled(self) -> dict[str, Payload]:
        """The end of every round, the same for all players."""
        rounds: dict[str, Payload] = {}
        for events in self.received.values():
            for event, payload in events:
                if event == "round" and payload["phase"] == "settled":
                    assert rounds.setdefault(payload["round_id"], payload) == payload
        return rounds


def net_by_the_oracle(result: Payload, round_: Payload) -> int:
    """Recomputes the payout from the cards on the table and the bets alone."""
    bets = {name: spot["bet"] for name, spot in result["spots"].items()}
    assert bets["blind"] == bets["ante"]
    cards = (tuple(round_[part]) for part in ("player_cards", "board", "dealer_cards"))
    back = returned(*cards, (bets["ante"], bets["trips"], bets["play"]))  # type: ignore[call-arg]
    assert back == {name: spot["returned"] for name, spot in result["spots"].items()}
    net: int = sum(back.values()) - sum(bets.values())
    return net


async def balances_by_the_ledger(database_url: str) -> dict[str, int]:
    """What came to each player less what went, over all postings."""
    query = r"""
        SELECT u.name, coalesce((SELECT sum(amount) FROM postings WHERE destination = 'player:' || u.id || '\:cash'), 0)
                     - coalesce((SELECT sum(amount) FROM postings WHERE source = 'player:' || u.id || '\:cash'), 0)
        FROM users u WHERE u.role = 'player'"""
    database = await Database.open(database_url)
    try:
        async with database.reading() as connection:
            return {row[0]: int(row[1]) for row in await connection.execute(text(query))}
    finally:
        await database.close()


async def play(service: LiveService, clients: HttpApi, recorder: EventRecorder, cache_dir: Path) -> list[str]:
    """Half of the bots play as well as can be, half as it comes, all at one table."""
    table_id, said = service.table("crowded"), list[str]()
    halves = {Strategy.BEST: BOTS - BOTS // 2, Strategy.RANDOM: BOTS // 2}
    pools = [
        BotPool(
            clients,
            Options(bots, strategy, table_id, ROUNDS, seed=1),
            cache_dir,
            said.append,
            connection=recorder.connections(),
        )
        for strategy, bots in halves.items()
    ]
    codes = await asyncio.gather(*(pool.play() for pool in pools))
    assert codes == [0, 0], said
    return said


async def test_balances_are_what_an_independent_recount_of_all_results_says() -> None:
    recorder = EventRecorder()
    with started_service(KINDS, staff=()) as service:
        async with open_http_api(service.address) as clients:
            said = await play(service, clients, recorder, cache_folder())
            members = list(recorder.received)
            assert len(members) == BOTS
            wallets = {member: await clients.wallet(member) for member in members}
        ledger = await balances_by_the_ledger(service.database)
        service.verify()
        assert not service.errors()
    settled = recorder.settled()
    assert len(settled) >= ROUNDS
    results = 0
    for member in members:
        balance = CREDIT
        for result in recorder.results(member):
            balance += net_by_the_oracle(result, settled[result["round_id"]])
            assert result["balance"] == balance
            results += 1
        assert balance == wallets[member].balance == wallets[member].available == ledger[member.name]
    assert results >= 0.9 * BOTS * ROUNDS, said  # a few answers may have come too late
