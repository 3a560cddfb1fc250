"""HTTP API client: signs in as a guest or by name, and reads the terms of a table."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, InvalidURL, TCPConnector

from casino.settings.table import TablePaytable
from casino.uth.paytable import Paytable

Payload = dict[str, Any]

TIMEOUT_SECONDS: Final = 30.0


class Unreachable(Exception):
    """No service answers at the address, or another kind of server does."""


class Rejected(Exception):
    """The service answered, and said no."""

    def __init__(self, code: str, message: str, wait_seconds: float = 0.0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait_seconds = wait_seconds


@dataclass(frozen=True, slots=True)
class Member:
    """A signed-in user."""

    token: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Wallet:
    currency: str
    balance: int
    available: int


@dataclass(frozen=True, slots=True)
class TableTerms:
    """Terms of a table, from the lobby."""

    table_id: str
    name: str
    is_shared: bool
    limits: dict[str, int]
    smallest_chip: int
    paytable: Paytable


class HttpApi:
    def __init__(self, url: str, http: ClientSession) -> None:
        self.url: Final = url.rstrip("/")
        self.http: Final = http

    async def guest(self) -> Member:
        return _member(await self._ask("POST", "/api/guest", {}))

    async def sign_in(self, name: str, password: str) -> Member:
        return _member(await self._ask("POST", "/api/login", {"name": name, "password": password}))

    async def wallet(self, member: Member) -> Wallet:
        me = await self._ask("GET", "/api/me", token=member.token)
        return Wallet(me["currency"], me["balance"], me["available"])

    async def table(self, table_id: str) -> TableTerms:
        shown = await self._ask("GET", f"/api/tables/{table_id}")
        return TableTerms(
            shown["table_id"],
            shown["name"],
            shown["hands"] == "shared",
            shown["limits"],
            min(shown["chips"]),
            TablePaytable.model_validate(shown["paytables"]).in_force(),
        )

    async def poker_pools(self) -> list[Payload]:
        """Returns the pools of the poker room."""
        pools: list[Payload] = (await self._ask("GET", "/api/poker/lobby"))["pools"]
        return pools

    async def tournaments(self) -> list[Payload]:
        """Returns the tournaments that are announced or running."""
        rows: list[Payload] = (await self._ask("GET", "/api/poker/tournaments"))["tournaments"]
        return rows

    async def tournament_result(self, member: Member, tournament_id: str) -> list[Payload]:
        """Returns the member's entries in this tournament that have ended, the newest first."""
        path = f"/api/poker/results?tournament={tournament_id}"
        rows: list[Payload] = (await self._ask("GET", path, token=member.token))["results"]
        return rows

    async def hexapro_results(self, member: Member) -> list[Payload]:
        """Returns the member's HexaPro entries that have ended, the newest first."""
        rows: list[Payload] = (await self._ask("GET", "/api/poker/results?kind=hexapro", token=member.token))["results"]
        return rows

    async def _ask(self, method: str, path: str, body: Payload | None = None, token: str = "") -> Payload:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            async with self.http.request(method, self.url + path, json=body, headers=headers) as answer:
                reply: Payload = await answer.json(content_type=None)
                if answer.status < 400:
                    return reply
                wait_seconds = float(answer.headers.get("Retry-After", 0))
                raise Rejected(reply["error"]["code"], reply["error"]["message"], wait_seconds)
        except TimeoutError:
            raise Unreachable(f"The service at {self.url} does not answer.") from None
        except InvalidURL:
            raise Unreachable(f"{self.url} is no address: write it like http://127.0.0.1:8080.") from None
        except (ClientError, OSError) as error:
            raise Unreachable(f"There is no service at {self.url}: {error}. Start one with `casino serve`.") from None
        except (ValueError, KeyError, TypeError):
            raise Unreachable(f"The server at {self.url} is not this service.") from None


def _member(welcome: Payload) -> Member:
    return Member(welcome["token"], welcome["user"]["name"], welcome["user"]["role"])


@asynccontextmanager
async def open_http_api(url: str) -> AsyncIterator[HttpApi]:
    """Any number of people may come through; none is taken for another, so no cookie is kept."""
    connector = TCPConnector(limit=0)
    timeout = ClientTimeout(total=TIMEOUT_SECONDS)
    async with ClientSession(connector=connector, cookie_jar=DummyCookieJar(), timeout=timeout) as http:
        yield HttpApi(url, http)
