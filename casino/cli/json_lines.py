"""Processes JSON lines: one object in, one object out; a faulty line is reported and never stops the command."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BufferedReader
from types import MappingProxyType
from typing import Any, BinaryIO, Final, TypeVar

import orjson
from pydantic import BaseModel, ValidationError

from casino.errors import Code, Refusal

READ_BYTES: Final = 64 * 1024
LINE_BYTES_MAX: Final = 16 * 1024
KEY_SHOWN_MAX: Final = 60

Answer = Callable[[bytes], dict[str, Any]]
Model = TypeVar("Model", bound=BaseModel)


def answer_lines(
    source: BufferedReader,
    out: BinaryIO,
    answer: Answer,
    *,
    on_error: Mapping[str, Any] = MappingProxyType({}),
    line_bytes_max: int = LINE_BYTES_MAX,
) -> None:
    """Answer what has arrived before reading more, so that another program can hold a conversation with this one.

    `on_error` are fields an error line carries besides `error`.
    """

    def line_for(line: bytes) -> bytes:
        plain = _answer_or_error(line, answer, line_bytes_max)
        if "error" in plain:
            plain = {**on_error, **plain}
        return orjson.dumps(plain, option=orjson.OPT_APPEND_NEWLINE)

    rest = b""
    while arrived := source.read1(READ_BYTES):
        *lines, rest = (rest + arrived).split(b"\n")
        rest = rest[: line_bytes_max + 1]  # a line that is too long already needs no more of itself to be refused
        out.writelines(map(line_for, lines))
        out.flush()
    if rest:
        out.write(line_for(rest))
        out.flush()


def read_object(model: type[Model], line: bytes) -> Model:
    """The object of a line. Refuses `bad_request` for a key that appears twice, where JSON would drop the first."""
    with suppress(ValueError, RecursionError):  # no JSON: the model says so, with the place
        json.loads(line, object_pairs_hook=_each_key_once)
    return model.model_validate_json(line)


def _each_key_once(pairs: list[tuple[str, Any]]) -> None:
    """Seat numbers are compared as numbers: `2` and `02` are one key."""
    counts = Counter(str(int(key)) if key.isdecimal() else key for key, _ in pairs)
    key, count = max(counts.items(), key=lambda pair: pair[1], default=("", 0))
    if count > 1:
        raise Refusal(Code.BAD_REQUEST, f"{key[:KEY_SHOWN_MAX]!r} appears twice in the line.")


def _answer_or_error(line: bytes, answer: Answer, line_bytes_max: int) -> dict[str, Any]:
    if len(line) > line_bytes_max:
        return _error(Code.BAD_REQUEST, f"A line is at most {line_bytes_max} bytes long.")
    try:
        return answer(line)
    except Refusal as refusal:
        return _error(refusal.code, refusal.message)
    except ValidationError as error:
        return _error(Code.BAD_REQUEST, _first_reason(error))


def _error(code: Code, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _first_reason(error: ValidationError) -> str:
    """The first thing that is wrong and where, without repeating the input."""
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:KEY_SHOWN_MAX]
    return f"{where}: {first['msg']}" if where else first["msg"]
