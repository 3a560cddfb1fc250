"""Chat message filter (moderation): one line of text, without hidden characters, links or insults.

Mutes and rate limits are checked elsewhere.
"""

import re
import unicodedata
from typing import Final

from casino.chat.word_filter import has_unwanted_word
from casino.errors import Refusal
from casino.refusals import Reason
from casino.users.confusables import skeleton
from casino.users.names import UNSEEN_KINDS, UNSEEN_LETTERS

LINE_LENGTH_MAX: Final = 200
_RAW_LENGTH_MAX: Final = 2 * LINE_LENGTH_MAX
"""Bound before cleaning, with room for combining accents and invisible characters."""
_WRITTEN_LENGTH_MAX: Final = 2 * _RAW_LENGTH_MAX
"""Bound after compatibility decomposition: one character may become eighteen."""

# Without those that are also ordinary words.
_DOMAINS: Final = (
    "app bet biz casino cc click co com de dev dk eu fr gg info io ly net online org poker ru shop site store tv uk "
    "vip xxx xyz"
)
_LINK: Final = re.compile(
    r"\w://|\bhttps?\b|\bwww\b|\bmailto:|\w[.+-]*@\w|\b(?:t|wa)\.me\b|\b\d{1,3}(?:\.\d{1,3}){3}\b"
    rf"|\w-*[.。](?:{'|'.join(_DOMAINS.split())})\b(?![.。]?\w)",
    re.IGNORECASE,
)
_PATH_BACKWARDS: Final = re.compile(r"/[\w.-]*\w[.。]-*\w")
"""A name with a dot before a slash, such as `example.test/x`, in the reversed text.

Forwards, every word of a long name would be a new start, and the search quadratic; backwards only the slash is one.
"""
_APART: Final = re.compile(r"(?<!\w)(\w) (?=\w(?!\w))")
_DISGUISED: Final = re.compile(
    r"\w\s*[\[({<]?\s*(?:[.,。·•]|\b(?:dot|punkt|point)\b)\s*[\])}>]?\s*(?:c[o0]m|[o0]rg)\b(?!['’])"
)
"""A disguised dot, only before endings that are no words."""


def clean_line(text: str, language: str) -> str:
    """Returns the cleaned message for a table of this language."""
    if len(text) > _RAW_LENGTH_MAX:
        raise _too_long()
    line = _seen(text)
    if not line:
        raise Reason.CHAT_EMPTY.refusal()
    if len(line) > LINE_LENGTH_MAX:
        raise _too_long()
    if _has_link(line):
        raise Reason.CHAT_LINK.refusal()
    if has_unwanted_word(line, language):
        raise Reason.CHAT_UNWANTED.refusal()
    return line


def normalized(line: str) -> str:
    """Returns the same text for messages that say the same in different spelling."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in line.casefold()).split()) or line


def verify_clean_name(name: str) -> None:
    """Refuses a name that is offensive or contains a link."""
    if has_unwanted_word(name) or _has_link(name):
        raise Reason.NAME_UNWANTED.refusal()


def _has_link(line: str) -> bool:
    """Whether it contains a link, also in homoglyphs, with spaced letters, or with a disguised dot."""
    apart = unicodedata.normalize("NFKD", line.casefold())
    bare = "".join(sign for sign in apart if unicodedata.category(sign) != "Mn")
    plain = skeleton(" ".join(bare.split()))
    together = _APART.sub(r"\1", plain)
    return any(_names_place(text) for text in {line, plain, together}) or _DISGUISED.search(together) is not None


def _names_place(text: str) -> bool:
    return _LINK.search(text) is not None or _PATH_BACKWARDS.search(text[::-1]) is not None


def _seen(text: str) -> str:
    """Decomposes compatibility forms, and removes invisible and direction-changing characters."""
    written = unicodedata.normalize("NFKC", text)
    if len(written) > _WRITTEN_LENGTH_MAX:
        raise _too_long()
    spaced = "".join(" " if sign in "\t\n\r\v\f\x85\u2028\u2029" else sign for sign in written)
    seen = "".join(sign for sign in spaced if unicodedata.category(sign) not in UNSEEN_KINDS)
    return " ".join(unicodedata.normalize("NFKC", UNSEEN_LETTERS.sub("", seen)).split())


def _too_long() -> Refusal:
    return Reason.CHAT_TOO_LONG.refusal(characters=LINE_LENGTH_MAX)
