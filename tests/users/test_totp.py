"""One-time passwords: published vectors, and the window in which a code is accepted."""

import pytest

from casino.users.totp import STEP_MS, base32, code_at, matching_step, new_secret, otpauth_uri

RFC_SECRET = b"12345678901234567890"


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_vectors_of_rfc_6238(seconds: int, code: str) -> None:
    assert code_at(RFC_SECRET, seconds // 30, digits=8) == code
    assert code_at(RFC_SECRET, seconds // 30) == code[-6:]


@pytest.mark.parametrize(
    ("count", "code"),
    list(enumerate(["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583"])),
)
def test_vectors_of_rfc_4226(count: int, code: str) -> None:
    assert code_at(RFC_SECRET, count) == code


def test_code_is_accepted_one_step_early_and_late_and_never_again() -> None:
    now = 50_000_000
    codes = {step: code_at(RFC_SECRET, now + step) for step in range(-3, 4)}
    found = {step: matching_step(RFC_SECRET, code, now * STEP_MS, after_step=0) for step, code in codes.items()}
    assert found == {-3: None, -2: None, -1: now - 1, 0: now, 1: now + 1, 2: None, 3: None}
    assert matching_step(RFC_SECRET, codes[0], now * STEP_MS, after_step=now) is None
    assert matching_step(RFC_SECRET, codes[1], now * STEP_MS, after_step=now) == now + 1


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "１２３４５６", "\ud800"])
def test_invalid_codes_never_match(code: str) -> None:
    assert matching_step(RFC_SECRET, code, 50_000_000 * STEP_MS, after_step=0) is None


def test_uri_names_the_account_and_carries_the_secret() -> None:
    secret = new_secret()
    assert len(secret) == 20
    uri = otpauth_uri(secret, "Søren & Co")
    assert uri.startswith("otpauth://totp/Casino:S%C3%B8ren%20%26%20Co?")
    assert f"secret={base32(secret)}&issuer=Casino&algorithm=SHA1&digits=6&period=30" in uri
