"""Error responses as `{"error": {"code", "message", "params"}}`, security headers and request ids.

A failure inside a handler becomes `internal` with a generic message. The cause goes to the log, under the same request
id.
"""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog
from aiohttp import web
from typing_extensions import TypedDict

from casino.audit.log import current_request
from casino.errors import Code, Param, Refusal
from casino.refusals import Reason
from casino.wire.player_events import Problem as SocketProblem
from casino.wire.refusals import error_of

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

REQUEST_ID: Final = web.RequestKey("request_id", str)
ENCRYPTED: Final = web.AppKey("encrypted", bool)
"""True if clients reach the service by https."""
NOT_FOUND_PAGE: Final[web.AppKey[Handler]] = web.AppKey("not_found_page")
"""Answers an unknown address that a person has opened in a browser."""

_PERMITTED: Final = ("autoplay", "fullscreen", "picture-in-picture", "screen-wake-lock")
_NOT_PERMITTED: Final = (
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid", "magnetometer", "microphone",
    "midi", "payment", "serial", "usb", "xr-spatial-tracking",
)  # fmt: skip
"""Browser features that no page uses, blocked for injected scripts too."""

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
            "require-trusted-types-for 'script'",
            "trusted-types svelte-trusted-html",  # the policy with which Svelte builds the templates of our own pages
        )
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        (
            *(f"{feature}=(self)" for feature in _PERMITTED),
            *(f"{feature}=()" for feature in _NOT_PERMITTED),
        )
    ),
    "Referrer-Policy": "no-referrer",
    "Server": "casino",  # hides software and version
    "X-Content-Type-Options": "nosniff",
}
STRICT_TRANSPORT: Final = "max-age=31536000"
REQUEST_ID_HEADER: Final = "X-Request-Id"

_REFUSALS: Final = {
    404: (Code.NOT_FOUND, "There is no such address."),
    405: (Code.BAD_REQUEST, "This address doesn't support that method."),
    413: (Code.BAD_REQUEST, "The request is too large."),
    417: (Code.BAD_REQUEST, "The service doesn't support this Expect header."),
}
_STATUSES: Final = {
    Code.BAD_REQUEST: 400,
    Code.WEAK_PASSWORD: 400,
    Code.NOT_AUTHENTICATED: 401,
    Code.SECOND_FACTOR_REQUIRED: 401,
    Code.FORBIDDEN: 403,
    Code.NOT_FOUND: 404,
    Code.NO_SUCH_TABLE: 404,
    Code.RATE_LIMITED: 429,
    Code.INTERNAL: 500,
}
_OTHERWISE: Final = 409  # a valid request that conflicts with the current state

_log = structlog.get_logger()


class Problem(SocketProblem):
    request_id: str
    """Same as the header X-Request-Id; also in the log."""


class Refused(TypedDict):
    """Nothing has changed."""

    error: Problem


class HttpRefusal(Refusal):
    """A refusal with its own status or headers."""

    def __init__(
        self,
        code: Code,
        message: str,
        params: Mapping[str, Param] | None = None,
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code, message, params)
        self.status = status
        self.headers = headers or {}


def with_status(refusal: Refusal, status: int | None = None, headers: Mapping[str, str] | None = None) -> HttpRefusal:
    return HttpRefusal(refusal.code, refusal.message, refusal.params, status=status, headers=headers)


def new_request_id() -> str:
    return secrets.token_hex(8)


def error_answer(
    status: int, refusal: Refusal, request_id: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    kept = {"Cache-Control": "no-store", **(headers or {})}
    refused: Refused = {"error": {**error_of(refusal), "request_id": request_id}}
    return web.json_response(refused, status=status, headers=kept)


def refusal_answer(refusal: Refusal, request_id: str) -> web.Response:
    status = getattr(refusal, "status", None) or _STATUSES.get(refusal.code, _OTHERWISE)
    headers = dict(getattr(refusal, "headers", {}))
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return error_answer(status, refusal, request_id, headers)


def http_error_answer(refusal: web.HTTPException, request_id: str) -> web.Response:
    """Converts errors of the HTTP library into our format."""
    unknown = (Code.BAD_REQUEST, "The service can't read this request.")
    headers = {"Allow": refusal.headers["Allow"]} if "Allow" in refusal.headers else {}
    return error_answer(refusal.status, Refusal(*_REFUSALS.get(refusal.status, unknown)), request_id, headers)


def internal_error_answer(request_id: str) -> web.Response:
    return error_answer(500, Reason.INTERNAL.refusal(), request_id)


def has_left(request: web.BaseRequest) -> bool:
    """Whether the client has disconnected: no failure of the service, and no response can arrive."""
    return request.transport is None or request.transport.is_closing()


def _is_navigation(request: web.Request) -> bool:
    """Whether a browser has asked for a page, not a script for data."""
    is_page = not request.path.startswith(("/api/", "/assets/", "/socket.io/"))
    return is_page and request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", "")


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Assigns the request id for response, log and audit log, and converts every failure into a response."""
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
            if refusal.status == 404 and NOT_FOUND_PAGE in request.app and _is_navigation(request):
                return await request.app[NOT_FOUND_PAGE](request)
            return http_error_answer(refusal, request_id)
        except Exception as failure:  # last line of defence: no cause may reach the client
            if isinstance(failure, ConnectionError) and has_left(request):
                raise  # no client left to answer
            _log.exception("request_failed", method=request.method, path=request.path)
            return internal_error_answer(request_id)


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    for name, value in SECURITY_HEADERS.items():
        response.headers[name] = value
    if request.app.get(ENCRYPTED):
        response.headers["Strict-Transport-Security"] = STRICT_TRANSPORT
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"  # browsers accept it only with encryption
    if request.path.startswith("/api/"):
        response.headers.setdefault("Cache-Control", "no-store")
    response.headers[REQUEST_ID_HEADER] = request.get(REQUEST_ID) or new_request_id()
