"""Display names: valid ones, and equal ones."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.errors import Code, Refusal
from casino.users.names import FOLDED_LENGTH_MAX, NAME_LENGTH_MAX, clean_name, folded

UNSEEN = {
    "nul": "\x00",
    "tab": "\t",
    "line feed": "\n",
    "carriage return": "\r",
    "delete": "\x7f",
    "next line": "\x85",
    "soft hyphen": "\xad",
    "grapheme joiner": "\u034f",
    "arabic letter mark": "\u061c",
    "hangul filler": "\u3164",
    "half-width hangul filler": "\uffa0",
    "khmer inherent vowel": "\u17b4",
    "mongolian vowel separator": "\u180e",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "right-to-left mark": "\u200f",
    "line separator": "\u2028",
    "right-to-left override": "\u202e",
    "word joiner": "\u2060",
    "right-to-left isolate": "\u2067",
    "blank braille": "\u2800",
    "variation selector": "\ufe0f",
    "byte order mark": "\ufeff",
    "half a character": "\ud800",
    "private": "\ue000",
    "tag letter": "\U000e0041",
    "late variation selector": "\U000e0100",
    "unassigned": "\U0003ffff",
}


def refusal(text: str) -> str:
    with pytest.raises(Refusal) as refused:
        clean_name(text)
    assert refused.value.code is Code.BAD_REQUEST
    return refused.value.message


@pytest.mark.parametrize(
    "name",
    ["A", "Ann", "Jean-Luc O'Brien", "Łukasz", "李小龍", "Ναυσικά", "علی", "x" * 40, "<img onerror>", "=1+1", "💎"],
)
def test_name_that_can_be_seen_is_kept_as_it_is(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("sign", UNSEEN.values(), ids=UNSEEN)
def test_sign_that_cannot_be_seen_is_refused_anywhere_in_a_name(sign: str) -> None:
    for text in (sign, f"{sign}Ann", f"An{sign}n", f"Ann{sign}"):
        assert refusal(text)


def test_name_has_one_to_forty_characters_after_normalisation() -> None:
    assert clean_name("ﬁ" * 20) == "fi" * 20
    for text in ("", "x" * 41, "ﬁ" * 21, "ﷺ" * 3, "x" * 10**7):
        assert refusal(text)


@pytest.mark.parametrize("text", [" ", " Ann", "Ann ", "Ann  Lee", "Ann\u00a0\u2003Lee", "\u3000Ann"])
def test_spaces_are_single_and_between_words(text: str) -> None:
    assert refusal(text)


def test_other_spaces_become_the_plain_one() -> None:
    assert clean_name("Ann\u00a0Lee") == "Ann Lee"


def test_name_does_not_begin_with_a_combining_mark() -> None:
    assert refusal("\u0301Ann")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "aNN"),
        ("Ann", "Ａｎｎ"),
        ("Zoë", "zoe\u0308"),
        ("STRASSE", "straße"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("ﬁona", "Fiona"),
        ("K", "\u212a"),  # the sign for kelvin
    ],
)
def test_names_that_differ_only_in_spelling_are_one(one: str, other: str) -> None:
    assert folded(clean_name(one)) == folded(clean_name(other))


def test_different_names_stay_different() -> None:
    names = ["ann", "anne", "an n", "än", "an", "ann-", "ann."]
    assert len({folded(clean_name(name)) for name in names}) == len(names)


@given(st.text(max_size=50))
def test_any_text_is_a_clean_name_or_refused_with_a_code(text: str) -> None:
    try:
        name = clean_name(text)
    except Refusal as refused:
        assert refused.code is Code.BAD_REQUEST
        return
    assert 1 <= len(name) <= NAME_LENGTH_MAX
    assert clean_name(name) == name, "a kept name can be given again"
    assert len(folded(name)) <= FOLDED_LENGTH_MAX, "and the table has room for it"
    assert folded(folded(name)) == folded(name)
    name.encode()


def test_no_letter_folds_into_more_than_the_table_has_room_for() -> None:
    letters = (unicodedata.normalize("NFKC", chr(point)) for point in range(0x110000) if not 0xD800 <= point < 0xE000)
    assert all(len(folded(letter)) <= 2 * len(letter) for letter in letters if letter.casefold() != letter)
