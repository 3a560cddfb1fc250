"""Request pace of one account: its requests wait or are refused, those of others are answered at once."""

import asyncio
import time

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.http import accounts, history, poker
from casino.http.authorization import _READS_AT_ONCE as READS_AT_ONCE
from casino.ledger.book import Balance
from casino.settings import ServiceSettings
from casino.settings.service import Rates
from casino.users.roles import Role
from casino.users.users import User
from casino.users.wallet import wallet_of
from tests.http.conftest import Asker
from tests.http.test_accounts import error_of

pytestmark = pytest.mark.req("SEC-5")
OWN_ROUTES = ("/api/me", "/api/history", "/api/settings", "/api/responsible", "/api/cashier")


@pytest.fixture
def service_settings() -> ServiceSettings:
    return ServiceSettings().model_copy(update={"rates": Rates(account_requests_per_second=1)})


async def test_one_account_over_all_its_sessions_and_routes_is_slowed_down_and_then_refused(one_asker: Asker) -> None:
    await one_asker.add("Ann", Role.PLAYER)
    tokens = [await one_asker.token_of("Ann") for _ in range(2)]
    asked = [
        asyncio.create_task(one_asker.get(path, token)) for _ in range(2) for path in OWN_ROUTES for token in tokens
    ]
    done, waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    assert done
    assert (await one_asker.me(await one_asker.guest()))[0] == 200, "a bystander is answered meanwhile"
    assert waiting, "the account still waits"
    answers = await asyncio.gather(*asked)
    refused = [answer for answer in answers if answer.status != 200]
    assert 3 <= len(answers) - len(refused) <= 8
    assert await error_of(refused[0]) == (429, "rate_limited")
    assert refused[0].headers["Retry-After"] == "5"


async def test_sign_out_is_felt_by_the_next_request(one_asker: Asker) -> None:
    token = await one_asker.guest()
    assert (await one_asker.me(token))[0] == 200
    assert (await one_asker.post("/api/logout", {}, token)).status == 200
    assert (await one_asker.me(token))[0] == 401


class TestOneAddress:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        return ServiceSettings().model_copy(update={"rates": Rates(requests_per_second=10)})

    async def test_all_guests_of_an_address_share_a_pace_and_staff_do_not_wait_behind_them(
        self, one_asker: Asker
    ) -> None:
        await one_asker.add("Fin", Role.FINANCE)
        staff = await one_asker.token_of("Fin")
        guests = [await one_asker.guest() for _ in range(6)]
        begun = time.monotonic()
        asked = [asyncio.create_task(one_asker.me(guest)) for guest in guests]
        assert (await one_asker.me(staff))[0] == 200
        assert not all(one.done() for one in asked), "staff are answered before the last guest"
        assert [status for status, _ in await asyncio.gather(*asked)] == [200] * 6
        assert time.monotonic() - begun > 1.0, "four of them in a second"

    async def test_replayed_rounds_have_a_small_part_of_the_pace(self, one_asker: Asker) -> None:
        """They cost five times as much as the lobby, and proofs are public."""
        asked = [asyncio.create_task(one_asker.get(f"/api/fairness/r{number}")) for number in range(10)]
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        assert (await one_asker.get("/api/tables")).status == 200
        assert not all(one.done() for one in asked), "the lobby does not wait behind them"
        for one in asked:
            one.cancel()

    async def test_all_players_of_a_round_have_its_proof_at_once(
        self, one_asker: Asker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is read once, and never changes."""
        read: list[str] = []

        async def read_proof(_connection: object, round_id: str, _unseal: object) -> dict[str, str]:
            read.append(round_id)
            return {"round_id": round_id}

        monkeypatch.setattr(history, "read_proof", read_proof)
        answers = await asyncio.gather(*(one_asker.get("/api/fairness/r1") for _ in range(8)))
        assert ({answer.status for answer in answers}, read) == ({200}, ["r1"])


async def test_reads_of_all_guests_of_an_address_are_few_at_a_time(
    asker: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they read: each that has begun is ahead of the next step of a bet, and has a connection."""
    begun, some_begun, go_on = 0, asyncio.Event(), asyncio.Event()

    async def slow(connection: AsyncConnection, user: User) -> Balance | None:
        nonlocal begun
        begun += 1
        if begun == READS_AT_ONCE:
            some_begun.set()
        await go_on.wait()
        return await wallet_of(connection, user)

    guests = [await asker.guest() for _ in range(6)]
    bystander = await asker.guest()
    monkeypatch.setattr(accounts, "wallet_of", slow)
    asked = [asyncio.create_task(asker.me(guest)) for guest in guests]
    async with asyncio.timeout(60):
        await some_begun.wait()
        assert (await asker.post("/api/logout", {}, bystander)).status == 200, "a request that changes something"
    assert begun == READS_AT_ONCE
    go_on.set()
    assert {status for status, _ in await asyncio.gather(*asked)} == {200}


@pytest.mark.parametrize("path", ["/api/poker/hands", "/api/poker/hands/export?format=phh"])
async def test_poker_hands_of_several_players_are_written_one_at_a_time(
    asker: Asker, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Each opens hundreds of decks, in a thread: together they would take the processor from all bets."""
    running = most = 0

    async def work(*_asked: object) -> tuple[list[object], None]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return [], None

    async def export(*asked: object) -> str:
        await work(*asked)
        return ""

    monkeypatch.setattr(poker, "hands_page", work)
    monkeypatch.setattr(poker, "export_hands", export)
    guests = [await asker.guest() for _ in range(4)]
    answers = await asyncio.gather(*(asker.get(path, guest) for guest in guests))
    assert ({answer.status for answer in answers}, most) == ({200}, 1)
