"""Codec of the hosting interfaces: messages, replies, refusals and events to bytes and back.

A message is encoded as the name of its class and its fields in order, so that a field with a default may be added
later. Only registered classes are decoded: bytes can create nothing else. Replies and events are JSON already.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Final, Generic, NamedTuple, TypeVar, get_args, get_type_hints

import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError

from casino.errors import Code, Refusal
from casino.wire.outbound import Payload

M = TypeVar("M")


class UndecodableError(ValueError):
    """The bytes hold no message, reply or event."""


class _Kind(NamedTuple):
    """A message class and its fields; a field without an adapter is a message itself."""

    cls: type
    fields: Mapping[str, TypeAdapter[Any] | None]


class MessageCodec(Generic[M]):
    """Encodes and decodes messages of the registered classes, which are dataclasses of plain data."""

    def __init__(self, kinds: Iterable[type[M]]) -> None:
        registered = frozenset(kinds)
        self.kinds: Final[Mapping[str, type[M]]] = {kind.__name__: kind for kind in registered}
        assert len(self.kinds) == len(registered), "two message classes have the same name"
        self._kinds = {kind.__name__: _Kind(kind, _adapters(kind, registered)) for kind in registered}

    def encode(self, message: M) -> bytes:
        return orjson.dumps(self._dump(message))

    def decode(self, data: bytes) -> M:
        """Raises `UndecodableError`."""
        try:
            message: M = self._load(orjson.loads(data))
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise UndecodableError(f"{type(error).__name__} in a message") from error
        return message

    def _dump(self, message: Any) -> list[Any]:  # noqa: ANN401  a message within a message is one of the classes, too
        name = type(message).__name__
        values = []
        for field, adapter in self._kinds[name].fields.items():
            value = getattr(message, field)
            values.append(adapter.dump_python(value, mode="json") if adapter else self._dump(value))
        return [name, values]

    def _load(self, dumped: Any) -> Any:  # noqa: ANN401
        name, values = dumped
        kind = self._kinds[name]
        if len(values) > len(kind.fields):
            raise ValueError("too many fields")
        loaded = (
            adapter.validate_python(value) if adapter else self._load(value)
            for adapter, value in zip(kind.fields.values(), values, strict=False)
        )
        return kind.cls(*loaded)


def _adapters(kind: Any, registered: frozenset[Any]) -> dict[str, TypeAdapter[Any] | None]:  # noqa: ANN401
    hints = get_type_hints(kind)
    is_message = {name: bool(registered & {hint, *get_args(hint)}) for name, hint in hints.items()}
    return {field.name: None if is_message[field.name] else _adapter(hints[field.name]) for field in fields(kind)}


def _adapter(hint: Any) -> TypeAdapter[Any]:  # noqa: ANN401
    """A refusal in a command is filled in by the table itself: it is None on the way, and nothing else is decoded."""
    if Refusal in get_args(hint):
        return TypeAdapter(hint, config=ConfigDict(arbitrary_types_allowed=True))
    return TypeAdapter(hint)


def encode_payload(payload: Any) -> bytes:  # noqa: ANN401  a payload or a list of them
    return orjson.dumps(payload)


def decode_payload(data: bytes) -> Any:  # noqa: ANN401
    """Raises `UndecodableError`."""
    try:
        return orjson.loads(data)
    except ValueError as error:
        raise UndecodableError("no JSON") from error


def encode_reply(reply: Payload | Refusal) -> bytes:
    if isinstance(reply, Refusal):
        return orjson.dumps([reply.code, reply.message, dict(reply.params)])
    return orjson.dumps(reply)


def decode_reply(data: bytes) -> Payload | Refusal:
    """Raises `UndecodableError`."""
    reply = decode_payload(data)
    if isinstance(reply, dict):
        return reply
    try:
        code, message, params = reply
        return Refusal(Code(code), message, params)
    except (ValueError, TypeError) as error:
        raise UndecodableError("neither a reply nor a refusal") from error
