"""Refuses what other people's web pages make a visitor's browser ask for.

- A foreign Origin is refused whatever it asks for, also with a right token.
- No Origin, with a token in the header: a script, which carries its token on purpose. Accepted.
- No Origin, without one: browsers put Origin on every request that changes something, and Sec-Fetch-Site on all, so
  a request that changes something and says `cross-site` or `same-site` there is refused. One that says neither comes
  from no browser of this decade: it is accepted, and even if it were one, the session cookie is SameSite=Strict and
  travels with no request of another site's page.
"""

from typing import Final

from aiohttp import web

from casino.api.answers import Handler
from casino.door.origins import Origins
from casino.errors import Code, Refusal

ORIGINS: Final = web.AppKey("origins", Origins)
_CHANGES_NOTHING: Final = ("GET", "HEAD", "OPTIONS")
_OWN_SITES: Final = ("same-origin", "none")


@web.middleware
async def own_pages_only(request: web.Request, handler: Handler) -> web.StreamResponse:
    origins = request.headers.getall("Origin", [])
    if not all(request.app[ORIGINS].is_own(origin, request.host) for origin in origins):
        raise Refusal(Code.FORBIDDEN, "Pages of this origin may not use the service.")
    if not origins and _comes_from_another_site(request):
        raise Refusal(Code.FORBIDDEN, "Pages of other sites may not use the service.")
    return await handler(request)


def _comes_from_another_site(request: web.Request) -> bool:
    if request.method in _CHANGES_NOTHING or "Authorization" in request.headers:
        return False
    return request.headers.get("Sec-Fetch-Site", "none") not in _OWN_SITES
