"""Client address of a request, for rate limits and the log."""

from typing import Final

from aiohttp import web

from casino.security.client_address import Networks, address_of

TRUSTED_PROXIES: Final = web.AppKey("trusted_proxies", Networks)
_THROUGH_A_PROXY: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-Ip")


def address_in(request: web.Request) -> str:
    return address_of(request.remote, request.headers.getall("X-Forwarded-For", []), request.app[TRUSTED_PROXIES])


def came_through_a_proxy(request: web.Request) -> bool:
    return any(name in request.headers for name in _THROUGH_A_PROXY)
