"""How often an address may come in, and how many wrong passwords a name takes."""

from collections.abc import Callable

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application

from casino.api.answers import Answered
from casino.api.rates import Limits
from casino.errors import Code
from casino.people.roles import Role
from casino.settings import HouseSettings
from casino.settings.house import Rates, Service
from casino.storage.database import Database
from tests.api.conftest import PASSWORD, Asker

pytestmark = pytest.mark.req("SEC-4")

HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"


class Door:
    def __init__(self, rates: Rates) -> None:
        self.now_ms = 0
        self.limits = Limits(rates, lambda: self.now_ms)

    def lets_in(self, name: str = "Ann", address: str = HOME) -> bool:
        try:
            self.limits.verify_sign_in(name, address)
        except Answered as refusal:
            assert refusal.code is Code.RATE_LIMITED
            assert int(refusal.headers["Retry-After"]) > 0
            return False
        return True


@pytest.fixture
def door() -> Door:
    return Door(Rates(sign_ins_per_minute=20, wrong_passwords_per_minute=3))


@pytest.mark.parametrize("name", ["Ann", "nobody at all", "a\x00b", ""])
def test_wrong_passwords_of_a_name_are_counted_wherever_they_come_from(door: Door, name: str) -> None:
    tries = [door.lets_in(name, address) for address in (HOME, ELSEWHERE, "203.0.113.1", "203.0.113.2")]
    assert tries == [True, True, True, False]
    door.now_ms = 60_000
    assert door.lets_in(name)


def test_all_spellings_of_a_name_count_as_one(door: Door) -> None:
    assert [door.lets_in(name) for name in ("Ann", "aNN", "Ａnn", "ann")] == [True, True, True, False]


def test_right_passwords_do_not_count(door: Door) -> None:
    for _ in range(10):
        assert door.lets_in()
        door.limits.signed_in("Ann", HOME)


def test_somebody_who_guesses_elsewhere_does_not_lock_the_owner_out(door: Door) -> None:
    assert door.lets_in()
    door.limits.signed_in("Ann", HOME)
    while door.lets_in(address=ELSEWHERE):
        pass
    assert [door.lets_in() for _ in range(4)] == [True, True, True, False]


def test_one_address_cannot_try_every_name(door: Door) -> None:
    tries = [door.lets_in(f"name {number}") for number in range(21)]
    assert tries == [True] * 20 + [False]
    assert door.lets_in("name 0", ELSEWHERE)


def test_a_whole_household_counts_as_one_address(door: Door) -> None:
    tries = [door.lets_in(f"name {number}", f"2001:db8::{number:x}") for number in range(21)]
    assert tries[-1] is False


def test_flood_of_failures_does_not_flood_the_audit_log(door: Door) -> None:
    noted = [door.limits.may_note_failure(f"10.0.{n // 100}.1") for n in range(10_000)]
    assert sum(noted) == 120


class TestOverHTTP:
    @pytest.fixture
    def house(self) -> HouseSettings:
        rates = Rates(
            guests_per_minute=3, registrations_per_minute=2, sign_ins_per_minute=50, wrong_passwords_per_minute=2
        )
        service = Service(trusted_proxies=["127.0.0.1"])
        return HouseSettings().model_copy(update={"rates": rates, "service": service})

    @pytest.mark.parametrize(("path", "times"), [("/api/guest", 3), ("/api/register", 2)])
    async def test_one_address_makes_only_so_many(self, one_asker: Asker, path: str, times: int) -> None:
        async def ask(number: int, address: str) -> int:
            body = {} if path == "/api/guest" else {"name": f"Ann {number}", "password": PASSWORD}
            answer = await one_asker.post(path, body, X_Forwarded_For=address)
            if answer.status == 429:
                assert (await answer.json())["error"]["code"] == "rate_limited"
                assert 0 < int(answer.headers["Retry-After"]) <= 60
            return answer.status

        assert [await ask(number, HOME) for number in range(times + 1)] == [200] * times + [429]
        assert await ask(times + 1, ELSEWHERE) == 200

    async def test_what_is_refused_at_first_sight_does_not_count(self, one_asker: Asker) -> None:
        for _ in range(5):
            assert (await one_asker.post("/api/register", {"name": "Ann", "password": "short"})).status == 400
        await one_asker.register()

    async def test_right_password_is_refused_too_once_a_name_had_too_many(self, one_asker: Asker) -> None:
        await one_asker.add("Ann", Role.PLAYER)
        for expected in (401, 401, 429):
            answer = await one_asker.post("/api/login", {"name": "Ann", "password": "wrong"})
            assert answer.status == expected
        assert (await one_asker.post("/api/login", {"name": "Ann", "password": PASSWORD})).status == 429
        assert (await one_asker.post("/api/login", {"name": "Bob", "password": PASSWORD})).status == 401

    async def test_who_has_just_registered_is_not_locked_out_by_guesses_from_elsewhere(self, one_asker: Asker) -> None:
        body = {"name": "Ann", "password": PASSWORD}
        assert (await one_asker.post("/api/register", body, X_Forwarded_For=HOME)).status == 200
        for expected in (401, 401, 429):
            wrong = {"name": "Ann", "password": "wrong"}
            assert (await one_asker.post("/api/login", wrong, X_Forwarded_For=ELSEWHERE)).status == expected
        assert (await one_asker.post("/api/login", body, X_Forwarded_For=HOME)).status == 200


class TestAfterARestart:
    @pytest.fixture
    def house(self) -> HouseSettings:
        rates, service = Rates(wrong_passwords_per_minute=2), Service(trusted_proxies=["127.0.0.1"])
        return HouseSettings().model_copy(update={"rates": rates, "service": service})

    async def test_owners_are_not_locked_out_by_guesses_from_elsewhere(
        self, asker: Asker, app_on: Callable[[Database], Application]
    ) -> None:
        body = {"name": "Ann", "password": PASSWORD}
        assert (await asker.post("/api/register", body, X_Forwarded_For=HOME)).status == 200
        async with TestClient(TestServer(app_on(asker.database)), cookie_jar=DummyCookieJar()) as client:
            again = Asker(client, asker.database)
            for expected in (401, 401, 429):
                wrong = {"name": "Ann", "password": "wrong"}
                assert (await again.post("/api/login", wrong, X_Forwarded_For=ELSEWHERE)).status == expected
            assert (await again.post("/api/login", body, X_Forwarded_For=HOME)).status == 200


def test_hundred_guests_a_minute_is_the_default() -> None:
    limits = Limits(Rates(), lambda: 0)
    for _ in range(100):
        limits.verify_guest(HOME)
    with pytest.raises(Answered):
        limits.verify_guest(HOME)
