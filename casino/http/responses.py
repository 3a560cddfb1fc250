"""JSON responses: a handler returns a typed value, and its return type describes the response of its route."""

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin

from aiohttp import web
from pydantic import BaseModel
from typing_extensions import TypedDict

from casino.http.errors import Handler
from casino.wire.outbound import Payload


class Done(TypedDict):
    """Success without further data."""


class Ok(TypedDict):
    ok: Literal[True]


P = TypeVar("P", bound=Payload)
TypedHandler = Callable[[web.Request], Awaitable[Payload | BaseModel | web.StreamResponse]]


class JsonResponse(web.Response, Generic[P]):
    """A typed value together with headers or cookies."""

    def __init__(self, payload: P, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text=json.dumps(payload), content_type="application/json", headers=headers)


def responding(handler: TypedHandler) -> Handler:
    """Makes responses of the values that the handler returns."""

    @wraps(handler)
    async def respond(request: web.Request) -> web.StreamResponse:
        answer = await handler(request)
        if isinstance(answer, web.StreamResponse):
            return answer
        return web.json_response(answer.model_dump() if isinstance(answer, BaseModel) else answer)

    return respond


def response_type(handler: Callable[..., Any]) -> type[Any] | None:
    """Returns the type of the JSON response by the handler's annotation; None for pages, files and streams."""
    answer = inspect.signature(handler).return_annotation
    choices = get_args(answer) if isinstance(answer, UnionType) or get_origin(answer) is JsonResponse else (answer,)
    found = [one for one in choices if isinstance(one, type) and not issubclass(one, web.StreamResponse)]
    assert len(found) <= 1, f"{handler} has several responses"
    return found[0] if found else None
