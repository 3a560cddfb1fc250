"""Chat message filter, as a table of inputs and results."""

import pytest

from casino.chat.message_filter import LINE_LENGTH_MAX, clean_line, normalized, verify_clean_name
from casino.chat.message_log import LINES_KEPT, SAME_AGAIN_MS, Line, MessageLog
from casino.chat.word_filter import LANGUAGES, _listed, has_unwanted_word
from casino.errors import Code, Refusal

pytestmark = pytest.mark.req("CHT")

SHOWN = {
    "Good evening": "Good evening",
    "  two   spaces  ": "two spaces",
    "ｆｕｌｌ　ｗｉｄｔｈ": "full width",
    "ﬁne": "fine",
    "one\r\ntwo\tthree": "one two three",
    "left\u202eright": "leftright",
    "ze\u200bro\u200d wi\ufeffdth": "zero width",
    "nul\x00 and bell\x07": "nul and bell",
    "lone \ud800 surrogate": "lone surrogate",
    "soft\u00adhyphen": "softhyphen",
    "cafe\u0301": "café",
    "cafe\u200b\u0301": "café",
    "<img src=x onerror=alert(1)>": "<img src=x onerror=alert(1)>",  # rendered as text only
    "=HYPERLINK()": "=HYPERLINK()",
    "../../secret": "../../secret",
    "Held og lykke, æøå": "Held og lykke, æøå",
    "Bonne chance à tous !": "Bonne chance à tous !",
    "GG 👍": "GG 👍",
    "Vive la 🇫🇷": "Vive la 🇫🇷",
    "That was great. App is slow. So, come on": "That was great. App is slow. So, come on",
    "Всем удачи": "Всем удачи",
    "Καλή τύχη": "Καλή τύχη",
    "a b c, 1 2 3": "a b c, 1 2 3",
    "3.50, or 4.20? e.g. ok.then": "3.50, or 4.20? e.g. ok.then",
    "Scunthorpe and shitake, 455 times": "Scunthorpe and shitake, 455 times",
    "x" * LINE_LENGTH_MAX: "x" * LINE_LENGTH_MAX,
    "x" * LINE_LENGTH_MAX + "\u200b" * 50: "x" * LINE_LENGTH_MAX,
}

REFUSED = [
    "\u200b",
    "\x00\x01",
    " \r\n ",
    "\u3164",
    "x" * (LINE_LENGTH_MAX + 1),
    "ﬃ" * 67,  # one sign, but three letters each
    "x" + "\u200b" * (2 * LINE_LENGTH_MAX),  # short once cleaned, but too long to be cleaned
    "x" + "\ufdfa" * (2 * LINE_LENGTH_MAX - 1),  # eighteen letters each
    "example.test/x",
    "see a-b.c-d.e/",
    "例。えx/",
    "see http://example.com",
    "HTTPS://EXAMPLE.COM/x",
    "www.example.test",
    "look at example.com",
    "example.co.uk is mine",
    "t.me/example",
    "mail me@example.org",
    "ｅｘａｍｐｌｅ．ｃｏｍ",
    "exam\u200bple.com",
    "example . com",
    "example. com",
    "example dot com",
    "example (dot) com",
    "example[.]com",
    "example·com",
    "e x a m p l e . c o m",
    "еxаmple.соm",  # four Cyrillic letters
    "example.c0m",
    "www example com",
    "http:example",
    "10.0.0.1:8080",
    "example.bet",
    "ᴇxᴀᴍᴘʟᴇ.ᴄᴏᴍ",
    "fuсk",  # a Cyrillic letter
    "ꜰᴜᴄᴋ",
    "🅵🆄🅲🅺",
    "fսck",  # an Armenian one
    "fuck",
    "What the FUCK!",
    "fuuuuuck",
    "f u c k",
    "f.u.c.k you",
    "f_u_c_k",
    "$h1t",
    "ｓｈｉｔ",
    "s\u200bhit",
    "lort",
    "enculé",
    "ENCULE",
]


@pytest.mark.parametrize(("said", "shown"), SHOWN.items())
def test_message_is_shown_without_invisible_characters(said: str, shown: str) -> None:
    assert clean_line(said, "en") == shown


@pytest.mark.parametrize("said", REFUSED)
def test_message_is_refused_entirely_and_never_truncated(said: str) -> None:
    with pytest.raises(Refusal) as refused:
        clean_line(said, "en")
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize("said", ["\ufdfa" * 1900, "a" + "\u0301\u0323" * 900, "x" * (2 * LINE_LENGTH_MAX + 1)])
def test_long_message_is_refused_before_it_is_normalised(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.chat.message_filter.unicodedata", None)
    with pytest.raises(Refusal) as refused:
        clean_line(said, "en")
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize(("word", "ordinary_in"), [("slut", "da"), ("fag", "da"), ("retard", "fr"), ("retards", "fr")])
def test_ordinary_word_of_the_tables_language_is_fine_there_and_nowhere_else(word: str, ordinary_in: str) -> None:
    assert not has_unwanted_word(word, ordinary_in)
    assert all(has_unwanted_word(word, language) for language in LANGUAGES if language != ordinary_in)
    assert has_unwanted_word(word), "a name has no language"
    assert has_unwanted_word(word, "xx")


def test_words_of_every_language_are_found_at_every_table() -> None:
    for language in LANGUAGES:
        words = [word for word in _listed(language) if not word.startswith("-")]
        assert len(words) > 20
        others = {word[1:] for name in LANGUAGES for word in _listed(name) if word.startswith("-")}
        for word in set(words) - others:
            assert all(has_unwanted_word(f"you {word.upper()}, you", table) for table in LANGUAGES), word


@pytest.mark.parametrize("name", ["Fuck You", "xX_shit_Xx", "example.com", "Slut"])
def test_name_goes_through_the_same_filter(name: str) -> None:
    with pytest.raises(Refusal):
        verify_clean_name(name)


@pytest.mark.parametrize("name", ["Ann", "Dr. No", "Åse Müller", "player_7"])
def test_decent_name_stays(name: str) -> None:
    verify_clean_name(name)


def said(text: str, at_ms: int = 0, player_id: str | None = "p-1") -> Line:
    return Line("uth-1", "Ann", "player", text, at_ms, player_id)


def test_repeated_message_is_refused_in_any_spelling() -> None:
    talk = MessageLog()
    talk.add(said("Good luck"))
    for again in ("Good luck", "good  LUCK!", "...good luck..."):
        with pytest.raises(Refusal) as refused:
            talk.add(said(again, 1))
        assert refused.value.code is Code.BAD_REQUEST
    talk.add(said("Good luck", 2, player_id="p-2"))
    talk.add(said("Good luck", 3, player_id=None))
    talk.add(said("Good luck", 4, player_id=None))
    talk.add(said("Something else", 5))
    talk.add(said("Good luck", 6))
    talk.add(said("Good luck", 6 + SAME_AGAIN_MS))
    assert normalized("!!") != normalized("??")


def test_recent_messages_are_kept_and_only_consoles_get_their_authors() -> None:
    talk = MessageLog()
    for number in range(LINES_KEPT + 5):
        talk.add(said(f"Line {number}", number))
    assert [line.at_ms for line in talk.lines] == list(range(5, LINES_KEPT + 5))
    line = talk.lines[0]
    message = {"table_id": "uth-1", "from": "Ann", "role": "player", "text": "Line 5", "at": 5}
    assert line.for_players() == message | {"code": None}
    assert line.for_hosts() == line.for_players() | {"player_id": "p-1"}
