"""JSON schema of messages: typed dictionaries and pydantic models, described by their docstrings."""

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Final, get_origin

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

Schema = dict[str, Any]
REFERENCE: Final = "#/$defs/{model}"


def definitions(messages: Iterable[type[Any]], reference: str = REFERENCE) -> dict[str, Schema]:
    """Returns the schemas of these messages and of their parts, in alphabetical order."""
    inputs: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (message.__name__, "validation", TypeAdapter(message)) for message in messages
    ]
    _, schema = TypeAdapter.json_schemas(inputs, ref_template=reference, schema_generator=_Generator)
    found: dict[str, Schema] = schema["$defs"]
    assert all("__" not in name for name in found), f"two messages have the same name: {sorted(found)}"
    return dict(sorted(found.items()))


class _Generator(GenerateJsonSchema):
    """Closes dictionaries, and describes their fields by the docstrings below them, also inherited ones."""

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return super().dataclass_schema(schema) | {"additionalProperties": False}

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        described = super().typed_dict_schema(schema)
        described["additionalProperties"] = False
        message = schema.get("cls")
        assert message is not None, "pydantic names the class of every typed dictionary"
        for field, text in _field_docstrings(message).items():
            described["properties"][field]["description"] = text
        return described


def _field_docstrings(message: type) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in getattr(message, "__orig_bases__", ()):
        if get_origin(base) is None and isinstance(base, type):
            found |= _field_docstrings(base)
    return found | _docstrings_in(message.__module__).get(message.__name__, {})


@cache
def _docstrings_in(module: str) -> dict[str, dict[str, str]]:
    """Returns the field docstrings of each class; Python itself keeps none of them."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: dict(_documented(node)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in pairwise(node.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                yield name, inspect.cleandoc(text)
