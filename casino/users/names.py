"""Rules for display names, and the comparison that treats similar names as equal.

Other people see a name. It therefore has no invisible characters, and none that reverse the text around it.
Compatibility forms, upper and lower case, and confusable letters of several alphabets (homoglyphs) count as equal.
"""

import re
import unicodedata
from typing import Final

from casino.errors import Refusal
from casino.refusals import Reason
from casino.security.spreadsheet_formulas import is_spreadsheet_safe
from casino.users.confusables import skeleton

NAME_LENGTH_MAX: Final = 40
FOLDED_LENGTH_MAX: Final = 2 * NAME_LENGTH_MAX  # no letter folds into more than two

UNSEEN_KINDS: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
UNSEEN_LETTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers, joiners and variation selectors: letters and marks by category, but invisible."""


def clean_name(text: str) -> str:
    """Returns the name as it is stored and shown."""
    if len(text) > 4 * NAME_LENGTH_MAX:  # before any expensive work
        raise _too_long()
    name = unicodedata.normalize("NFKC", text)
    if not name:
        raise Reason.NAME_EMPTY.refusal()
    if len(name) > NAME_LENGTH_MAX:
        raise _too_long()
    if UNSEEN_LETTERS.search(name) or any(unicodedata.category(sign) in UNSEEN_KINDS for sign in name):
        raise Reason.NAME_INVISIBLE.refusal()
    if name != " ".join(name.split()):
        raise Reason.NAME_SPACES.refusal()
    if unicodedata.category(name[0]).startswith("M"):
        raise Reason.NAME_ACCENT.refusal()
    return name


def clean_new_name(text: str) -> str:
    """Returns the name of a new account, which is also safe in a spreadsheet; exports neutralize older names."""
    name = clean_name(text)
    if not is_spreadsheet_safe(name):
        raise Reason.NAME_SYMBOLS.refusal()
    return name


def folded(name: str) -> str:
    """Returns the same text for names that count as equal."""
    return skeleton(cased(name))


def cased(name: str) -> str:
    """Same within one alphabet; an earlier version stored names this way."""
    return unicodedata.normalize("NFKC", name.casefold())


def _too_long() -> Refusal:
    return Reason.NAME_TOO_LONG.refusal(characters=NAME_LENGTH_MAX)
