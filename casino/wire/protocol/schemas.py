"""The JSON schema of every message in both directions: the one source of everything generated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from casino.sockets import incoming, outgoing

Schema = dict[str, Any]
Models = Mapping[str, type[BaseModel]]


@dataclass(frozen=True, slots=True)
class Namespace:
    """One namespace: what a client sends, what it is answered, and what the server sends by itself."""

    name: str
    title: str
    sent: Models
    acks: Models
    told: Models
    roles: Mapping[str, frozenset[str]]
    """Who may send an event, where not everybody may."""


PLAYERS: Final = Namespace(
    "/table", "Table", incoming.FROM_PLAYERS, outgoing.ACKS_TO_PLAYERS, outgoing.TO_PLAYERS, roles={}
)
HOSTS: Final = Namespace(
    "/host",
    "Host",
    {event: model for event, (model, _) in incoming.FROM_HOSTS.items()},
    outgoing.ACKS_TO_HOSTS,
    outgoing.TO_HOSTS,
    roles={event: roles for event, (_, roles) in incoming.FROM_HOSTS.items()},
)
NAMESPACES: Final = (PLAYERS, HOSTS)


def shapes() -> dict[str, Schema]:
    """By name, parts before what is made of them nowhere assumed: in alphabetical order."""
    models: dict[type[BaseModel], None] = {outgoing.Refused: None}
    for namespace in NAMESPACES:
        unanswered = set(namespace.sent) ^ set(namespace.acks)
        assert not unanswered, f"{namespace.name}: no acknowledgement, or no such event: {sorted(unanswered)}"
        for group in (namespace.sent, namespace.acks, namespace.told):
            models |= dict.fromkeys(group.values())
    _, schema = models_json_schema([(model, "validation") for model in models])
    definitions: dict[str, Schema] = schema["$defs"]
    assert all("__" not in name for name in definitions), "two shapes have the same name"
    return dict(sorted(definitions.items()))


def name_in(reference: str) -> str:
    return reference.rsplit("/", 1)[1]
