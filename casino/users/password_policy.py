"""Password policy: length by role, and a deny list of common and trivial passwords. No character-class rules.

The deny list holds words. Passwords derived from one are refused too: other case, look-alike letters and digits,
accents, separators, up to six added digits or symbols or a longer sequence of them, the word repeated or reversed, two
such words joined. So are the person's own name with one such word or with words for staff and house, and all of these
with small words between (`password-for-marta`). Keyboard rows, repetitions and dates need no list. All this reduces the
password for comparison only; the hash is that of the password as it was typed. The longest password is checked in
milliseconds.
"""

import re
from collections.abc import Iterable, Set
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Final

from casino.refusals import Reason
from casino.users.confusables import RESERVED_WORDS, is_made_of_reserved, plain_letters, visual_key
from casino.users.passwords import PASSWORD_LENGTH_MIN, verify_password
from casino.users.roles import Role

STAFF_PASSWORD_LENGTH_MIN: Final = 12

_AFFIX_LENGTH_MAX: Final = 6
_STRIDE_MAX: Final = 3
_RUN_LENGTH_MIN: Final = 3
_SHORT_RUN_LENGTH_MIN: Final = 4
"""In short texts, which are the letters of a password with symbols: a shorter run is there by chance."""
_REST_LENGTH_MAX: Final = 2
_LEET: Final = str.maketrans("013457@$!|+€", "oleastasilte")
_BARE_LENGTH_MIN: Final = 4
_SEPARATORS_MAX: Final = 2
_KEY_LENGTH_MIN: Final = 3
_ROWS: Final = (
    "01234567890123456789", "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopå", "asdfghjklæø", "zxcvbnm", "qwertzuiopü", "yxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn",
    "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qazwsxedcrfvtgbyhnujmikolp", "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "0okm9ijn8uhb7ygv6tfc5rdx4esz", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю",
    "!@#$%^&*()_+", "!\"#¤%&/()=", "!\"#$%&'()*+,-./",
    "1357913579", "2468024680", "147258369", "159357", "159753",
)  # fmt: skip
_WALKS: Final = tuple(row for written in map(plain_letters, _ROWS) for row in (written, written[::-1]))
_CONSTANTS: Final = tuple(
    row
    for digits in (
        "31415926535897932384", "27182818284590452353", "112358132134558914", "14142135623730950488",
        "16180339887498948482",
    )
    for row in (digits, digits[::-1])
)  # fmt: skip
_CONSTANT_LENGTH_MIN: Final = 6
"""A fifth of all numbers of three digits is somewhere in a constant: shorter parts are there by chance."""
_NAME_PART_LENGTH_MIN: Final = 2
_WORDS_MAX: Final = 2
"""Number of joined common words that are guessable. Three of them are a passphrase."""
_WORD_LENGTH_MAX: Final = 40
_BETWEEN: Final = (
    "is", "my", "the", "for", "of", "to", "in", "and", "at", "on", "me", "it", "name", "com", "this", "that", "no",
    "you", "your", "very", "so", "we", "are", "all", "be", "do", "big", "new", "old", "der", "det", "en", "et",
    "og", "er", "min", "mit", "le", "la", "les", "de", "du", "mon", "ma", "est", "un", "une",
)  # fmt: skip
_FREE: Final = frozenset(word for word in (*RESERVED_WORDS, *map(visual_key, _BETWEEN)) if len(word) > 1)
"""Words between others that make no password harder to guess."""
_NAME_ADDITIONS: Final = frozenset({"a", "s", "x", visual_key("i")})
"""Letters that count as such words where the person's name is one: `martas-password`."""


def verify_new_password(password: str, *, name: str, role: Role) -> None:
    """Refuses with `weak_password`, or with `bad_request` if it is too long."""
    verify_password(password)
    length_min = PASSWORD_LENGTH_MIN if role is Role.PLAYER else STAFF_PASSWORD_LENGTH_MIN
    if len(password) < length_min:
        raise Reason.PASSWORD_TOO_SHORT.refusal(characters=length_min)
    readings = _readings(password)
    keys = {key for reading in readings for key in _keys(reading)}
    if keys & _keys_of_name(name) or _is_name_with_common_word(readings, name):
        raise Reason.PASSWORD_IS_NAME.refusal()
    if any(_is_trivial(reading, length_min) for reading in readings):
        raise Reason.PASSWORD_SEQUENCE.refusal()
    letters = {_letters(reading) for reading in readings if reading == _bare(reading)}
    if keys & _common_keys() or any(map(_is_made_of_words, keys | letters)):
        raise Reason.PASSWORD_COMMON.refusal()


def _readings(password: str) -> list[str]:
    """Returns the password in plain letters, with its symbols and without.

    Many different symbols are part of the secret; few, or one between every two letters, are separators.
    """
    plain = plain_letters(password)
    bare = _bare(plain)
    has_separators = 2 * len(bare) > len(plain) or len(set(plain) - set(bare)) <= _SEPARATORS_MAX
    return [plain, bare] if has_separators and len(bare) >= _BARE_LENGTH_MIN else [plain]


def _bare(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())


def _core(text: str) -> str:
    """Returns the middle of a password, without the digits and symbols people add to satisfy old rules."""
    letters = [place for place, sign in enumerate(text) if sign.isalpha()]
    if not letters:
        return text
    before, core, after = text[: letters[0]], text[letters[0] : letters[-1] + 1], text[letters[-1] + 1 :]
    is_short = len(before) + len(after) <= _AFFIX_LENGTH_MAX
    return core if is_short or all(map(_is_trivial_affix, (before, after))) else text


def _is_trivial_affix(text: str) -> bool:
    """Whether added digits or symbols are a sequence, a repetition or dates, however many they are."""
    return _is_made_of_runs(text) or _unit(text) != text or _is_made_of_dates(text)


def _keys(reading: str) -> set[str]:
    """Returns what a reading is compared by: whole and without affixes, in both directions, a repetition once."""
    starts = {reading, _core(reading)}
    keys = {_key(start) for start in starts | {start[::-1] for start in starts}}
    return keys | {_unit(key) for key in keys}


def _key(text: str) -> str:
    """Returns the same key for texts that are read as the same word; the text itself if it is mostly symbols."""
    letters = _bare(text.translate(_LEET))
    return visual_key(letters) if 2 * len(letters) > len(text) else text


def _unit(text: str) -> str:
    """Returns the text that is repeated, or the whole text if it is no repetition."""
    return text[: (text + text).find(text, 1)] if text else text


def _keys_of_name(name: str) -> set[str]:
    bare = _bare(plain_letters(name))
    return {_unit(_key(form)) for form in (bare, _core(bare))} - {""}


def _is_name_with_common_word(readings: Iterable[str], name: str) -> bool:
    """Whether the person's name and at most one common word are all there is: `manager.marta`, `my-name-is-marta`."""
    parts = {_key(part) for part in (_bare(plain_letters(name)), *plain_letters(name).split())}
    own = {part for part in parts if len(part) >= _NAME_PART_LENGTH_MIN}
    texts = {form(_bare(reading)) for reading in readings for form in (_key, _letters)}
    named = (text for text in texts if any(part in text for part in own))
    return any(_common_words_in(text, own | _NAME_ADDITIONS, words_max=1) is not None for text in named)


def _letters(text: str) -> str:
    """Returns the letters alone, if digits between words are too few to be a secret, or sequences."""
    numbers = [
        found for found in re.findall("[0-9]+", text) if len(found) < _RUN_LENGTH_MIN or not _is_trivial_affix(found)
    ]
    letters = "".join(sign for sign in text if not sign.isdecimal())
    return _key(letters if letters and sum(map(len, numbers)) <= _AFFIX_LENGTH_MAX else text)


def _common_words_in(text: str, own: Set[str] = frozenset(), *, words_max: int) -> frozenset[str] | None:
    """Returns the common words that the text consists of, each once; None if there are more than the maximum.

    Words between them cost a guesser nothing: the person's name, words for staff and house, the smallest of a language.
    """
    free, common = own | _FREE, _common_keys()
    fewest: dict[int, frozenset[str]] = {0: frozenset()}  # the words used, by the end of the last one
    for start in range(len(text)):
        if start not in fewest:
            continue
        used = fewest[start]
        for end in range(start + 1, min(len(text), start + _WORD_LENGTH_MAX) + 1):
            word = text[start:end]
            now = used if word in free else used | {word} if word in common else None
            if now is not None and len(now) <= words_max and len(now) < len(fewest.get(end, range(words_max + 1))):
                fewest[end] = now
    return fewest.get(len(text))


def _is_made_of_words(text: str) -> bool:
    return is_made_of_reserved(text) or bool(_common_words_in(text, words_max=_WORDS_MAX))


def _is_trivial(plain: str, length_min: int) -> bool:
    is_sequence = _is_made_of_interleaved_runs(plain) or _is_made_of_runs(plain[::-1])
    core = _core(plain)
    if core != plain and len(core) <= _REST_LENGTH_MAX and all(map(_is_trivial_affix, plain.split(core, maxsplit=1))):
        return True  # dates or sequences around a short rest
    return is_sequence or _is_repetition(plain, length_min) or _is_made_of_dates(plain)


def _is_repetition(plain: str, length_min: int) -> bool:
    """Whether a unit repeats that would be too short by itself; it may be cut short the last time.

    Characters that are repeated in place count once, too: `112233445566`.
    """
    if len(_unit(plain)) < min(length_min, len(plain)):
        return True
    once = "".join(sign for sign, _ in groupby(plain))
    if 2 * len(once) <= len(plain) and (len(once) < length_min or _is_made_of_runs(once)):
        return True
    return any(plain[unit:] == plain[:-unit] for unit in range(1, min(length_min, len(plain) // 2 + 1)))


def _is_made_of_interleaved_runs(plain: str) -> bool:
    """Whether it consists of runs, read as it is or with every second or third character: `a1b2c3d4e5f6`."""
    return any(
        all(_is_made_of_runs(plain[start::stride]) for start in range(stride))
        for stride in range(1, _STRIDE_MAX + 1)
        if stride == 1 or len(plain) >= max(PASSWORD_LENGTH_MIN, stride * _SHORT_RUN_LENGTH_MIN)
    )


def _is_made_of_runs(plain: str) -> bool:
    """Whether it consists of runs along keyboard rows, alphabet or digits, or of one character, and a short rest."""
    length_min = _RUN_LENGTH_MIN if len(plain) >= PASSWORD_LENGTH_MIN else _SHORT_RUN_LENGTH_MIN
    at = 0
    while len(plain) - at > _REST_LENGTH_MAX:
        run = _run_length(plain, at)
        if run < length_min:
            return False
        at += run
    return True


def _run_length(plain: str, at: int) -> int:
    end = at + 1
    while end < len(plain) and plain[end] == plain[at]:
        end += 1
    while end < len(plain) and any(plain[at : end + 1] in walk for walk in _WALKS):
        end += 1
    known = at + _CONSTANT_LENGTH_MIN
    if known > len(plain) or not any(plain[at:known] in digits for digits in _CONSTANTS):
        return end - at
    while known < len(plain) and any(plain[at : known + 1] in digits for digits in _CONSTANTS):
        known += 1
    return max(end, known) - at


def _is_made_of_dates(plain: str) -> bool:
    """Whether it consists of years, or of one day."""
    digits = re.sub(r"[\s./-]", "", plain)
    if re.fullmatch(r"(?:(?:19|20)[0-9]{2}){2,}", digits):
        return True
    if len(digits) != len("YYYYMMDD") or not (digits.isascii() and digits.isdigit()):
        return False
    orders = ((0, 4, 6), (4, 2, 0), (4, 0, 2))  # start of year, month and day
    return any(_is_day(digits[y : y + 4], digits[m : m + 2], digits[d : d + 2]) for y, m, d in orders)


def _is_day(year: str, month: str, day: str) -> bool:
    try:
        return 1900 <= date(int(year), int(month), int(day)).year < 2100
    except ValueError:
        return False


@cache
def _common_keys() -> frozenset[str]:
    keys = (_key(plain_letters(word)) for word in common_words())
    return frozenset(key for key in keys if len(key) >= _KEY_LENGTH_MIN)


@cache
def common_words() -> frozenset[str]:
    """Reads the deny list once, when the first password is chosen."""
    text = files("casino.users").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())
