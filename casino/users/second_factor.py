"""Second factor of staff: enrolment, verification at sign-in, recovery codes, removal and reset.

The shared secret is sealed with the service's secret key; recovery codes are stored hashed. A code works once.
"""

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Any, Final, Literal

from cryptography.fernet import Fernet, InvalidToken
from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.audit import log as audit_log
from casino.errors import Code, Refusal
from casino.refusals import Reason
from casino.storage.bulk import insert_rows
from casino.storage.schema import recovery_codes, second_factors, sessions
from casino.users import totp
from casino.users.roles import Actor
from casino.users.users import User

RECOVERY_CODES: Final = 10
PENDING_MS: Final = 15 * 60_000
CODE_LENGTH_MAX: Final = 40

_RECOVERY_BYTES: Final = 10  # 16 characters of base32
_SEPARATORS: Final = re.compile(r"[\s-]")
_OFFER: Final = (
    "ON CONFLICT (user_id) DO UPDATE SET pending_secret = excluded.pending_secret, pending_ms = excluded.pending_ms"
)

Method = Literal["totp", "recovery_code"]


@dataclass(frozen=True, slots=True)
class Enrolment:
    is_enrolled: bool
    recovery_codes_left: int


class SecondFactors:
    """Every method runs in the caller's transaction."""

    def __init__(self, secret_key: str) -> None:
        digest = hashlib.sha256(f"second factor {secret_key}".encode()).digest()
        self._fernet = Fernet(base64.urlsafe_b64encode(digest))

    async def enrolment(self, connection: AsyncConnection, user: User) -> Enrolment:
        secret = await connection.scalar(select(second_factors.c.secret).where(second_factors.c.user_id == user.id))
        left = select(func.count()).where(recovery_codes.c.user_id == user.id, recovery_codes.c.used_ms.is_(None))
        return Enrolment(secret is not None, await connection.scalar(left) or 0)

    async def verify(self, connection: AsyncConnection, user: User, code: str, at_ms: int) -> Method | None:
        """Consumes the code. Returns None if the user has no second factor; refuses a wrong code."""
        query = select(second_factors.c.secret, second_factors.c.last_step).where(second_factors.c.user_id == user.id)
        row = (await connection.execute(query)).first()
        if row is None or row.secret is None:
            return None
        if not code:
            raise Reason.SECOND_FACTOR_REQUIRED.refusal()
        cleaned = _SEPARATORS.sub("", code)
        if await self._use_totp(connection, user, row, cleaned, at_ms):
            return "totp"
        if await _use_recovery_code(connection, user, cleaned, at_ms):
            return "recovery_code"
        raise wrong_code()

    async def offer(self, connection: AsyncConnection, user: User, at_ms: int) -> bytes:
        """Offers a new secret, which takes effect once confirmed with a code."""
        secret = totp.new_secret()
        row = (user.id, self._fernet.encrypt(secret).decode(), at_ms)
        columns = ("user_id", "pending_secret", "pending_ms")
        await insert_rows(connection, second_factors, columns, [row], or_else=_OFFER)
        return secret

    async def confirm(self, connection: AsyncConnection, user: User, code: str, at_ms: int) -> list[str]:
        """Makes the offered secret the second factor; returns new recovery codes, which are shown once."""
        mine = second_factors.c.user_id == user.id
        query = select(second_factors.c.pending_secret, second_factors.c.pending_ms).where(mine)
        row = (await connection.execute(query)).first()
        secret = self._opened(row.pending_secret) if row and row.pending_secret else None
        if row is None or secret is None or at_ms - row.pending_ms > PENDING_MS:
            raise Refusal(Code.TOO_LATE, "This enrolment has expired. Start again.")
        step = totp.matching_step(secret, _SEPARATORS.sub("", code), at_ms, after_step=0)
        if step is None:
            raise wrong_code()
        is_still_offered = mine & (second_factors.c.pending_secret == row.pending_secret)
        enrolled = {"secret": row.pending_secret, "last_step": step, "enrolled_ms": at_ms}
        done = await connection.execute(
            update(second_factors).where(is_still_offered).values(**enrolled, pending_secret=None, pending_ms=None)
        )
        if done.rowcount == 0:
            raise Refusal(Code.TOO_LATE, "This enrolment has expired. Start again.")
        return await _new_recovery_codes(connection, user)

    async def _use_totp(
        self, connection: AsyncConnection, user: User, factor: Row[Any, Any], code: str, at_ms: int
    ) -> bool:
        secret = self._opened(factor.secret)
        step = totp.matching_step(secret, code, at_ms, after_step=factor.last_step) if secret else None
        if step is None:
            return False
        is_unused = (second_factors.c.user_id == user.id) & (second_factors.c.last_step < step)
        return (await connection.execute(update(second_factors).where(is_unused).values(last_step=step))).rowcount == 1

    def _opened(self, sealed: str) -> bytes | None:
        """Returns None if sealed with another key: recovery codes and a reset still work then."""
        try:
            return self._fernet.decrypt(sealed.encode())
        except InvalidToken:
            return None


async def remove(connection: AsyncConnection, user: User) -> bool:
    """Returns False if there was none."""
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user.id))
    removed = await connection.execute(delete(second_factors).where(second_factors.c.user_id == user.id))
    return removed.rowcount > 0


async def reset(connection: AsyncConnection, user: User, by: Actor, at_ms: int) -> bool:
    """Removes the factor and ends all sessions, for a person who lost device and recovery codes. False if none."""
    if not await remove(connection, user):
        return False
    await connection.execute(delete(sessions).where(sessions.c.user_id == user.id))
    entry = audit_log.Entry(by.name, by.role, "second_factor_reset", f"user {user.id}")
    await audit_log.write(connection, entry, at_ms)
    return True


def wrong_code() -> Refusal:
    return Reason.WRONG_CODE.refusal()


async def _new_recovery_codes(connection: AsyncConnection, user: User) -> list[str]:
    codes = [base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode().lower() for _ in range(RECOVERY_CODES)]
    await connection.execute(delete(recovery_codes).where(recovery_codes.c.user_id == user.id))
    rows = [{"user_id": user.id, "code_hash": _hash(code)} for code in codes]
    await connection.execute(recovery_codes.insert(), rows)
    return ["-".join(code[at : at + 4] for at in range(0, len(code), 4)) for code in codes]


async def _use_recovery_code(connection: AsyncConnection, user: User, code: str, at_ms: int) -> bool:
    mine = (recovery_codes.c.user_id == user.id) & (recovery_codes.c.code_hash == _hash(code.lower()))
    unused = mine & recovery_codes.c.used_ms.is_(None)
    return (await connection.execute(update(recovery_codes).where(unused).values(used_ms=at_ms))).rowcount == 1


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()
