"""Bots in Sit & Gos and HexaPro games of a real server: their messages agree with every balance and the books.

The server is killed in between. Then the games go on from their last stored hands.
"""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy import func, select

from casino.client.http_api import open_http_api
from casino.client.poker.options import PokerOptions, PokerStrategy
from casino.client.poker.tournament_bots import TournamentBots
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hands
from casino.storage.tournament_schema import tournaments
from casino.verify.verifier import verify
from tests.deep import DEEP
from tests.live.poker_service import started_poker
from tests.live.service import PASSWORD, LiveService

SECONDS_MAX = 240
CROWD = 60 if DEEP else 20
OPTIONS = PokerOptions(15, PokerStrategy.RANDOM, (), seed=5, tournament="sng-5-100")


async def play(service: LiveService, *, kills: int) -> tuple[TournamentBots, int, list[str]]:
    said: list[str] = []
    async with open_http_api(service.address) as api:
        bots = TournamentBots(api, OPTIONS, said.append)
        playing = asyncio.create_task(bots.play())
        for number in range(1, kills + 1):
            while sum(bot.paid > 0 for bot in bots.bots) < OPTIONS.bots or len(bots.results.hands) < 4 * number:
                assert not playing.done(), said
                await asyncio.sleep(0.05)
            await asyncio.to_thread(service.kill)
            await asyncio.to_thread(service.start)
        async with asyncio.timeout(SECONDS_MAX):
            return bots, await playing, said


async def count_again(service: LiveService) -> tuple[dict[str, int], int]:
    """Tournaments by status, and hands; the books are whole."""
    database = await Database.open(service.database)
    try:
        findings = await verify(database)
        assert findings.is_ok, [line for check in findings.checks for line in check.lines if not check.is_ok]
        async with database.reading() as connection:
            query = select(tournaments.c.status, func.count()).group_by(tournaments.c.status)
            found = {row[0]: row[1] for row in await connection.execute(query)}
            hands = await connection.scalar(select(func.count()).select_from(poker_hands))
    finally:
        await database.close()
    return found, int(hands or 0)


async def test_three_sit_and_gos_over_the_socket() -> None:
    with started_poker(known=False, first_hand="0") as service:
        bots, code, said = await play(service, kills=0)
        assert code == 0, said
        assert any("prizes 14.25" in line for line in said), said
        found, hands = await count_again(service)
    assert found["finished"] == 3
    assert hands >= len(bots.results.hands) > 10


async def test_tournaments_go_on_after_the_server_was_killed() -> None:
    with started_poker(known=False, first_hand="0", after_restart="2") as service:
        bots, _, said = await play(service, kills=1)
        assert any("prizes 14.25" in line for line in said), said
        assert not [fault for fault in bots.results.faults if "by the messages" in fault], said
        found, _ = await count_again(service)
    assert found["finished"] == 3


async def test_two_hexapro_games_over_the_socket() -> None:
    """Two games of three: the prizes are the drawn pools, and the books are whole."""
    with started_poker(known=False, first_hand="0", hexapro_reveal="0") as service:
        said: list[str] = []
        async with open_http_api(service.address) as api, asyncio.timeout(SECONDS_MAX):
            options = replace(OPTIONS, bots=6, tournament=None, hexa=("extreme", 20))
            crowd = TournamentBots(api, options, said.append)
            assert await crowd.play() == 0, said
        found, _ = await count_again(service)
    assert found["finished"] == 2
    assert sum(bot.won for bot in crowd.bots) % 20 == 0


def event(minutes: float) -> dict[str, object]:
    """A turbo with six big blinds each, so that it is over soon."""
    starts = datetime.fromtimestamp(time.time() + 60 * minutes, UTC).isoformat()
    terms = {"structure": "turbo", "stack": 300, "sync_breaks": False, "late_levels": 3}
    return {"id": "crowd", "name": "The Crowd", "at": starts, "total": 100, **terms}


async def test_a_turbo_that_a_manager_has_created_is_played_over_the_socket() -> None:
    """Bots register as guests and late; places have no gap, and prizes are the pool."""
    with started_poker("max", known=False, first_hand="0") as service:
        async with open_http_api(service.address) as api, asyncio.timeout(SECONDS_MAX):
            currency = (await api.wallet(await api.guest())).currency
            manager = await api.sign_in("max", PASSWORD)
            wanted = {"template": event(0.05), "currency": currency, "reason": "a crowd"}
            headers = {"Authorization": f"Bearer {manager.token}"}
            url = f"{service.address}/api/host/poker/tournaments"
            async with api.http.post(url, json=wanted, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
                tournament_id = (await answer.json())["tournament_id"]
            said: list[str] = []
            bots = TournamentBots(api, replace(OPTIONS, bots=CROWD, tournament=tournament_id), said.append)
            assert await bots.play() == 0, said
        found, _ = await count_again(service)
    assert found["finished"] == 1
    assert sorted(bot.place or 0 for bot in bots.bots) == [*range(1, CROWD + 1)]
    assert sum(bot.won for bot in bots.bots) == 90 * CROWD
