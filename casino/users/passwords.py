"""Hashing and checking passwords: slow on purpose, beside the event loop, and only so many at once.

Where there is nobody of a name, a password is checked all the same, against a hash that nothing fits, so that the
time an answer takes does not tell whose names exist.
"""

import asyncio
import base64
import contextlib
import os
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from argon2.low_level import Type

from casino.errors import Code, Refusal

PASSWORD_LENGTH_MIN: Final = 8
PASSWORD_LENGTH_MAX: Final = 256
MEMORY_KIB: Final = 19_456
PASSES: Final = 2
LANES: Final = 1

_PATIENCE: Final = 10

_HASHER: Final = PasswordHasher(PASSES, MEMORY_KIB, LANES, type=Type.ID)

T = TypeVar("T")


def verify_password(password: str) -> None:
    """Refuses what must not become somebody's password."""
    if len(password) < PASSWORD_LENGTH_MIN:
        raise Refusal(Code.BAD_REQUEST, f"A password has at least {PASSWORD_LENGTH_MIN} characters.")
    if len(password) > PASSWORD_LENGTH_MAX:
        raise Refusal(Code.BAD_REQUEST, f"A password has at most {PASSWORD_LENGTH_MAX} characters.")


class Passwords:
    """At most `at_once` are worked on, at 19 MiB each, and `waiting_max` wait; more are told to come back."""

    def __init__(self, *, at_once: int = 2, waiting_max: int = 200) -> None:
        self._workers = ThreadPoolExecutor(at_once, thread_name_prefix="password", initializer=_step_back)
        self._unfinished_max = at_once + waiting_max
        self._unfinished = 0

    def close(self) -> None:
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def hashed(self, password: str) -> str:
        verify_password(password)
        return await self._run(lambda: _HASHER.hash(_as_bytes(password)))

    async def fits(self, password: str, password_hash: str | None) -> bool:
        """False also for nobody's hash, after the same work."""
        is_too_long = len(password) > PASSWORD_LENGTH_MAX
        tried = _as_bytes(password[:PASSWORD_LENGTH_MAX])
        fits = await self._run(lambda: _fits(tried, password_hash or _nobodys_hash()))
        return fits and password_hash is not None and not is_too_long

    async def _run(self, work: Callable[[], T]) -> T:
        if self._unfinished >= self._unfinished_max:
            raise Refusal(Code.RATE_LIMITED, "Too many people sign in at this moment. Please try again.")
        self._unfinished += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._workers, work)
        finally:
            self._unfinished -= 1


def _step_back() -> None:
    """Hashing takes all a processor can do: everybody's bets come first. A system without it does without."""
    with contextlib.suppress(OSError, AttributeError):
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + _PATIENCE))


def _fits(password: bytes, password_hash: str) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except VerifyMismatchError:
        return False


def _nobodys_hash() -> str:
    """Shaped like any other, of a password nobody has ever had."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (_HASHER.salt_len, _HASHER.hash_len)
    )
    return f"$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${digest}"


def _as_bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")  # half a character cannot be typed, but can be sent
