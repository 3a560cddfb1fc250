"""Names that pass for other names: letters of one alphabet that look like those of another, and names of the house.

Decides which letters are twins, and what nobody may call himself who registers. Staff are added by the house, which
may call its people as it likes. Which names are taken is not known here.
"""

import re
import unicodedata
from typing import Final

from casino.errors import Code, Refusal

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_DRAWN: Final = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)  # in squares, in circles, and those that flags are made of
_TWINS: Final = str.maketrans(
    # Cyrillic, of which many look Latin only in capitals; Greek; Armenian; odd Latin letters; small capitals.
    "авеёіїјкӏмнорсѕтухһԛԝԁғ" + "αβεζηικμνορτυχγ" + "աոսօցհ" + "ıɑɡɩ" + "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abeeiijklmhopcstyxhqwdf" + "abezhikmvoptuxy" + "wnuogh" + "iagi" + "abcdefghijklmnoprstuvwyz",
) | {first + place: letter for first in _DRAWN for place, letter in enumerate(_LETTERS)}
_INSTEAD: Final = str.maketrans("01i3457@$!|", "olleastasll")  # one stroke is like another
_TOGETHER: Final = (
    frozenset({"LATIN", "CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "CJK", "BOPOMOFO"}),
    frozenset({"LATIN", "CJK", "HANGUL"}),
)
"""Alphabets that are written together, in Japanese, Chinese and Korean."""

_OF_THE_HOUSE: Final = frozenset(
    {
        "admin", "administrator", "administrateur", "moderator", "moderateur", "dealer", "croupier", "presenter",
        "manager", "support", "staff", "casino", "kasino", "cashier", "caissier", "system", "official", "finance",
        "security",
    }
)  # fmt: skip
_BESIDE: Final = frozenset(
    {"the", "a", "your", "our", "le", "la", "live", "head", "chief", "team", "desk", "service", "help"}
)
"""Words that make no other name of it."""
_MEANT: Final = frozenset(word.translate(_INSTEAD) for word in _OF_THE_HOUSE)
_MEANT_BESIDE: Final = frozenset(word.translate(_INSTEAD) for word in _BESIDE)
_WORD: Final = re.compile(r"[^\W_]+")


def with_twins(text: str) -> str:
    """Equal for texts in small letters that look alike in several alphabets."""
    return text.translate(_TWINS)


def verify_own_name(name: str) -> None:
    """Refuses what pretends to be another alphabet, or somebody of the house."""
    alphabets = {_alphabet(sign) for sign in name if unicodedata.category(sign).startswith("L")}
    if len(alphabets) > 1 and not any(alphabets <= together for together in _TOGETHER):
        raise Refusal(Code.BAD_REQUEST, "A name is written in one alphabet.")
    if _is_of_the_house(name):
        raise Refusal(Code.BAD_REQUEST, "This name sounds like somebody of the house. Please choose another one.")


def _alphabet(letter: str) -> str:
    return re.split("[ -]", unicodedata.name(letter, "UNKNOWN"), maxsplit=1)[0]


def _is_of_the_house(name: str) -> bool:
    """All of its words, or their letters taken together: `a-d-m-1-n`, `Admin_2`, `Casino Support`."""
    apart = unicodedata.normalize("NFKD", name.casefold())
    plain = with_twins("".join(sign for sign in apart if unicodedata.category(sign) != "Mn"))
    words = [word for word in _WORD.findall(plain) if not word.isdigit()]
    meant = [word.strip("0123456789").translate(_INSTEAD) for word in words]
    whole = ["".join(_WORD.findall(plain.translate(_INSTEAD))), "".join(meant)]
    named = [word for word in meant if word not in _MEANT_BESIDE]
    return any(word in _MEANT for word in whole) or (bool(named) and all(word in _MEANT for word in named))
