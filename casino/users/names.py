"""Which names there may be, and when two names are the same.

A name is shown to other people, so it has no sign that cannot be seen, reverses the text around it, or makes it
look like another name: compatibility forms are written out, upper and lower case are one, and so are the letters of
several alphabets that look alike.
"""

import re
import unicodedata
from typing import Final

from casino.errors import Code, Refusal
from casino.people.lookalikes import with_twins

NAME_LENGTH_MAX: Final = 40
FOLDED_LENGTH_MAX: Final = 2 * NAME_LENGTH_MAX  # no letter folds into more than two

UNSEEN_KINDS: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
UNSEEN_LETTERS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Fillers, joiners and variation selectors: letters and marks by their kind, but nothing to look at."""


def clean_name(text: str) -> str:
    """The name as it is kept and shown."""
    if len(text) > 4 * NAME_LENGTH_MAX:  # before any work is done on it
        raise _too_long()
    name = unicodedata.normalize("NFKC", text)
    if not name:
        raise Refusal(Code.BAD_REQUEST, "A name has at least one character.")
    if len(name) > NAME_LENGTH_MAX:
        raise _too_long()
    if UNSEEN_LETTERS.search(name) or any(unicodedata.category(sign) in UNSEEN_KINDS for sign in name):
        raise Refusal(Code.BAD_REQUEST, "A name has no control, invisible or text-reversing characters.")
    if name != " ".join(name.split()):
        raise Refusal(Code.BAD_REQUEST, "A name neither begins nor ends with a space, and has no two together.")
    if unicodedata.category(name[0]).startswith("M"):
        raise Refusal(Code.BAD_REQUEST, "A name does not begin with an accent.")
    return name


def folded(name: str) -> str:
    """Equal for names that are the same name."""
    return with_twins(cased(name))


def cased(name: str) -> str:
    """The same for the names of one alphabet; names of others were once kept so."""
    return unicodedata.normalize("NFKC", name.casefold())


def _too_long() -> Refusal:
    return Refusal(Code.BAD_REQUEST, f"A name has at most {NAME_LENGTH_MAX} characters.")
