"""Description of one route for the OpenAPI document: input, output and refusals."""

from dataclasses import dataclass, field
from typing import Any

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """A query parameter."""

    name: str
    schema: Schema
    about: str = ""
    required: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """`answers` is for routes whose rows follow a layout of exports; other handlers say it by their return type.

    `refuses` lists statuses beyond those that follow from the route: its session, its body, its parameters.
    """

    about: str
    answers: type[Any] | None = None
    takes: type[Any] | None = None
    may_be_missing: bool = False
    query: tuple[QueryParameter, ...] = ()
    refuses: tuple[int, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    """Alternative media types of the response, with their content."""


def text(longest: int) -> Schema:
    return {"type": "string", "maxLength": longest}


def limit(most: int) -> QueryParameter:
    return QueryParameter("limit", {"type": "integer", "minimum": 1, "maximum": most})
