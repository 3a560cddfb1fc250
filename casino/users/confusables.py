"""Homoglyph protection: detects display names that look like other names or like names of the house.

Defines which letters are confusable (UTS 39), and the reserved names. Staff names are exempt. This module does not know
which names are taken. Confusable letters matter in comparisons only: no letter or pair of letters is refused by itself.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from casino.refusals import Reason

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_DRAWN: Final = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)  # in squares, in circles, and regional indicators
_TWINS: Final = str.maketrans(
    # Cyrillic (many only in capitals), Greek, Armenian, unusual Latin letters, and small capitals that look Latin.
    "авеёіїјкӏмнорсѕтухһԛԝԁғ" + "αβεζηικμνορτυχγ" + "աոսօցհ" + "ıɑɡɩ" + "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abeeiijklmhopcstyxhqwdf" + "abezhikmvoptuxy" + "wnuogh" + "iagi" + "abcdefghijklmnoprstuvwyz",
) | {first + place: letter for first in _DRAWN for place, letter in enumerate(_LETTERS)}
_LOOSE_TWINS: Final = str.maketrans(
    # Letters that resemble a Latin one at a glance: Cyrillic, Greek, Cherokee, Lisu, phonetic and old Latin ones.
    "єэъьпгґзшщиѵөүұқңҳбфцчяж" + "σςωλπθφδψξ" + "ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᏀᏃᏏᏒᏔᏕᏚᏙᏟᏢᏞᏦᏴ" + "ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ" + "ðþŋʃʒəƨƽƿ",
    "eebbnrrewwnvoyyknxbouyrx" + "ocwlnoosyx" + "drtiajewmhygzbrwssvcplkb" + "bpddtgkjczfmnlsrvhwxyaeiou" + "dpnszessp",
) | {ord("æ"): "ae", ord("œ"): "oe"}
_LATIN_NAME: Final = re.compile(
    r"LATIN (?:(?:SMALL|CAPITAL) LETTER|LETTER SMALL CAPITAL)(?: [A-Z]{2,})? ([A-Z])(?: WITH .*)?"
)
"""Unicode names that tell the plain letter, such as LATIN SMALL LETTER D WITH STROKE."""
_STROKES: Final = str.maketrans("i1|\u01c0\u22230", "lllllo")  # with a dental click and a divisor sign
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
_INSTEAD: Final = str.maketrans("3456789@$!|+†€£", "easbtbgasllttel")
_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Scripts that are written together, in Japanese, Chinese and Korean."""

_TITLES: Final = frozenset(
    {
        "admin", "administrator", "administrateur", "moderator", "moderateur", "dealer", "croupier", "presenter",
        "manager", "support", "staff", "cashier", "caissier",
    }
)  # fmt: skip
"""Reserved at the beginning and the end of a name: `Dealer Bo`."""
_DISTINCT_TITLES: Final = frozenset({"admin", "moderator", "dealer", "croupier", "presenter", "cashier"})
"""No ordinary name begins or ends with one of them, so they are reserved in joined words, too: `adminbob`."""
_OF_THE_HOUSE: Final = frozenset({"casino", "kasino", "system", "official", "finance", "security"})
"""Reserved by themselves and with each other: `Casino Support`, but not `Casino Royale`."""
_ADDITIONS: Final = frozenset(
    {"the", "a", "your", "our", "le", "la", "live", "head", "chief", "team", "desk", "service", "help"}
)
"""Words that do not make a reserved name a different one."""
_WORD: Final = re.compile(r"[^\W_]+")
_CAMEL_CASE: Final = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
_APART: Final = re.compile(r"(?<![^\W_])([^\W_])[\W_]+(?=[^\W_](?![^\W_]))")
"""A letter by itself, before another one: `a d m i n`."""
_LETTERS_ONLY: Final = re.compile(r"[^\W\d_]+")


def skeleton(text: str) -> str:
    """Returns the same text for lower-case texts that look alike in several alphabets."""
    return text.translate(_TWINS)


def visual_key(folded: str) -> str:
    """Returns the same text for folded names that look alike in one alphabet, too: `I l 1`, `O 0`, `rn m`, `vv w`."""
    key = folded.translate(_STROKES)
    for pair, letter in _PAIRS:
        key = key.replace(pair, letter)
    return key


def plain_letters(text: str) -> str:
    """Returns the text in lower case, with Latin look-alikes and ASCII digits, and without accents."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    signs = (sign for sign in apart if not unicodedata.category(sign).startswith("M"))
    return "".join(map(_plain_letter, skeleton("".join(str(unicodedata.decimal(sign, sign)) for sign in signs))))


@lru_cache(4096)
def _plain_letter(sign: str) -> str:
    """Resembling letters matter only here: accounts are stored and found by their `skeleton`, which knows fewer."""
    latin = None if sign.isascii() else _LATIN_NAME.fullmatch(unicodedata.name(sign, ""))
    return latin[1].lower() if latin else sign.translate(_LOOSE_TWINS)


def staff_look_alikes(name: str) -> set[str]:
    """Returns the visual keys of plain names this one passes for: without accents and signs, with digits as letters."""
    plain = plain_letters(name)
    readings = {plain, plain.translate(_INSTEAD)}
    readings |= {"".join(_WORD.findall(reading)) for reading in readings}
    return {visual_key(reading) for reading in readings} - {""}


def staff_key(name: str) -> str:
    """Returns the visual key of a staff name: without accents and signs, as names of players are read."""
    return visual_key("".join(_WORD.findall(plain_letters(name))))


def verify_display_name(name: str) -> None:
    """Refuses mixed scripts, and names that pretend to be the house."""
    alphabets = {_alphabet(sign) for sign in name if unicodedata.category(sign).startswith("L")}
    if len(alphabets) > 1 and not any(alphabets <= together for together in _TOGETHER):
        raise Reason.NAME_ALPHABETS.refusal()
    if _is_of_the_house(name):
        raise Reason.NAME_RESERVED.refusal()


def _alphabet(letter: str) -> str:
    return re.split("[ -]", unicodedata.name(letter, "UNKNOWN"), maxsplit=1)[0]


def _is_of_the_house(name: str) -> bool:
    """Whether it is made of reserved words, or begins or ends with a title: `a-d-m-1-n`, `Dealer Bo`."""
    return any(_has_title(words) or is_made_of_reserved("".join(words)) for words in _readings(name))


def _readings(name: str) -> Iterator[list[str]]:
    """Yields the words of a name in every way it may be meant, with digits as letters, as separators or as ornament."""
    plain = plain_letters(name)
    for text in {plain, plain_letters(_CAMEL_CASE.sub(" ", name)), _APART.sub(r"\1", plain)}:
        words = [word for word in _WORD.findall(text) if not word.isdigit()]
        yield [_meant(word) for word in words]
        yield [_meant(word.strip("0123456789")) for word in words]
        yield [_meant(word) for word in _LETTERS_ONLY.findall(text)]
        yield [_meant(word) for word in _WORD.findall(text.translate(_INSTEAD))]


def _meant(word: str) -> str:
    return visual_key(word.translate(_INSTEAD))


_MEANT_TITLES: Final = frozenset(map(_meant, _TITLES))
_MEANT_DISTINCT: Final = tuple(map(_meant, _DISTINCT_TITLES))
_MEANT: Final = _MEANT_TITLES | frozenset(map(_meant, _OF_THE_HOUSE))
_MEANT_ADDITIONS: Final = frozenset(map(_meant, _ADDITIONS))
RESERVED_WORDS: Final = _MEANT | _MEANT_ADDITIONS
"""Words for staff and house, and the words around them, as visual keys."""


def _has_title(words: list[str]) -> bool:
    ends = {words[0], words[-1]} if words else set()
    return bool(ends & _MEANT_TITLES) or any(
        word.startswith(_MEANT_DISTINCT) or word.endswith(_MEANT_DISTINCT) for word in words
    )


def is_made_of_reserved(text: str) -> bool:
    """Whether the whole text can be read as reserved words, with words around them."""
    reached = {0: False}  # by the end of a word: whether a reserved one is among those before
    for start in range(len(text)):
        for word in RESERVED_WORDS if start in reached else ():
            if text.startswith(word, start):
                end = start + len(word)
                reached[end] = reached.get(end, False) or reached[start] or word in _MEANT
    return reached.get(len(text), False)
