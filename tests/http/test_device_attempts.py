"""Sign-in attempts by device: an attacker uses up no attempt of a device the owner has signed in from."""

from collections.abc import Callable

import pytest
from aiohttp import ClientResponse, CookieJar, DummyCookieJar
from aiohttp.test_utils import TestClient, TestServer
from aiohttp.web import Application

from casino.bootstrap.service import build_app
from casino.http.static_pages import Pages
from casino.security.device_cookies import DEVICE_COOKIE
from casino.settings import ServiceSettings, Settings
from casino.settings.service import Rates, Service
from casino.storage.database import Database
from tests.http.conftest import PASSWORD, Asker

pytestmark = pytest.mark.req("SEC-4")

HOME, NEW_PLACE, ELSEWHERE = "192.0.2.1", "203.0.113.9", "198.51.100.7"
WRONG, NEW_PASSWORD = "not this password", "zebra window lamp"


@pytest.fixture
def service_settings() -> ServiceSettings:
    rates = Rates(sign_ins_per_minute=6, wrong_passwords_per_minute=3)
    service = Service(trusted_proxies=["127.0.0.1"], public_url="https://casino.example")
    return ServiceSettings().model_copy(update={"rates": rates, "service": service})


@pytest.fixture
def app_on(settings: Settings, dist: object) -> Callable[[Database], Application]:
    """With one key, as after a restart."""
    return lambda database: build_app(settings, database, Pages(dist), service_key="k" * 32)  # type: ignore[arg-type]


async def sign_in(
    asker: Asker, password: str, address: str, device: str | None = None, name: str = "Ann"
) -> ClientResponse:
    cookie = {"Cookie": f"{DEVICE_COOKIE}={device}"} if device else {}
    return await asker.post("/api/login", {"name": name, "password": password}, X_Forwarded_For=address, **cookie)


async def device_of(asker: Asker, name: str = "Ann") -> str:
    answer = await asker.post("/api/register", {"name": name, "password": PASSWORD}, X_Forwarded_For=HOME)
    assert answer.status == 200
    cookie = answer.cookies[DEVICE_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Strict", True)
    assert cookie["path"] == "/api", "it travels with nothing else"
    return cookie.value


async def test_known_device_signs_in_from_a_new_address_while_the_name_is_under_attack(one_asker: Asker) -> None:
    device = await device_of(one_asker)
    attack = [(await sign_in(one_asker, WRONG, ELSEWHERE)).status for _ in range(4)]
    assert attack == [401, 401, 401, 429]
    strangers = [(await sign_in(one_asker, WRONG, NEW_PLACE)).status for _ in range(3)]
    assert strangers == [401, 401, 429], "a stranger's device stays bounded"
    assert (await sign_in(one_asker, PASSWORD, NEW_PLACE, device)).status == 200


async def test_known_device_signs_in_though_its_address_has_used_up_its_attempts(one_asker: Asker) -> None:
    device = await device_of(one_asker)
    while (await sign_in(one_asker, WRONG, NEW_PLACE, name="somebody else")).status != 429:
        pass
    for number in range(6):
        await sign_in(one_asker, WRONG, NEW_PLACE, name=f"name {number}")
    assert (await sign_in(one_asker, WRONG, NEW_PLACE, name="the last")).status == 429
    assert (await sign_in(one_asker, PASSWORD, NEW_PLACE, device)).status == 200


async def test_guesses_from_a_known_device_are_bounded_by_themselves(one_asker: Asker) -> None:
    device = await device_of(one_asker)
    tries = [(await sign_in(one_asker, WRONG, ELSEWHERE, device)).status for _ in range(4)]
    assert tries == [401, 401, 401, 429]
    assert (await sign_in(one_asker, PASSWORD, HOME)).status == 200, "the owner's address is counted by itself"


async def test_device_of_one_name_is_a_stranger_to_another(one_asker: Asker) -> None:
    device = await device_of(one_asker, "Mallory")
    await one_asker.post("/api/register", {"name": "Ann", "password": PASSWORD}, X_Forwarded_For=HOME)
    tries = [(await sign_in(one_asker, WRONG, ELSEWHERE, device)).status for _ in range(4)]
    assert tries == [401, 401, 401, 429]
    tries = [(await sign_in(one_asker, WRONG, NEW_PLACE, device)).status for _ in range(3)]
    assert tries == [401, 401, 429], "the first attempts of an address block, and no attempts of a device"


async def test_device_is_known_after_a_restart(one_asker: Asker, app_on: Callable[[Database], Application]) -> None:
    device = await device_of(one_asker)
    async with TestClient(TestServer(app_on(one_asker.database)), cookie_jar=DummyCookieJar()) as client:
        again = Asker(client, one_asker.database)
        while (await sign_in(again, WRONG, ELSEWHERE)).status != 429:
            pass
        assert (await sign_in(again, PASSWORD, NEW_PLACE, device)).status == 200


async def test_guest_gets_no_device_cookie_and_failures_set_none(one_asker: Asker) -> None:
    assert DEVICE_COOKIE not in (await one_asker.post("/api/guest", {})).cookies
    await device_of(one_asker)
    assert DEVICE_COOKIE not in (await sign_in(one_asker, WRONG, HOME)).cookies


async def test_owner_signs_in_on_a_new_device_from_a_new_address_while_the_name_is_under_attack(
    one_asker: Asker,
) -> None:
    await device_of(one_asker)
    while (await sign_in(one_asker, WRONG, ELSEWHERE)).status != 429:
        pass
    assert (await sign_in(one_asker, PASSWORD, ELSEWHERE)).status == 429, "the attacker's address stays refused"
    assert (await sign_in(one_asker, PASSWORD, NEW_PLACE)).status == 200


async def test_copied_cookie_of_one_device_does_not_lock_the_others_out(one_asker: Asker) -> None:
    stolen = await device_of(one_asker)
    own = (await sign_in(one_asker, PASSWORD, HOME)).cookies[DEVICE_COOKIE].value
    for _ in range(20):
        await sign_in(one_asker, WRONG, ELSEWHERE, stolen)
    assert (await sign_in(one_asker, WRONG, ELSEWHERE, stolen)).status == 429
    assert (await sign_in(one_asker, PASSWORD, NEW_PLACE, own)).status == 200


async def change_password(asker: Asker, device: str) -> ClientResponse:
    token = (await (await sign_in(asker, PASSWORD, HOME)).json())["token"]
    change = {"current": PASSWORD, "new": NEW_PASSWORD}
    return await asker.post("/api/password", change, token, Cookie=f"{DEVICE_COOKIE}={device}")


async def test_changed_password_makes_a_stranger_of_every_other_device(one_asker: Asker) -> None:
    own = await device_of(one_asker)
    old = (await sign_in(one_asker, PASSWORD, HOME)).cookies[DEVICE_COOKIE].value
    changed = await change_password(one_asker, own)
    assert changed.status == 200
    tries = [(await sign_in(one_asker, WRONG, ELSEWHERE, old)).status for _ in range(4)]
    assert tries == [401, 401, 401, 429]
    assert (await sign_in(one_asker, WRONG, ELSEWHERE)).status == 429, "it has shared the attempts of strangers"
    own = changed.cookies[DEVICE_COOKIE].value
    tries = [(await sign_in(one_asker, WRONG, ELSEWHERE, own)).status for _ in range(4)]
    assert tries == [401, 401, 401, 429], "the device of the change has its own"


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_changed_password_makes_a_stranger_of_every_address_that_knew_the_old_one(
    one_asker: Asker,
    app_on: Callable[[Database], Application],
    is_restarted: bool,  # noqa: FBT001
) -> None:
    device = await device_of(one_asker)
    assert (await sign_in(one_asker, PASSWORD, ELSEWHERE)).status == 200
    assert (await change_password(one_asker, device)).status == 200
    server = TestServer(app_on(one_asker.database)) if is_restarted else one_asker.client.server
    assert isinstance(server, TestServer)
    async with TestClient(server, cookie_jar=DummyCookieJar()) as client:
        asker = Asker(client, one_asker.database)
        while (await sign_in(asker, WRONG, NEW_PLACE)).status != 429:
            pass
        tries = [(await sign_in(asker, WRONG, ELSEWHERE)).status for _ in range(3)]
        assert tries == [401, 401, 429], "the first attempts of an address block, and none of its own"
        assert (await sign_in(asker, NEW_PASSWORD, HOME)).status == 200
        tries = [(await sign_in(asker, WRONG, HOME)).status for _ in range(4)]
        assert tries == [401, 401, 401, 429], "an address that knows the new one has its own"


async def test_one_browser_keeps_the_devices_of_several_people(one_asker: Asker) -> None:
    """Whoever registers, signs in or changes a password there changes no entry of another person."""
    server = one_asker.client.server
    assert isinstance(server, TestServer)
    jar = CookieJar(unsafe=True, treat_as_secure_origin=server.make_url("/"))
    async with TestClient(server, cookie_jar=jar) as client:
        browser = Asker(client, one_asker.database)
        for name in ("Ann", "Bob", "Cid"):
            await browser.register(name)
        changed = await browser.post("/api/password", {"current": PASSWORD, "new": NEW_PASSWORD})
        assert changed.status == 200
        for name, password in (("Ann", PASSWORD), ("Bob", PASSWORD), ("Cid", NEW_PASSWORD)):
            while (await sign_in(one_asker, WRONG, ELSEWHERE, name=name)).status != 429:
                pass
            assert (await sign_in(browser, password, ELSEWHERE, name=name)).status == 200, name


async def test_cookie_of_an_earlier_version_next_to_the_new_one_is_harmless(one_asker: Asker) -> None:
    """Browsers send it first: its path, /api/login, is longer."""
    device = await device_of(one_asker)
    while (await sign_in(one_asker, WRONG, ELSEWHERE)).status != 429:
        pass
    old = "p" + 38 * "x"
    assert (await sign_in(one_asker, PASSWORD, ELSEWHERE, f"{old}; {DEVICE_COOKIE}={device}")).status == 200
