"""Spreadsheet formula injection: detects text that a spreadsheet could read as a formula, and neutralizes it.

Spreadsheets split a CSV file at the separator of the reader's locale or choice, whatever separator it was written with.
A formula character is therefore dangerous at the start of a text and after any character that is not a letter or digit,
which includes every separator, quote, space and line break.
"""

import re
from typing import Final

FORMULA_SIGNS: Final = "=+\\-@＝＋－＠"
_FORMULA: Final = re.compile(f"(?<![^\\W_])(?<![{FORMULA_SIGNS}])[{FORMULA_SIGNS}]|^[\t\r\n]")
_SEPARATORS: Final = re.compile('[,;|"]')

KEY_PATTERN: Final = "^[A-Za-z0-9][A-Za-z0-9._:-]{0,79}$"
"""Idempotency keys of clients appear in exports unchanged."""


def neutralize_formulas(text: str) -> str:
    """Returns the text with an apostrophe before every possible start of a formula."""
    return _FORMULA.sub(r"'\g<0>", text)


def is_spreadsheet_safe(text: str) -> bool:
    """Whether the text stays one harmless cell, whichever way a spreadsheet splits its row."""
    return not _SEPARATORS.search(text) and not _FORMULA.search(text)
