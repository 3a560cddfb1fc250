"""Device cookies over HTTP: recognizes a browser that knows the present password of a name, and marks one that does."""

from typing import TypeVar

from aiohttp import web

from casino.errors import Refusal
from casino.http.login_limits import name_key
from casino.security.device_cookies import (
    DEVICE_COOKIE,
    DEVICE_COOKIE_PATH,
    DEVICE_COOKIE_SECONDS,
    Device,
    DeviceCookies,
)
from casino.storage.database import Database
from casino.users.users import Users

R = TypeVar("R", bound=web.Response)


class KnownDevices:
    def __init__(self, database: Database, cookies: DeviceCookies, *, is_encrypted: bool) -> None:
        self._database = database
        self._cookies = cookies
        self._is_encrypted = is_encrypted

    async def find(self, request: web.Request, name: str) -> Device | None:
        """Reads the database only for a cookie that was issued to this name: a flood of strangers reads nothing."""
        device = self._cookies.find(request.cookies.get(DEVICE_COOKIE), name_key(name))
        is_current = device is not None and device.password_version == await self.password_version(name)
        return device if is_current else None

    async def password_version(self, name: str) -> str | None:
        """Returns the version of the present password; None for a name without one."""
        async with self._database.reading() as connection:
            users = Users(connection)
            try:
                password_hash = await users.password_hash(await users.named(name))
            except Refusal:
                return None
        return None if password_hash is None else self.version(password_hash)

    def version(self, password_hash: str) -> str:
        return self._cookies.version(password_hash)

    def remember(self, answer: R, request: web.Request, name: str, password_hash: str, *, second_factor: bool) -> R:
        """Marks the browser as a device of this account. Entries of other accounts stay."""
        cookie = request.cookies.get(DEVICE_COOKIE)
        answer.set_cookie(
            DEVICE_COOKIE,
            self._cookies.renew(cookie, name_key(name), password_hash, second_factor=second_factor),
            max_age=DEVICE_COOKIE_SECONDS,
            path=DEVICE_COOKIE_PATH,
            secure=self._is_encrypted,
            httponly=True,
            samesite="Strict",
        )
        return answer
