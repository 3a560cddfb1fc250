"""Server events: the name of each, bound to the type of its payload."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, NewType, TypeVar

Payload = Mapping[str, Any]
"""Any message; the code that builds one uses its own type."""
OutboundEvent = NewType("OutboundEvent", tuple[str, Payload])
"""Name and payload of an event. Only a `ServerEvent` makes one, so that mypy has checked the payload."""
P = TypeVar("P", bound=Payload)


@dataclass(frozen=True, slots=True)
class ServerEvent(Generic[P]):
    """Calling the event with a payload makes what is sent."""

    name: str
    payload: type[P]

    def __call__(self, payload: P) -> OutboundEvent:
        return OutboundEvent((self.name, payload))


def by_name(*events: ServerEvent[Any]) -> dict[str, type[Any]]:
    return {event.name: event.payload for event in events}
