"""CSRF protection: rejects cross-site requests. Also sets CORS headers for allowed origins.

- A foreign Origin is refused in every case, even with a valid token.
- No Origin, with a token in the header: a script. Accepted, because no browser adds that header unasked.
- No Origin and no token: browsers send Origin with every unsafe request, and Sec-Fetch-Site with all. An unsafe request
  with Sec-Fetch-Site `cross-site` or `same-site` is refused. One without the header comes from no current browser. It
  is accepted: the session cookie is SameSite=Strict, so requests of other sites never carry it.

Pages of other configured origins may read responses by CORS.
"""

from typing import Final

from aiohttp import web

from casino.http.errors import Handler
from casino.refusals import Reason
from casino.security.origins import Origins

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
async def reject_cross_site(request: web.Request, handler: Handler) -> web.StreamResponse:
    origins = request.headers.getall("Origin", [])
    if not all(request.app[ORIGINS].is_own(origin, request.host) for origin in origins):
        raise Reason.OTHER_SITE.refusal()
    if not origins and _comes_from_another_site(request):
        raise Reason.OTHER_SITE.refusal()
    if _asks_beforehand(request):
        return web.Response(status=204, headers=_MAY_ASK)
    return await handler(request)


def _asks_beforehand(request: web.Request) -> bool:
    is_question = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    return is_question and "Origin" in request.headers and request.path.startswith(_API)


async def add_cors_headers(request: web.Request, answer: web.StreamResponse) -> None:
    """The response varies by Origin, so that no cache serves one page the response for another."""
    origins = request.headers.getall("Origin", [])
    if len(origins) == 1 and request.path.startswith(_API) and request.app[ORIGINS].is_own(origins[0], request.host):
        answer.headers["Access-Control-Allow-Origin"] = origins[0]
        answer.headers.add("Vary", "Origin")


def _comes_from_another_site(request: web.Request) -> bool:
    if request.method in _CHANGES_NOTHING or "Authorization" in request.headers:
        return False
    return request.headers.get("Sec-Fetch-Site", "none") not in _OWN_SITES
