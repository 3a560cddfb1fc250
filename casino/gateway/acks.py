"""Acknowledgements: every event is answered with `ok`, or with an error that has a code and a message."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar

import structlog
from pydantic import ValidationError

from casino.errors import Code, Refusal
from casino.refusals import Reason
from casino.socketio.namespace_session import Answers
from casino.wire.client_events import Incoming
from casino.wire.outbound import Payload
from casino.wire.player_events import Refused
from casino.wire.refusals import error_of

Ack = Mapping[str, object]
A = TypeVar("A")
M = TypeVar("M", bound=Incoming)

_log = structlog.get_logger()


def accepted(reply: Payload) -> Ack:
    return {"ok": True, **reply}


def refused(refusal: Refusal) -> Refused:
    return {"ok": False, "error": error_of(refusal)}


ANSWERS: Final = Answers(
    malformed=refused(Reason.BAD_REQUEST.refusal()),
    failed=refused(Reason.INTERNAL.refusal()),
)
"""Acknowledgements of the transport, for events that never reach a namespace or whose handler fails."""


def read(model: type[M], data: object) -> M:
    """Parses the message; a refusal names the field, never its content."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:60]
        raise Refusal(Code.BAD_REQUEST, f"{where}: {first['msg']}" if where else str(first["msg"])) from None


async def ack_or_error(work: Coroutine[Any, Any, A]) -> A | Ack:
    """Awaits the work; a refusal becomes its acknowledgement."""
    try:
        return await work
    except Refusal as refusal:
        return refused(refusal)


def ack_when_done(
    pending: "asyncio.Future[Payload]",
    observe: Callable[[float], None] | None = None,
    begun: float | None = None,
) -> "Ack | asyncio.Future[Ack]":
    """Returns the acknowledgement of the table's reply; `observe` receives the seconds since `begun`, by default now.

    A reply that is there already is acknowledged at once, so that it leaves in one write with the events before it.
    """
    begun = time.perf_counter() if begun is None else begun
    if pending.done():
        if observe:
            observe(time.perf_counter() - begun)
        return _ack_of(pending)
    ack: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()

    def pass_on(answered: "asyncio.Future[Payload]") -> None:
        if observe:
            observe(time.perf_counter() - begun)
        if not ack.done():
            ack.set_result(_ack_of(answered))

    pending.add_done_callback(pass_on)
    return ack


def _ack_of(answered: "asyncio.Future[Payload]") -> Ack:
    failure = None if answered.cancelled() else answered.exception()
    if isinstance(failure, Refusal):
        return refused(failure)
    if answered.cancelled() or failure is not None:
        _log.error("unanswered_message", exc_info=failure)
        return refused(Reason.INTERNAL.refusal())
    return accepted(answered.result())
