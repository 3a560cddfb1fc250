"""Password hashing: slow by design, in threads, with a bounded number at once.

For an unknown name, the password is checked against a dummy hash, so that the response time does not reveal which names
exist.
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

from casino.refusals import Reason

PASSWORD_LENGTH_MIN: Final = 8
PASSWORD_LENGTH_MAX: Final = 256
MEMORY_KIB: Final = 19_456
PASSES: Final = 2
LANES: Final = 1

_PATIENCE: Final = 10
_RESERVED: Final = 50  # queue places for known devices, which a flood of strangers cannot fill

_HASHER: Final = PasswordHasher(PASSES, MEMORY_KIB, LANES, type=Type.ID)

T = TypeVar("T")


def verify_password(password: str) -> None:
    """Refuses a password that is too short or too long."""
    if len(password) < PASSWORD_LENGTH_MIN:
        raise Reason.PASSWORD_TOO_SHORT.refusal(characters=PASSWORD_LENGTH_MIN)
    if len(password) > PASSWORD_LENGTH_MAX:
        raise Reason.PASSWORD_TOO_LONG.refusal(characters=PASSWORD_LENGTH_MAX)


class Passwords:
    """Hashes at most `at_once` passwords at a time, 19 MiB each; `waiting_max` more wait, others are refused."""

    def __init__(self, *, at_once: int = 2, waiting_max: int = 200) -> None:
        self._workers = ThreadPoolExecutor(at_once, thread_name_prefix="password", initializer=_lower_priority)
        self._unfinished_max = at_once + waiting_max
        self._unfinished = 0

    def close(self) -> None:
        self._workers.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str) -> str:
        verify_password(password)
        return await self._run(lambda: _HASHER.hash(_as_bytes(password)))

    async def matches(self, password: str, password_hash: str | None, *, is_known_device: bool = False) -> bool:
        """False also for an unknown user, after the same work. Known devices have reserved places in the queue."""
        is_too_long = len(password) > PASSWORD_LENGTH_MAX
        tried = _as_bytes(password[:PASSWORD_LENGTH_MAX])
        reserve = _RESERVED if is_known_device else 0
        fits = await self._run(lambda: _fits(tried, password_hash or _nobodys_hash()), reserve)
        return fits and password_hash is not None and not is_too_long

    async def _run(self, work: Callable[[], T], reserve: int = 0) -> T:
        if self._unfinished >= self._unfinished_max + reserve:
            raise Reason.SIGN_IN_BUSY.refusal()
        self._unfinished += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._workers, work)
        finally:
            self._unfinished -= 1


def _lower_priority() -> None:
    """Hashing uses full CPU time, and bets come first. Does nothing on systems without priorities."""
    with contextlib.suppress(OSError, AttributeError):
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + _PATIENCE))


def _fits(password: bytes, password_hash: str) -> bool:
    try:
        return _HASHER.verify(password_hash, password)
    except VerifyMismatchError:
        return False


def _nobodys_hash() -> str:
    """Hash of a random password that belongs to no user."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (_HASHER.salt_len, _HASHER.hash_len)
    )
    return f"$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}${salt}${digest}"


def _as_bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")  # lone surrogates cannot be typed, but can be sent
