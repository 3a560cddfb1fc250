"""Parses request bodies: JSON that matches a model exactly, within a size and time limit."""

import asyncio
from typing import Final, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError

from casino.errors import Code, Refusal
from casino.http.errors import HttpRefusal

BODY_BYTES_MAX: Final = 16 * 1024
BODY_SECONDS_MAX: Final = 10.0
_REASON_LENGTH_MAX: Final = 120


class Body(BaseModel):
    """Strict model: no extra fields, no conversion; "5" and true are not numbers."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Body):
    """Empty request body."""


B = TypeVar("B", bound=BaseModel)


async def body_of(request: web.Request, shape: type[B], *, may_be_missing: bool = False) -> B:
    """`may_be_missing`: a request without a body counts as `{}`."""
    raw = await read_body(request)
    if may_be_missing and not raw:
        raw = b"{}"
    elif request.content_type != "application/json":
        raise HttpRefusal(Code.BAD_REQUEST, "Send the body as JSON with Content-Type: application/json.", status=415)
    try:
        return shape.model_validate_json(raw)
    except ValidationError as error:
        raise Refusal(Code.BAD_REQUEST, _first_of(error)) from None


async def read_body(request: web.Request) -> bytes:
    if request.headers.get("Content-Encoding", "identity") != "identity":
        raise HttpRefusal(Code.BAD_REQUEST, "Send the body without compression.", status=415)
    try:
        async with asyncio.timeout(BODY_SECONDS_MAX):
            return await request.read()
    except TimeoutError:
        raise HttpRefusal(Code.BAD_REQUEST, "The body did not arrive in time.", status=408) from None
    except web.RequestPayloadError:
        raise Refusal(Code.BAD_REQUEST, "The body cannot be read.") from None


def _first_of(error: ValidationError) -> str:
    """Returns place and kind of the first fault, without the input, which may be a password."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])[:_REASON_LENGTH_MAX] or "body"
    reason = "is not valid JSON" if first["type"] == "json_invalid" else first["msg"][:_REASON_LENGTH_MAX]
    return f"{place}: {reason}"
