"""Password policy: common, trivial, short and name-based passwords are refused, others are not."""

import asyncio
from random import Random

import pytest

from casino.errors import Code, Refusal
from casino.users import password_policy
from casino.users.password_policy import common_words, verify_new_password
from casino.users.passwords import PASSWORD_LENGTH_MAX, Passwords
from casino.users.roles import Role

pytestmark = pytest.mark.req("SEC-1")


def is_weak(password: str, name: str = "Petra", role: Role = Role.PLAYER) -> bool:
    try:
        verify_new_password(password, name=name, role=role)
    except Refusal as refusal:
        assert refusal.code is Code.WEAK_PASSWORD
        return True
    return False


COMMON = (
    "password", "Password1", "PASSW0RD!", "p@ssw0rd", "password2024!", "drowssap", "letmein1", "iloveyou", "trustno1",
    "Liverpool1", "football", "dragondragon", "!!monkey!!", "adgangskode", "motdepasse", "kærlighed", "superman1",
    "starwars", "sunshine", "princess", "Charlotte99", "correcthorsebatterystaple", "ｐａｓｓｗｏｒｄ",
)  # fmt: skip


@pytest.mark.parametrize("password", COMMON)
def test_common_passwords_and_their_variants_are_refused(password: str) -> None:
    assert is_weak(password)


@pytest.mark.parametrize(
    "password",
    [
        "p-a-s-s-w-o-r-d", "p a s s w o r d", "p--a--s--s--w--o--r--d", "p.a-s_s w+o*r/d", "secret password 1",
        "mot de passe", "l-e-t-m-e-i-n-1", "d-r-o-w-s-s-a-p", "p@-s$-w0-rd", "--------password--------",  # separators
        "pass\u200bword", "p\u200da\u2060ssword", "pássw\u00f6rd", "p\u0336a\u0336s\u0336s\u0336w\u0336ord",  # unseen
        "pаsswоrd", "ｐａｓｓｗｏｒｄ１", "ⓟⓐⓢⓢⓦⓞⓡⓓ", "🅿🅰🆂🆂🆆🅾🆁🅳", "passvvord", "passw٠rd", "password١٢٣",  # look-alikes
        "passwordpassword", "password-password-password", "drag0n dragon", "letmeinletmein99",  # repeated
    ],
    ids=ascii,
)  # fmt: skip
def test_common_password_in_disguise_is_refused(password: str) -> None:
    assert is_weak(password)


@pytest.mark.parametrize(
    "password",
    ["aaaaaaaa", "abababab", "abcabcabc", "12341234", "12345678", "87654321", "qwertyuiop", "azertyuiop", "asdfghjkl",
     "1q2w3e4r5t", "1qaz2wsx", "abcdefgh", "qwerty12", "abcd1234", "aaaabbbb", "19871225", "25.12.1987", "1987-12-25"],
)  # fmt: skip
def test_sequences_repetitions_and_dates_are_refused(password: str) -> None:
    assert is_weak(password)


@pytest.mark.parametrize(
    "password",
    ["1-2-3-4-5-6-7-8", "１２３４５６７８", "١٢٣٤٥٦٧٨", "①②③④⑤⑥⑦⑧", "a.b.c.d.e.f.g.h", "abc-abc-abc-abc",
     "abcabcabcabc", "2-5-1-2-1-9-8-7", "q_w_e_r_t_y_u_i", "tdu9vtdu9v", "tdu9v-tdu9v-tdu9v"],
    ids=ascii,
)  # fmt: skip
def test_sequence_in_disguise_is_refused(password: str) -> None:
    assert is_weak(password)


@pytest.mark.parametrize(
    "password",
    ["112233445566", "11-22-33-44-55-66", "111222333444", "aabbccddeeff", "665544332211", "1122334455667788",
     "a1b2c3d4e5f6", "1a2b3c4d5e6f", "010203040506", "101112131415", "123abc456def", "qweasdzxc123", "147258369147",
     "135791357924", "314159265358", "198719901987", "1223334444555", "xxyyqqrrkkzz",
     "tdu9vtdu9vtdu"],
)  # fmt: skip
@pytest.mark.parametrize("role", [Role.PLAYER, Role.MANAGER])
def test_doubled_and_interleaved_runs_are_refused(password: str, role: Role) -> None:
    assert is_weak(password, role=role)


@pytest.mark.parametrize(
    "password",
    ["passworđ", "ƥassword", "paʂsword", "paßword", "passwørd", "pаꜱsшord", "ꓑꓮꓢꓢꓪꓳꓣꓓ", "ᏢᎪᏚᏚᏔord",
     "łetmein1", "đragon12"],
    ids=ascii,
)  # fmt: skip
def test_letters_that_resemble_others_are_no_disguise(password: str) -> None:
    assert is_weak(password)


@pytest.mark.parametrize(
    "password",
    ["ilovecasino12", "velkommen1234", "bienvenue2026", "Efterår2026!!", "hemmelighed12", "CasinoRoyale1",
     "bankroll2026", "supervisor123", "casino4life12",
     "verysecret123", "thisismypass1", "пароль123456", "пароль пароль"],
)  # fmt: skip
def test_words_of_the_house_and_its_languages_are_refused(password: str) -> None:
    assert is_weak(password, role=Role.MANAGER)


@pytest.mark.parametrize(
    "password",
    ["0okm9ijn8uhb", "5tgb6yhn7ujm", "qwertyйцукен", "йцукенгшщзхъ", "161803398874", "141421356237", "01.01.2000xx",
     "!\"#$%&'()*+,"],
    ids=ascii,
)  # fmt: skip
def test_other_walks_numbers_and_dates_are_refused(password: str) -> None:
    assert is_weak(password, role=Role.MANAGER)


OWN_NAME_JOINED = [
    ("marta", "managermarta"), ("marta", "martamanager"), ("marta", "Manager.Marta"), ("marta", "m4rta-the-manager"),
    ("marta", "marta2024manager"), ("marta", "casino marta casino"), ("marta", "marta-password"),
    ("marta", "sunshinemarta"), ("Márta", "presentermarta"), ("marta", "mаrtа.croupier"),
    ("marta", "martaspassword"), ("marta", "password.for.marta"), ("marta", "my-name-is-marta"),
    ("marta", "marta@casino.com"), ("Marta Lind", "marta-finance"), ("Bo", "administratorbo"),
    ("Marta Lind", "lindmartalind"), ("marta", "xxmartaxx1234"), ("marta", "supermarta123"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "password"), OWN_NAME_JOINED, ids=ascii)
def test_own_name_with_a_common_or_a_role_word_is_no_password(name: str, password: str) -> None:
    with pytest.raises(Refusal, match="isn't your name"):
        verify_new_password(password, name=name, role=Role.MANAGER)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.MANAGER])
@pytest.mark.parametrize(
    "password",
    ["petra123456789", "123456789petra", "petra20261118", "password123456789", "1234567890password", "welcome20261118",
     "petra!!!!!!!!!", "a123456789012"],
)  # fmt: skip
def test_long_sequences_next_to_a_word_are_refused(password: str, role: Role) -> None:
    assert is_weak(password, role=role)


@pytest.mark.parametrize(
    "password",
    ["qwertypassword", "passwordqwerty", "dragonmonkey1", "password1password2", "my-secret-password", "thepassword123",
     "password123password456", "monkey123dragon456", "Casino2026!Casino", "sunshine4dragon"],
)  # fmt: skip
def test_two_common_words_are_no_password(password: str) -> None:
    assert is_weak(password, role=Role.MANAGER)


@pytest.mark.parametrize("password", ["casinomanager", "the-casino-admin", "headcroupier", "dealerdealer1"])
def test_words_for_staff_are_no_password(password: str) -> None:
    assert is_weak(password, role=Role.MANAGER)


@pytest.mark.parametrize(
    "password",
    [
        "marta saw nine herons",
        "managers of quiet rivers",
        "unit_of_work balloons",
        "anniversary geese",
        "the heron in the rain",
        "dragon monkey shadow",
        "to the lighthouse at ten",
    ],
)
def test_sentences_with_such_words_are_fine(password: str) -> None:
    for name in ("marta", "Ann", "Bo"):
        assert not is_weak(password, name=name, role=Role.MANAGER)


def test_repetition_counts_once_for_the_length() -> None:
    assert not is_weak("tdu9vk2x tdu9vk2x")
    assert is_weak("tdu9vk2x tdu9vk2x", role=Role.MANAGER), "eight characters are too few for staff"


@pytest.mark.parametrize("password", ["Maximilien", "maximilien1", "neilimixam", "1maximilien!", 2 * "maximilien"])
def test_a_persons_name_is_no_password(password: str) -> None:
    assert is_weak(password, name="Maximilien")
    assert not is_weak("sommerens blå time", name="Maximilien")


@pytest.mark.parametrize(
    "password",
    ["secret garden gate 1", "correct horse battery", "a long password", "another secret", "tdu9vk2x",
     "blåbærgrød til to", "un café crème svp", "dragon 8374928374", "zebra window lamp", "\x00\n\u202e💥 'DROP\"",
     "d8#kq!x)",
     "dragon#%&/()=?!", "💥🎲♠😀🃏🎰x🎯", "тихая ночь над рекой", "今日はいい天気ですね", "नमस्ते दुनिया"],
)  # fmt: skip
def test_other_passwords_need_no_classes_of_characters(password: str) -> None:
    assert not is_weak(password)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.ADMIN])
@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("Maximilien", "m-a-x-i-m-i-l-i-e-n"), ("Maximilien", "Max1m1l1en.2024"), ("Maximilien", 3 * "maximilien"),
        ("Maximilien", "mаximiliеn 77"), ("Maximilien", "n.e.i.l.i.m.i.x.a.m"), ("Anna Lindqvist", "anna-lindqvist-24"),
        ("Anna Lindqvist", "a_n_n_a lindqvist"), ("José-Luis Vega", "joseluisvega!"),
        ("j.o.h.a.n.n.a", "Johanna Johanna"),
        ("𝕁𝕠𝕙𝕒𝕟𝕟𝕒", "johanna12345"),
    ],
    ids=ascii,
)  # fmt: skip
def test_own_name_in_disguise_is_no_password(name: str, password: str, role: Role) -> None:
    with pytest.raises(Refusal, match="isn't your name"):
        verify_new_password(password, name=name, role=role)


def test_longer_passwords_are_refused_before_they_are_reduced(monkeypatch: pytest.MonkeyPatch) -> None:
    """One character may become eighteen, so the length is bounded first."""
    monkeypatch.setattr(password_policy, "plain_letters", None)
    with pytest.raises(Refusal) as refused:
        verify_new_password("\ufdfa" * (PASSWORD_LENGTH_MAX + 1), name="Petra", role=Role.PLAYER)
    assert refused.value.code is Code.BAD_REQUEST


def test_only_the_password_as_typed_signs_in() -> None:
    """The reduced form is for the check alone."""
    assert not is_weak("Zebra-Window-Lamp")
    hasher = Passwords()
    try:
        stored = asyncio.run(hasher.hash("Zebra-Window-Lamp"))
        assert asyncio.run(hasher.matches("Zebra-Window-Lamp", stored))
        assert not asyncio.run(hasher.matches("zebrawindowlamp", stored))
    finally:
        hasher.close()


def test_random_passwords_are_accepted() -> None:
    """The policy refuses about one of 10,000 random texts, so the sample is always the same."""
    chance = Random(1)
    refused = sum(is_weak(chance.randbytes(8).hex(), role=Role.ADMIN) for _ in range(2_000))
    assert refused <= 1
    numbers = ("".join(chance.choices("0123456789", k=16)) for _ in range(1_500))
    assert sum(is_weak(number, role=Role.ADMIN) for number in numbers) <= 2, "parts of constants are in every number"


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PLAYER])
def test_staff_need_twelve_characters(role: Role) -> None:
    assert is_weak("tdu9vk2xq7m", role=role)
    assert not is_weak("tdu9vk2xq7mz", role=role)
    assert not is_weak("tdu9vk2x", role=Role.PLAYER)
    assert is_weak("tdu9vk2", role=Role.PLAYER)


def test_the_deny_list_is_long_and_in_the_form_it_is_looked_up() -> None:
    words = common_words()
    assert len(words) > 3_000
    assert all(word == word.casefold() for word in words)


def test_longest_password_of_small_words_is_checked_at_once() -> None:
    """The work grows with the length of the password, not with its square."""
    looked_up = 0

    class Counting(frozenset[str]):
        def __contains__(self, item: object) -> bool:
            nonlocal looked_up
            looked_up += 1
            return super().__contains__(item)

    text = "the" * 85
    assert password_policy._common_words_in(text, Counting(), words_max=2) == frozenset()
    common = Counting(password_policy._common_keys())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(password_policy, "_common_keys", lambda: common)
        password_policy._common_words_in(text + "x", words_max=2)
    assert looked_up <= len(text) * password_policy._WORD_LENGTH_MAX
