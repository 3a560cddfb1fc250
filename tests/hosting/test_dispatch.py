"""Message dispatch by class: some classes in runs, the others one by one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from casino.errors import Code, Refusal
from casino.hosting.actor import Envelope, MessageHandlers
from casino.wire.outbound import Payload


@dataclass(frozen=True)
class Bet:
    amount: int


@dataclass(frozen=True)
class Fold:
    amount: int = 0


@dataclass(frozen=True)
class Ask:
    text: str


def envelopes_of(*messages: Bet | Fold | Ask) -> list[Envelope[Bet | Fold | Ask]]:
    return [Envelope(message, 0, asyncio.get_running_loop().create_future()) for message in messages]


async def dispatched(*messages: Bet | Fold | Ask) -> tuple[list[list[int]], list[Payload | Code]]:
    runs: list[list[int]] = []

    async def play(envelopes: Sequence[Envelope[Bet | Fold]], _now_ms: int) -> None:
        runs.append([envelope.message.amount for envelope in envelopes])
        for envelope in envelopes:
            envelope.answer({})

    async def reply(message: Ask, now_ms: int) -> Payload:
        if message.text == "bad":
            raise Refusal(Code.BAD_REQUEST, "There is no such message.")
        return {"text": message.text, "at": now_ms}

    handlers = MessageHandlers()
    handlers.together([Bet, Fold], play)
    handlers.alone(Ask, reply)
    envelopes = envelopes_of(*messages)
    for handle, group in handlers.groups(envelopes):
        await handle(group, 7)
    replies: list[Payload | Code] = []
    for envelope in envelopes:
        failure = envelope.reply.exception()
        replies.append(failure.code if isinstance(failure, Refusal) else envelope.reply.result())
    return runs, replies


async def test_a_run_of_messages_is_processed_together_and_in_order() -> None:
    runs, _ = await dispatched(Bet(1), Fold(2), Bet(3), Ask("good"), Bet(4))
    assert runs == [[1, 2, 3], [4]]


async def test_a_refused_message_keeps_no_other_from_its_reply() -> None:
    _, replies = await dispatched(Ask("good"), Ask("bad"), Ask("fine"))
    assert replies == [{"text": "good", "at": 7}, Code.BAD_REQUEST, {"text": "fine", "at": 7}]


async def test_an_unknown_message_is_a_defect() -> None:
    handlers = MessageHandlers()
    with pytest.raises(KeyError):
        list(handlers.groups(envelopes_of(Ask("good"))))


async def test_sender_that_left_has_no_effect_on_others() -> None:
    (envelope,) = envelopes_of(Ask("good"))
    envelope.reply.cancel()
    envelope.answer({})
    envelope.refuse(Refusal(Code.INTERNAL, "late"))
    assert envelope.reply.cancelled()
