"""Device cookies: the device and name they prove, and no effect of forged ones."""

import pytest

from casino.security.device_cookies import ENTRIES_MAX, DeviceCookies

pytestmark = pytest.mark.req("SEC-4")

COOKIES = DeviceCookies("a key of the house")
HASH, NEW_HASH = "$argon2id$v=19$first", "$argon2id$v=19$second"


def renewed(cookie: str | None, name_key: str, password_hash: str = HASH, *, second_factor: bool = False) -> str:
    return COOKIES.renew(cookie, name_key, password_hash, second_factor=second_factor)


def test_cookie_is_known_for_its_name_only_and_keeps_its_id() -> None:
    cookie = renewed(None, "ann")
    device = COOKIES.find(cookie, "ann")
    assert device is not None
    assert not device.has_second_factor
    assert COOKIES.find(cookie, "bob") is None
    again = COOKIES.find(renewed(cookie, "ann"), "ann")
    assert again == device, "a new id would be a new set of attempts"


def test_cookie_does_not_carry_the_name() -> None:
    assert "ann" not in renewed(None, "ann").lower()[:3]
    assert renewed(None, "ann") != renewed(None, "ann")


def test_only_a_sign_in_with_the_second_factor_makes_a_device_of_it() -> None:
    plain = renewed(None, "ann")
    forged = "f" + plain[1:]
    assert COOKIES.find(forged, "ann") is None
    known = COOKIES.find(renewed(plain, "ann", second_factor=True), "ann")
    assert known is not None
    assert known.has_second_factor


def test_device_of_an_earlier_password_starts_with_new_attempts() -> None:
    cookie = renewed(None, "ann")
    old = COOKIES.find(cookie, "ann")
    assert old is not None
    assert old.password_version == COOKIES.version(HASH) != COOKIES.version(NEW_HASH)
    new = COOKIES.find(renewed(cookie, "ann", NEW_HASH), "ann")
    assert new is not None
    assert new.password_version == COOKIES.version(NEW_HASH)
    assert new.id != old.id, "a copy of the old cookie shares no attempts with the new one"


def test_password_version_of_an_entry_cannot_be_replaced() -> None:
    old, new = renewed(None, "ann"), renewed(None, "bob", NEW_HASH)
    version = COOKIES.find(new, "bob")
    assert version is not None
    device = COOKIES.find(old, "ann")
    assert device is not None
    assert COOKIES.find(old.replace(device.password_version, version.password_version), "ann") is None


def test_several_people_share_a_device_and_the_oldest_is_forgotten_first() -> None:
    cookie = None
    for number in range(ENTRIES_MAX + 1):
        cookie = renewed(cookie, f"name {number}")
    found = [COOKIES.find(cookie, f"name {number}") is not None for number in range(ENTRIES_MAX + 1)]
    assert found == [False] + [True] * ENTRIES_MAX


@pytest.mark.parametrize("cookie", [None, "", ".", "x" * 10_000, "." * 10_000, "p" * 47, "\ud800", "pé" * 20])
def test_forged_cookies_are_no_device(cookie: str | None) -> None:
    assert COOKIES.find(cookie, "ann") is None
    assert COOKIES.find(renewed(cookie, "ann"), "ann") is not None


def test_cookie_of_another_key_is_no_device() -> None:
    cookie = DeviceCookies("another key").renew(None, "ann", HASH, second_factor=False)
    assert COOKIES.find(cookie, "ann") is None
