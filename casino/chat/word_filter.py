"""Word filter (moderation): whole words that are not allowed in a chat or a name, by language.

`words/` has one file per language. The filter matches a word in capitals, with or without accents, with digits for
letters, and with repeated or spaced letters. At a table of one language, words of the other languages are refused too,
except those that are ordinary words there.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from casino.users.confusables import skeleton

LANGUAGES: Final = ("en", "da", "fr")

_FOLDER: Final = Path(__file__).with_name("words")
_INSTEAD: Final = str.maketrans("013457@$", "oieastas")
_TOKEN: Final = re.compile(r"[\w@$]+")
_APART: Final = re.compile(r"(?<!\w)\w(?:[\W_]{1,3}\w(?!\w)){2,}")
_DRAWN_OUT: Final = re.compile(r"(.)\1{2,}")


def has_unwanted_word(text: str, language: str | None = None) -> bool:
    """`language` is the table's; without one the words of all languages are refused."""
    unwanted = _unwanted_at(language)
    return any(spelling in unwanted for spelling in _spellings(_folded(text)))


@cache
def _unwanted_at(language: str | None) -> frozenset[str]:
    listed = {word for name in LANGUAGES for word in _listed(name)}
    ordinary = {word[1:] for word in _listed(language) if word.startswith("-")} if language in LANGUAGES else set()
    return frozenset(word for word in listed if not word.startswith("-") and word not in ordinary)


@cache
def _listed(language: str) -> frozenset[str]:
    lines = (line.strip() for line in (_FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines())
    return frozenset(_folded(line) for line in lines if line and not line.startswith("#"))


def _folded(text: str) -> str:
    """Removes case and accents, and maps homoglyphs to plain letters."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return skeleton("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))


def _spellings(text: str) -> Iterator[str]:
    """Yields every word of the text, as written and as it may be meant."""
    for token in _TOKEN.findall(text):
        for word in {token, token.replace("_", ""), *token.split("_")}:
            if any(sign.isalpha() for sign in word):  # numbers stay numbers
                meant = word.translate(_INSTEAD)
                yield from (word, meant, _DRAWN_OUT.sub(r"\1", meant), _DRAWN_OUT.sub(r"\1\1", meant))
    for letters in _APART.findall(text):
        yield re.sub(r"[\W_]", "", letters).translate(_INSTEAD)
