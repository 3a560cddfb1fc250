"""How a client is answered: every event gets an acknowledgement, `ok` or an error with code and sentence."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import structlog
from pydantic import ValidationError

from casino.errors import Code, Refusal
from casino.sockets.incoming import Incoming

Ack = Mapping[str, object]
A = TypeVar("A")
M = TypeVar("M", bound=Incoming)

_log = structlog.get_logger()


def accepted(payload: Mapping[str, Any]) -> Ack:
    return {"ok": True, **payload}


def refused(refusal: Refusal) -> Ack:
    return {"ok": False, "error": {"code": refusal.code, "message": refusal.message}}


def read(model: type[M], data: object) -> M:
    """The message, or a refusal that names the field and not its content."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:60]
        raise Refusal(Code.BAD_REQUEST, f"{where}: {first['msg']}" if where else str(first["msg"])) from None


async def or_refused(work: Coroutine[Any, Any, A]) -> A | Ack:
    """What has to be waited for; a refusal on the way is its answer."""
    try:
        return await work
    except Refusal as refusal:
        return refused(refusal)


def when_answered(
    asked: "asyncio.Future[dict[str, Any]]", observe: Callable[[float], None] | None = None
) -> "asyncio.Future[Ack]":
    """The acknowledgement that follows from the table's answer; `observe` hears how many seconds it took."""
    ack: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
    begun = time.perf_counter()

    def pass_on(answered: "asyncio.Future[dict[str, Any]]") -> None:
        if observe:
            observe(time.perf_counter() - begun)
        if ack.done():
            return
        failure = None if answered.cancelled() else answered.exception()
        if answered.cancelled() or (failure and not isinstance(failure, Refusal)):
            _log.error("unanswered_message", exc_info=failure)
            ack.set_result(refused(Refusal(Code.INTERNAL, "Something went wrong here.")))
        elif isinstance(failure, Refusal):
            ack.set_result(refused(failure))
        else:
            ack.set_result(accepted(answered.result()))

    asked.add_done_callback(pass_on)
    return ack
