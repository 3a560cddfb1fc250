"""Decides what every HTTP answer carries: security headers always, and errors as `{"error": {"code", "message"}}`.

It knows no route. A failure inside a handler becomes `internal` with a sentence that tells nothing of the cause;
the cause goes to the log.
"""

from collections.abc import Awaitable, Callable

import structlog
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

SECURITY_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    ),
    "Referrer-Policy": "no-referrer",
    "Server": "casino",  # which software and version runs here is nobody's business
    "X-Content-Type-Options": "nosniff",
}

_REFUSALS = {
    404: ("not_found", "There is nothing at this address."),
    405: ("bad_request", "This address does not answer that method."),
    413: ("bad_request", "The request is too large."),
}

_log = structlog.get_logger()


def error_answer(status: int, code: str, message: str) -> web.Response:
    return web.json_response({"error": {"code": code, "message": message}}, status=status)


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPException as refusal:
        if refusal.status < 400:
            raise
        code, message = _REFUSALS.get(refusal.status, ("bad_request", "The request cannot be understood."))
        answer = error_answer(refusal.status, code, message)
        if "Allow" in refusal.headers:
            answer.headers["Allow"] = refusal.headers["Allow"]
        return answer
    except Exception:  # noqa: BLE001 - the last line of defence: no cause may reach the client
        _log.exception("request_failed", method=request.method, path=request.path)
        return error_answer(500, "internal", "The service made a mistake. It has been noted.")


async def add_security_headers(_request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers[name] = value
