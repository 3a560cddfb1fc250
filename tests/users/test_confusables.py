"""Homoglyph protection: names that look like other names are refused."""

import asyncio
import importlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, text

from casino.chat.word_filter import has_unwanted_word
from casino.errors import Code, Refusal
from casino.storage.database import BUSY_SECONDS, Database
from casino.storage.engines import engines_of
from casino.storage.migrate import migrate
from casino.storage.schema import users
from casino.storage.url import async_url
from casino.users.confusables import skeleton, verify_display_name, visual_key
from casino.users.names import NAME_LENGTH_MAX, cased, folded
from casino.users.roles import Role
from casino.users.users import NameTaken, Users
from tests.users.conftest import ADMIN, NOON_MS, UserStore

pytestmark = pytest.mark.req("CHT")


@pytest.mark.parametrize("name", ["Аnn", "pаypal", "Zoё K", "αnna", "Bоb", "Հarry", "Ꭺnn", "ЅаmЅ"])
def test_a_name_mixes_no_alphabets(name: str) -> None:
    with pytest.raises(Refusal, match="one alphabet") as refused:
        verify_display_name(name)
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize(
    "name",
    [
        "admin", "ADMIN", "Admin 2", "adm1n", "a.d.m.i.n", "a d m i n", "The Admin", "admin_77", "ádmin", "Dealer",
        "dea1er", "deaIer", "$upport", "support-team", "Casino", "CASIN0", "The Casino", "Casino Support", "admin1",
        "ѕуѕтем", "Croupier", "casin0 team", "C4SIN0 SUPP0RT", "CasinoSupport", "casinosupport", "THE_CASINO_TEAM",
        "Adm1n", "4dm1n", "adrnin", "Adm١n", "ＡＤＭＩＮ", "@dmin Bob", "Adm1n Bob", "Bob (Admin)", "A D M I N Bob",
        "Dealer Bo", "Bo Dealer", "DealerBo", "dealerbo", "bo_dealer", "7Dealer7", "Dealer!", "Admin4You",
        "Support Anna", "Bo $upport", "Manager Kim", "rnoderator", "m0derator 2", "Head Dealer Bo", "Cas1no Staff",
    ],
)  # fmt: skip
def test_names_of_the_house_cannot_be_registered(name: str) -> None:
    with pytest.raises(Refusal, match="one of our staff"):
        verify_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Jean-Luc O'Brien", "Łukasz 3", "李小龍", "Anna 李", "さくらサクラ桜", "スーパー", "김철수 Kim",
        "Ναυσικά", "Ирина", "علی", "💎", "Sara", "Сара", "x_X_x", "Badminton", "Supporter",
        "Casino Royale", "guest 5", "Ideal", "007", "Modern",
        "Zoë", "Williams", "Corner", "Warner", "Bernard", "Savvy", "Lily", "Illinois", "Staffan", "Staffordshire",
        "System of a Down", "I support Brøndby", "Security First", "Team Anna", "Help Desk", "Ad Minor", "La Casa",
        "Guest 7KQ2RN",
    ],
)  # fmt: skip
def test_other_names_are_fine(name: str) -> None:
    verify_display_name(name)


@pytest.mark.parametrize(("one", "other"), [("Capa", "Сара"), ("BOB", "ВОВ"), ("axe", "ахе"), ("KATE", "ΚΑΤΕ")])
def test_names_that_look_alike_in_two_alphabets_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


LOOK_ALIKES = [
    ("Bill", "BiII"), ("Bill", "Bi11"), ("Lisa", "1isa"), ("Otto", "0TT0"), ("Modern", "Modem"), ("Corner", "Comer"),
    ("Williams", "VVilliams"), ("Williams", "vvi11iarns"), ("Ol1ver", "0liver"), ("Вova", "B0va"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), LOOK_ALIKES)
def test_names_that_look_alike_in_one_alphabet_have_one_visual_key(one: str, other: str) -> None:
    assert visual_key(folded(one)) == visual_key(folded(other))
    assert visual_key(visual_key(folded(one))) == visual_key(folded(one))


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anne"), ("Corner", "Coner"), ("Player 10", "Player 11")])
def test_other_names_have_other_visual_keys(one: str, other: str) -> None:
    assert visual_key(folded(one)) != visual_key(folded(other))


@given(st.text(max_size=40))
def test_looking_alike_is_settled_at_the_first_look(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)
    assert len(skeleton(text)) == len(text)


async def test_the_second_of_two_names_that_look_alike_is_taken(user_store: UserStore) -> None:
    first = await user_store.add("Сара")
    for other in ("Capa", "САРА", "Сара"):
        with pytest.raises(NameTaken):
            await user_store.add(other)
    assert await user_store.named("сара") == first


async def test_a_name_kept_before_alphabets_were_compared_is_still_found_and_still_taken(user_store: UserStore) -> None:
    old = await user_store.add("Иван")
    async with user_store.database.writing() as connection:
        await connection.execute(users.update().where(users.c.id == old.id).values(name_folded=cased("Иван")))
    assert await user_store.named("ИВАН") == old
    async with user_store.database.writing() as connection:
        with pytest.raises(NameTaken):
            await Users(connection).add("иван", Role.PLAYER, "EUR", password_hash=None, by=ADMIN, at_ms=NOON_MS)


async def test_name_that_looks_like_another_is_taken_but_is_not_found_for_it(user_store: UserStore) -> None:
    """Neither credits nor sign-ins go to an account by a name that only looks like its name."""
    modern = await user_store.add("Modern Bill")
    for other in ("Modem Bill", "Modern BiII", "M0dern Bill"):
        with pytest.raises(NameTaken):
            await user_store.add(other)
        with pytest.raises(Refusal, match="no user"):
            await user_store.named(other)
    assert await user_store.named("MODERN bill") == modern


async def test_no_player_name_differs_from_a_staff_name_by_accents_or_signs_alone(user_store: UserStore) -> None:
    async with user_store.database.writing() as connection:
        await Users(connection).add("marta", Role.MANAGER, "EUR", password_hash=None, by=ADMIN, at_ms=NOON_MS)
    for name in ("márta", "Mar.ta", "mar_ta", "m a r t a", "m4rta", "M@rta", "mařta!", "marŧa", "«Marta»", "mar†a"):
        with pytest.raises(NameTaken):
            await user_store.add(name)
    for name in ("Martha", "Marta Lind", "Zoë", "Zoe"):
        await user_store.add(name)


async def test_staff_names_with_accents_and_signs_are_protected_too(user_store: UserStore) -> None:
    async with user_store.database.writing() as connection:
        for name in ("Max Lund", "Søren", "K.Hansen", "Fiona O'Brien", "한".ljust(NAME_LENGTH_MAX, "한")):
            await Users(connection).add(name, Role.MANAGER, "EUR", password_hash=None, by=ADMIN, at_ms=NOON_MS)
    for name in ("maxlund", "Max-Lund", "MaxIund", "Máx.Lúnd", "Soren", "s0ren", "k-hansen", "fiona.obrien"):
        with pytest.raises(NameTaken):
            await user_store.add(name)
    assert (await user_store.named("søren")).role is Role.MANAGER


async def test_no_staff_name_differs_from_a_player_by_accents_or_signs_alone(user_store: UserStore) -> None:
    """A player who was first could write under the name of the new member of staff."""
    await user_store.add("maxlund")
    async with user_store.database.writing() as connection:
        with pytest.raises(NameTaken):
            await Users(connection).add("Max Lund", Role.MANAGER, "EUR", password_hash=None, by=ADMIN, at_ms=NOON_MS)


async def test_only_one_of_many_look_alikes_at_once_gets_in(user_store: UserStore) -> None:
    names = ["Bill", "BiII", "Bi11", "BI1l", "B1ll"]
    added = await asyncio.gather(*map(user_store.add, names), return_exceptions=True)
    assert sum(isinstance(one, NameTaken) for one in added) == len(names) - 1


async def test_accounts_that_look_alike_already_keep_their_names_and_sign_in(empty_database_url: str) -> None:
    """Names of the version before: the oldest of those that look alike holds the visual key, and all are found."""
    database = Database(engines_of(async_url(empty_database_url), BUSY_SECONDS))
    async with database.writing() as connection:
        await migrate(connection, "0012")
        columns = "id, name, name_folded, role, currency, created_ms"
        for number, name in enumerate(("Modem", "Modern", "Ирина", "Bi11", "Bill")):
            kept = f"('{number}', '{name}', '{folded(name)}', 'player', 'EUR', {10 - number})"
            await connection.execute(text(f"INSERT INTO users ({columns}) VALUES {kept}"))  # noqa: S608
        await migrate(connection)
        found = (await connection.execute(select(users.c.name).where(users.c.name_visual.is_not(None)))).scalars()
        assert set(found) == {"Modern", "Ирина", "Bill"}
        people = Users(connection)
        for name in ("Modem", "modern", "ирина", "BI11", "bill"):
            assert folded((await people.named(name)).name) == folded(name)
        for name in ("Mοdem", "M0dern", "B1ll", "bill"):
            with pytest.raises(NameTaken):
                await people.add(name, Role.PLAYER, "EUR", password_hash=None, by=ADMIN, at_ms=NOON_MS)
    await database.close()


def test_migration_and_registration_agree_on_the_visual_key() -> None:
    migration = importlib.import_module("casino.storage.migrations.versions.0013_visual_names")
    for name in [name for pair in LOOK_ALIKES for name in pair] + ["a|b", "aǀb", "a∣b", "rrnn", "vvv"]:
        assert migration._visual_key(folded(name)) == visual_key(folded(name))


@pytest.mark.parametrize("line", ["fuсk you", "ѕhit", "ｆｕｃｋ", "f\u200buck"])
def test_an_insult_in_borrowed_letters_is_one(line: str) -> None:
    assert has_unwanted_word(unicodedata.normalize("NFKC", line).replace("\u200b", ""))
