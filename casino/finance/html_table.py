"""HTML tables of a self-contained page. Every text is escaped, except what is already HTML."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final


class Html(str):
    """Markup made by this package."""


class Code(str):
    """Long text without spaces, which may break anywhere."""


class Time(str):
    """Text that never breaks."""


class Number(str):
    """Right-aligned text."""


_CLASSES: Final[dict[type, str]] = {Number: "n", Time: "t"}


def pairs(values: Mapping[str, str]) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in values.items())
    return f'<table class="pairs">{rows}</table>'


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if body else "<p>None.</p>"


def _cell(value: object) -> str:
    if isinstance(value, Html):
        return f"<td>{value}</td>"
    text = escape(f"{value}")
    if isinstance(value, Code):
        return f"<td><code>{text}</code></td>"
    name = _CLASSES.get(type(value))
    return f'<td class="{name}">{text}</td>' if name else f"<td>{text}</td>"
