"""Request pace of one account: its requests wait or are refused, those of others are answered at once."""

import asyncio
import time

import pytest

from casino.settings import ServiceSettings
from casino.settings.service import Rates
from casino.users.roles import Role
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
