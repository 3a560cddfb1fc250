"""Validates payloads against the message types, as strictly as a client may read them."""

import json
from typing import Any, Final

from pydantic import TypeAdapter

from tests.live.service import Json

_ADAPTERS: Final[dict[type[Any], TypeAdapter[Any]]] = {}
"""By message type: building one takes milliseconds."""


def holds(message: type[Any], payload: Json) -> None:
    """Raises `ValidationError` for a missing or unknown field, and for a value of another type."""
    if message not in _ADAPTERS:
        _ADAPTERS[message] = TypeAdapter(message)
    _ADAPTERS[message].validate_json(json.dumps(payload), strict=True, extra="forbid")


def holds_reply(message: type[Any], ack: Json) -> None:
    """The same for an acknowledgement, in which `ok` comes before the reply."""
    assert next(iter(ack)) == "ok"
    assert ack["ok"] is True
    holds(message, {name: value for name, value in ack.items() if name != "ok"})
