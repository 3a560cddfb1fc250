"""What may stand in a chat: one line of text, and nothing that hides, leads away or insults.

Whether somebody may say anything at all is not decided here.
"""

import re
import unicodedata
from typing import Final

from casino.chat.unwanted import has_unwanted_word
from casino.errors import Code, Refusal
from casino.people.lookalikes import with_twins
from casino.people.names import UNSEEN_KINDS, UNSEEN_LETTERS

LINE_LENGTH_MAX: Final = 200

# Those that are also words of a sentence are left out.
_DOMAINS: Final = (
    "app bet biz casino cc click co com de dev dk eu fr gg info io ly net online org poker ru shop site store tv uk "
    "vip xxx xyz"
)
_LINK: Final = re.compile(
    r"\w+://|\bhttps?\b|\bwww\b|\bmailto:|\b[\w.+-]+@\w|\b(?:t|wa)\.me\b|\b\d{1,3}(?:\.\d{1,3}){3}\b"
    r"|\b[\w-]+[.。]\w[\w.-]*/"
    rf"|\b[\w-]+[.。](?:{'|'.join(_DOMAINS.split())})\b(?![.。]?\w)",
    re.IGNORECASE,
)
_APART: Final = re.compile(r"(?<!\w)(\w) (?=\w(?!\w))")
_DISGUISED: Final = re.compile(
    r"\w\s*[\[({<]?\s*(?:[.,。·•]|\b(?:dot|punkt|point)\b)\s*[\])}>]?\s*(?:c[o0]m|[o0]rg)\b(?!['’])"
)
"""With something in place of the dot; only before endings that are no words."""


def clean_line(text: str, language: str) -> str:
    """The line as everybody reads it, at a table of this language."""
    line = _seen(text)
    if not line:
        raise Refusal(Code.BAD_REQUEST, "There is nothing to read in this line.")
    if len(line) > LINE_LENGTH_MAX:
        raise Refusal(Code.BAD_REQUEST, f"A line has at most {LINE_LENGTH_MAX} characters.")
    if _has_link(line):
        raise Refusal(Code.BAD_REQUEST, "Links and addresses are not for the chat.")
    if has_unwanted_word(line, language):
        raise Refusal(Code.BAD_REQUEST, "Please say it in other words.")
    return line


def sameness(line: str) -> str:
    """Equal for lines that say the same, however they are written."""
    return " ".join("".join(sign if sign.isalnum() else " " for sign in line.casefold()).split()) or line


def verify_decent(name: str) -> None:
    """For a name that others will read."""
    if has_unwanted_word(name) or _has_link(name):
        raise Refusal(Code.BAD_REQUEST, "Please choose another name.")


def _has_link(line: str) -> bool:
    """Also one in borrowed letters, with letters apart, or with something else in place of the dot."""
    apart = unicodedata.normalize("NFKD", line.casefold())
    plain = with_twins("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))
    together = _APART.sub(r"\1", plain)
    return any(_LINK.search(text) for text in (line, plain, together)) or _DISGUISED.search(together) is not None


def _seen(text: str) -> str:
    """Compatibility forms written out, signs that cannot be seen or that turn the text around left out."""
    written = unicodedata.normalize("NFKC", text)
    spaced = "".join(" " if sign in "\t\n\r\v\f\x85\u2028\u2029" else sign for sign in written)
    seen = "".join(sign for sign in spaced if unicodedata.category(sign) not in UNSEEN_KINDS)
    return " ".join(unicodedata.normalize("NFKC", UNSEEN_LETTERS.sub("", seen)).split())
