"""Serialisation of versioned events: the one place that turns events into stored JSON values and back.

An event is a frozen dataclass with the fields `kind` and `version`. `kind` selects the class when an event is read.
When a kind must change, its class accepts a further version, and all versions stay readable.

A field that a later version of the program adds is marked `ADDED_LATER`. It is left out while it has its default, so
that an event stored before keeps every byte.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import Annotated, Any, Final, Generic, TypeVar, get_args

from pydantic import Field, TypeAdapter

Event = TypeVar("Event")

ADDED_LATER: Final[Mapping[str, bool]] = MappingProxyType({"added_later": True})
"""Metadata of a dataclass field."""


class EventCodec(Generic[Event]):
    """Writes and reads the events of one union of classes."""

    def __init__(self, union: Any) -> None:  # noqa: ANN401  a union of classes has no type of its own
        one = Annotated[union, Field(discriminator="kind")]
        self._adapter: TypeAdapter[Event] = TypeAdapter(one)
        self._together: TypeAdapter[Sequence[Event]] = TypeAdapter(list[one])
        self._added_later: dict[type, tuple[tuple[str, object], ...]] = {
            kind: _added_later(kind) for kind in get_args(union)
        }

    def dump(self, event: Event) -> dict[str, Any]:
        """The event as plain JSON values."""
        return self.dump_all([event])[0]

    def dump_all(self, events: list[Event]) -> list[dict[str, Any]]:
        """The same for several events, which is faster than each alone."""
        plain: list[dict[str, Any]] = self._together.dump_python(events, mode="json")
        for event, fields_ in zip(events, plain, strict=True):
            for name, default in self._added_later[type(event)]:
                if getattr(event, name) == default:
                    del fields_[name]
        return plain

    def load(self, plain: dict[str, Any]) -> Event:
        """The event from plain JSON values. Raises `ValueError` if they are no event of this union."""
        return self._adapter.validate_python(plain)


def _added_later(kind: Any) -> tuple[tuple[str, object], ...]:  # noqa: ANN401  a dataclass of the union
    return tuple((field.name, field.default) for field in fields(kind) if "added_later" in field.metadata)
