"""JSON schema of every message in both directions, the source of everything generated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from casino.wire import client_events, events, poker_client_events, poker_events
from casino.wire.json_schema import Schema, definitions

Models = Mapping[str, type[Any]]


@dataclass(frozen=True, slots=True)
class Namespace:
    """One namespace: what a client sends, what it is answered, and what the server sends by itself."""

    name: str
    title: str
    sent: Models
    acks: Models
    emitted: Models
    roles: Mapping[str, frozenset[str]]
    """Returns the roles that may send an event, where not all may."""


PLAYERS: Final = Namespace(
    "/table", "Table", client_events.FROM_PLAYERS, events.ACKS_TO_PLAYERS, events.TO_PLAYERS, roles={}
)
HOSTS: Final = Namespace(
    "/host",
    "Host",
    {event: model for event, (model, _) in client_events.FROM_HOSTS.items()},
    events.ACKS_TO_HOSTS,
    events.TO_HOSTS,
    roles={event: roles for event, (_, roles) in client_events.FROM_HOSTS.items()},
)
POKER: Final = Namespace(
    "/poker",
    "Poker",
    poker_client_events.FROM_POKER_PLAYERS,
    poker_events.ACKS_TO_POKER_PLAYERS,
    poker_events.TO_POKER_PLAYERS,
    roles={},
)
NAMESPACES: Final = (PLAYERS, HOSTS, POKER)


def shapes() -> dict[str, Schema]:
    """Returns the schema of every message and its parts, by name."""
    models: dict[type[Any], None] = {events.Refused: None}
    for namespace in NAMESPACES:
        unanswered = set(namespace.sent) ^ set(namespace.acks)
        assert not unanswered, f"{namespace.name}: no acknowledgement, or no such event: {sorted(unanswered)}"
        for group in (namespace.sent, namespace.acks, namespace.emitted):
            models |= dict.fromkeys(group.values())
    found = definitions(models)
    for name in {model.__name__ for namespace in NAMESPACES for model in namespace.acks.values()}:
        _acknowledge(found[name])
    return found


def _acknowledge(schema: Schema) -> None:
    """The gateway puts `ok` before every reply (`casino/gateway/acks.py`)."""
    schema["properties"] = {"ok": {"const": True, "type": "boolean"}} | schema["properties"]
    schema["required"] = ["ok", *schema.get("required", ())]


def name_in(reference: str) -> str:
    return reference.rsplit("/", 1)[1]
