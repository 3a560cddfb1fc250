"""Refuses what other people's web pages make a visitor's browser ask for.

- A foreign Origin is refused whatever it asks for, also with a right token.
- No Origin, with a token in the header: a script, which carries its token on purpose. Accepted.
- No Origin, without one: browsers put Origin on every request that changes something, and Sec-Fetch-Site on all, so
  a request that changes something and says `cross-site` or `same-site` there is refused. One that says neither comes
  from no browser of this decade: it is accepted, and even if it were one, the session cookie is SameSite=Strict and
  travels with no request of another site's page.

Pages of the further origins the configuration names are told, as browsers ask it, that they may read the answers.
"""

from typing import Final

from aiohttp import web

from casino.api.answers import Handler
from casino.door.origins import Origins
from casino.errors import Code, Refusal

ORIGINS: Final = web.AppKey("origins", Origins)
_CHANGES_NOTHING: Final = ("GET", "HEAD", "OPTIONS")
_OWN_SITES: Final = ("same-origin", "none")
_API: Final = "/api/"
_MAY_ASK: Final = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Max-Age": "600",
}


@web.middleware
async def own_pages_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    origins = request.headers.getall("Origin", [])
    if not all(request.app[ORIGINS].is_own(origin, request.host) for origin in origins):
        raise Refusal(Code.FORBIDDEN, "Pages of this origin may not use the service.")
    if not origins and _comes_from_another_site(request):
        raise Refusal(Code.FORBIDDEN, "Pages of other sites may not use the service.")
    if _asks_beforehand(request):
        return web.Response(status=204, headers=_MAY_ASK)
    return await handler(request)


def _asks_beforehand(request: web.Request) -> bool:
    is_question = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    return is_question and "Origin" in request.headers and request.path.startswith(_API)


async def let_pages_read(request: web.Request, answer: web.StreamResponse) -> None:
    """Which page asked is part of the answer, so that no cache gives one page the answer to another."""
    origins = request.headers.getall("Origin", [])
    if len(origins) == 1 and request.path.startswith(_API) and request.app[ORIGINS].is_own(origins[0], request.host):
        answer.headers["Access-Control-Allow-Origin"] = origins[0]
        answer.headers.add("Vary", "Origin")


def _comes_from_another_site(request: web.Request) -> bool:
    if request.method in _CHANGES_NOTHING or "Authorization" in request.headers:
        return False
    return request.headers.get("Sec-Fetch-Site", "none") not in _OWN_SITES
