"""Decides what every HTTP answer carries: security headers, a request id, errors as `{"error": {"code", "message"}}`.

It knows no route. A failure inside a handler becomes `internal` with a sentence that tells nothing of the cause;
the cause goes to the log, under the same request id.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog
from aiohttp import web

from casino.audit.log import current_request
from casino.errors import Code, Refusal

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

REQUEST_ID: Final = web.RequestKey("request_id", str)
ENCRYPTED: Final = web.AppKey("encrypted", bool)
"""True where people reach the service by https."""

SECURITY_HEADERS: Final = {
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
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Server": "casino",  # which software and version runs here is nobody's business
    "X-Content-Type-Options": "nosniff",
}
STRICT_TRANSPORT: Final = "max-age=31536000"
REQUEST_ID_HEADER: Final = "X-Request-Id"

_REFUSALS: Final = {
    404: (Code.NOT_FOUND, "There is nothing at this address."),
    405: (Code.BAD_REQUEST, "This address does not answer that method."),
    413: (Code.BAD_REQUEST, "The request is too large."),
    417: (Code.BAD_REQUEST, "The service does not do what the Expect header asks for."),
}
_STATUSES: Final = {
    Code.BAD_REQUEST: 400,
    Code.NOT_AUTHENTICATED: 401,
    Code.FORBIDDEN: 403,
    Code.NOT_FOUND: 404,
    Code.NO_SUCH_TABLE: 404,
    Code.RATE_LIMITED: 429,
    Code.INTERNAL: 500,
}
_OTHERWISE: Final = 409  # the request is fine, but not as things stand

_log = structlog.get_logger()


class Answered(Refusal):
    """A refusal with a status or headers of its own."""

    def __init__(
        self, code: Code, message: str, *, status: int | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code, message)
        self.status = status
        self.headers = headers or {}


def new_request_id() -> str:
    return secrets.token_hex(8)


def error_answer(
    status: int, code: Code, message: str, request_id: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    told = {"code": code, "message": message, "request_id": request_id}
    kept = {"Cache-Control": "no-store", **(headers or {})}
    return web.json_response({"error": told}, status=status, headers=kept)


def refusal_answer(refusal: Refusal, request_id: str) -> web.Response:
    status = getattr(refusal, "status", None) or _STATUSES.get(refusal.code, _OTHERWISE)
    headers = dict(getattr(refusal, "headers", {}))
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return error_answer(status, refusal.code, refusal.message, request_id, headers)


def http_error_answer(refusal: web.HTTPException, request_id: str) -> web.Response:
    """What the HTTP library refuses by itself, in our words."""
    unknown = (Code.BAD_REQUEST, "The request cannot be understood.")
    code, message = _REFUSALS.get(refusal.status, unknown)
    headers = {"Allow": refusal.headers["Allow"]} if "Allow" in refusal.headers else {}
    return error_answer(refusal.status, code, message, request_id, headers)


def internal_error_answer(request_id: str) -> web.Response:
    return error_answer(500, Code.INTERNAL, "The service made a mistake. It has been noted.", request_id)


def has_left(request: web.BaseRequest) -> bool:
    """The line to the client is lost: that is no failure of ours, and whatever is answered goes nowhere."""
    return request.transport is None or request.transport.is_closing()


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives the request its id, for the answer, the log and the audit log; and every failure its answer."""
    request_id = request[REQUEST_ID] = new_request_id()
    current_request.set(request_id)
    with structlog.contextvars.bound_contextvars(request_id=request_id):
        try:
            return await handler(request)
        except Refusal as refusal:
            return refusal_answer(refusal, request_id)
        except web.HTTPException as refusal:
            if refusal.status < 400:
                raise
            return http_error_answer(refusal, request_id)
        except Exception as failure:  # the last line of defence: no cause may reach the client
            if isinstance(failure, ConnectionError) and has_left(request):
                raise  # there is nobody to answer
            _log.exception("request_failed", method=request.method, path=request.path)
            return internal_error_answer(request_id)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers[name] = value
    if request.app.get(ENCRYPTED):
        response.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"  # browsers know it with encryption only
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    response.headers[REQUEST_ID_HEADER] = request.get(REQUEST_ID) or new_request_id()
