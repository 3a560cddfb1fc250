"""Text fields of client messages: every accepted text can be stored in both databases."""

from collections.abc import Mapping

import pytest

from casino.errors import Code, Refusal
from casino.gateway.acks import read
from casino.wire import client_events
from casino.wire.protocol.examples import SENT

CLEANED = {"text", "card"}
"""A line of chat loses what cannot be seen, and what is no card is none."""

MODELS: Mapping[str, Mapping[str, type[client_events.Incoming]]] = {
    "/table": client_events.FROM_PLAYERS,
    "/host": {event: model for event, (model, _) in client_events.FROM_HOSTS.items()},
}


@pytest.mark.req("SEC-6")
@pytest.mark.parametrize("namespace", MODELS)
def test_texts_with_nul_are_refused(namespace: str) -> None:
    for event, model in MODELS[namespace].items():
        for name, field in model.model_fields.items():
            if "str" not in str(field.annotation) or name in CLEANED:
                continue
            with pytest.raises(Refusal) as refused:
                read(model, {**SENT[namespace][event], name: "a\0b"})
            assert refused.value.code is Code.BAD_REQUEST
            assert refused.value.message.startswith(f"{name}:"), (event, refused.value.message)
