"""Typed responses: the return value of a handler becomes its response, and its type describes the route."""

import json

from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from pydantic import BaseModel
from typing_extensions import TypedDict

from casino.http.responses import JsonResponse, TypedHandler, responding, response_type


class Drawn(TypedDict):
    card: str


class Stored(BaseModel):
    sound: bool


async def plain(_request: web.Request) -> Drawn:
    return {"card": "As"}


async def model(_request: web.Request) -> Stored:
    return Stored(sound=True)


async def with_header(_request: web.Request) -> JsonResponse[Drawn]:
    return JsonResponse({"card": "Kd"}, headers={"Cache-Control": "no-store"})


async def page(_request: web.Request) -> web.Response:
    return web.Response(text="<html>", content_type="text/html")


async def either(request: web.Request) -> Drawn | web.Response:
    return await (page if request.query else plain)(request)


async def answer_of(handler: TypedHandler) -> web.Response:
    response = await responding(handler)(make_mocked_request("GET", "/"))
    assert isinstance(response, web.Response)
    return response


def read(response: web.Response) -> object:
    assert response.content_type == "application/json"
    return json.loads(response.text or "")


async def test_values_become_json_and_responses_stay_as_they_are() -> None:
    assert read(await answer_of(plain)) == {"card": "As"}
    assert read(await answer_of(model)) == {"sound": True}
    answer = await answer_of(with_header)
    assert read(answer) == {"card": "Kd"}
    assert answer.headers["Cache-Control"] == "no-store"
    assert (await answer_of(page)).text == "<html>"


def test_return_type_describes_the_route() -> None:
    assert response_type(responding(plain)) is Drawn
    assert response_type(responding(model)) is Stored
    assert response_type(responding(with_header)) is Drawn
    assert response_type(responding(page)) is None
    assert response_type(responding(either)) is Drawn
