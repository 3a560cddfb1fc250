"""Sign-in limits: attempts per address, and wrong passwords per name."""

from collections.abc import Callable

import pytest
from aiohttp import DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application

from casino.errors import Code
from casino.http.errors import HttpRefusal
from casino.http.login_limits import Attempt, LoginLimits
from casino.security.client_address import address_block
from casino.security.device_cookies import Device
from casino.settings import ServiceSettings
from casino.settings.service import Rates, Service
from casino.storage.database import Database
from casino.users.roles import Role
from tests.http.conftest import PASSWORD, Asker

pytestmark = pytest.mark.req("SEC-4")

HOME, ELSEWHERE = "192.0.2.1", "198.51.100.7"


class LoginClient:
    def __init__(self, rates: Rates) -> None:
        self.now_ms = 0
        self.attempt: Attempt = []
        self.limits = LoginLimits(rates, lambda: self.now_ms)

    def lets_in(self, name: str = "Ann", address: str = HOME, device: Device | None = None) -> bool:
        try:
            self.attempt = self.limits.verify_sign_in(name, address, device)
        except HttpRefusal as refusal:
            assert refusal.code is Code.RATE_LIMITED
            assert int(refusal.headers["Retry-After"]) > 0
            return False
        return True


@pytest.fixture
def client() -> LoginClient:
    return LoginClient(Rates(sign_ins_per_minute=20, wrong_passwords_per_minute=3))


@pytest.mark.parametrize("name", ["Ann", "nobody at all", "a\x00b", ""])
def test_wrong_passwords_of_a_name_are_counted_wherever_they_come_from(client: LoginClient, name: str) -> None:
    addresses = (HOME, HOME, ELSEWHERE, HOME, "192.0.2.200")
    tries = [client.lets_in(name, address) for address in addresses]
    assert tries == [True, True, True, False, False]
    client.now_ms = 60_000
    assert client.lets_in(name)


def attacked(client: LoginClient, address: str = ELSEWHERE) -> None:
    while client.lets_in(address=address):
        pass


def test_guessing_does_not_block_the_owner_on_a_new_device_at_a_new_address(client: LoginClient) -> None:
    for minute in range(180):
        client.now_ms = 60_000 * minute
        attacked(client)
    assert not client.lets_in(address="198.51.100.200"), "the attacker's block has had its attempts"
    assert [client.lets_in() for _ in range(3)] == [True, True, False]
    client.now_ms += 3_600_000
    attacked(client)
    assert client.lets_in()
    client.limits.password_was_right(client.attempt)
    assert [client.lets_in() for _ in range(3)] == [True, True, False], "the right password has used up nothing"


@pytest.mark.parametrize("block", ["10.{}.{}.1", "2001:{}:{}::1"])
def test_guesses_from_any_number_of_addresses_are_bounded_in_an_hour(client: LoginClient, block: str) -> None:
    """As many as ever in a minute, and sixty more in an hour, for one name and all address blocks together."""
    tries = 0
    for minute in range(60):
        client.now_ms = 60_000 * minute
        for number in range(100):
            tries += client.lets_in(address=block.format(minute, number))
    assert tries == 60 * 3 + 60
    assert client.lets_in("Bob"), "another name has its own"


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("192.0.2.1", "192.0.2.254", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("2001:db8:1:1::1", "2001:db8:1:ffff::9", True),
        ("2001:db8:1::1", "2001:db8:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.9", True),
        ("unknown", "unknown", True),
    ],
)
def test_addresses_of_one_organization_are_one_block(first: str, second: str, is_one: bool) -> None:  # noqa: FBT001
    assert (address_block(first) == address_block(second)) is is_one


def test_each_known_device_has_its_own_attempts() -> None:
    client = LoginClient(Rates(sign_ins_per_minute=4, wrong_passwords_per_minute=3))
    stolen, own = Device("pstolen", "v"), Device("pown", "v")
    while client.lets_in(device=stolen):
        pass
    for _ in range(10):
        client.lets_in(device=stolen)
    assert [client.lets_in(device=own) for _ in range(4)] == [True, True, True, False]


def test_all_spellings_of_a_name_count_as_one(client: LoginClient) -> None:
    assert [client.lets_in(name) for name in ("Ann", "aNN", "Ａnn", "ann")] == [True, True, True, False]


def test_right_passwords_do_not_count(client: LoginClient) -> None:
    for _ in range(10):
        assert client.lets_in()
        client.limits.password_was_right(client.attempt)


def test_guessing_elsewhere_does_not_lock_the_owner_out(client: LoginClient) -> None:
    assert client.lets_in()
    client.limits.password_was_right(client.attempt)
    client.limits.registered("Ann", HOME, "version")
    while client.lets_in(address=ELSEWHERE):
        pass
    assert [client.lets_in() for _ in range(4)] == [True, True, True, False]


def test_one_address_cannot_try_every_name(client: LoginClient) -> None:
    tries = [client.lets_in(f"name {number}") for number in range(21)]
    assert tries == [True] * 20 + [False]
    assert client.lets_in("name 0", ELSEWHERE)


def test_a_whole_household_counts_as_one_address(client: LoginClient) -> None:
    tries = [client.lets_in(f"name {number}", f"2001:db8::{number:x}") for number in range(21)]
    assert tries[-1] is False


def test_flood_of_failures_does_not_flood_the_audit_log(client: LoginClient) -> None:
    noted = [client.limits.may_note_failure(f"10.0.{n // 100}.1") for n in range(10_000)]
    assert sum(noted) == 120


class TestOverHTTP:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        rates = Rates(
            guests_per_minute=3, registrations_per_minute=2, sign_ins_per_minute=50, wrong_passwords_per_minute=2
        )
        service = Service(trusted_proxies=["127.0.0.1"])
        return ServiceSettings().model_copy(update={"rates": rates, "service": service})

    @pytest.mark.parametrize(("path", "times"), [("/api/guest", 3), ("/api/register", 2)])
    async def test_guests_per_address_are_limited(self, one_asker: Asker, path: str, times: int) -> None:
        async def ask(number: int, address: str) -> int:
            body = {} if path == "/api/guest" else {"name": f"Ann {number}", "password": PASSWORD}
            answer = await one_asker.post(path, body, X_Forwarded_For=address)
            if answer.status == 429:
                assert (await answer.json())["error"]["code"] == "rate_limited"
                assert 0 < int(answer.headers["Retry-After"]) <= 60
            return answer.status

        assert [await ask(number, HOME) for number in range(times + 1)] == [200] * times + [429]
        assert await ask(times + 1, ELSEWHERE) == 200

    async def test_malformed_messages_do_not_count(self, one_asker: Asker) -> None:
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

    async def test_new_account_is_not_locked_out_by_guesses_from_elsewhere(self, one_asker: Asker) -> None:
        body = {"name": "Ann", "password": PASSWORD}
        assert (await one_asker.post("/api/register", body, X_Forwarded_For=HOME)).status == 200
        for expected in (401, 401, 429):
            wrong = {"name": "Ann", "password": "wrong"}
            assert (await one_asker.post("/api/login", wrong, X_Forwarded_For=ELSEWHERE)).status == expected
        assert (await one_asker.post("/api/login", body, X_Forwarded_For=HOME)).status == 200


class TestAfterARestart:
    @pytest.fixture
    def service_settings(self) -> ServiceSettings:
        rates, service = Rates(wrong_passwords_per_minute=2), Service(trusted_proxies=["127.0.0.1"])
        return ServiceSettings().model_copy(update={"rates": rates, "service": service})

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
    limits = LoginLimits(Rates(), lambda: 0)
    for _ in range(100):
        limits.verify_guest(HOME)
    with pytest.raises(HttpRefusal):
        limits.verify_guest(HOME)
