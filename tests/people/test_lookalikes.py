"""Which names pass for others, and that nobody gets one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.chat.unwanted import has_unwanted_word
from casino.errors import Code, Refusal
from casino.people.lookalikes import verify_own_name, with_twins
from casino.people.names import cased, folded
from casino.people.roles import Role
from casino.people.users import NameTaken, Users
from casino.storage.schema import users
from tests.people.conftest import ADMIN, NOON_MS, House

pytestmark = pytest.mark.req("CHT")


@pytest.mark.parametrize("name", ["Аnn", "pаypal", "Zoё K", "αnna", "Bоb", "Հarry", "Ꭺnn", "ЅаmЅ"])
def test_a_name_mixes_no_alphabets(name: str) -> None:
    with pytest.raises(Refusal, match="one alphabet") as refused:
        verify_own_name(name)
    assert refused.value.code is Code.BAD_REQUEST


@pytest.mark.parametrize(
    "name",
    [
        "admin", "ADMIN", "Admin 2", "adm1n", "a.d.m.i.n", "a d m i n", "The Admin", "admin_77", "ádmin", "Dealer",
        "dea1er", "deaIer", "$upport", "support-team", "Casino", "CASIN0", "The Casino", "Casino Support", "admin1",
        "ѕуѕтем", "Croupier",
    ],
)  # fmt: skip
def test_nobody_who_registers_sounds_like_the_house(name: str) -> None:
    with pytest.raises(Refusal, match="of the house"):
        verify_own_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Jean-Luc O'Brien", "Łukasz 3", "李小龍", "Anna 李", "さくらサクラ桜", "スーパー", "김철수 Kim",
        "Ναυσικά", "Ирина", "علی", "💎", "Sara", "Сара", "x_X_x", "Badminton", "Supporter",
        "Casino Royale", "guest 5", "Ideal", "007", "Modern",
        "Zoë",
    ],
)  # fmt: skip
def test_other_names_are_fine(name: str) -> None:
    verify_own_name(name)


@pytest.mark.parametrize(("one", "other"), [("Capa", "Сара"), ("BOB", "ВОВ"), ("axe", "ахе"), ("KATE", "ΚΑΤΕ")])
def test_names_that_look_alike_in_two_alphabets_are_one(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@given(st.text(max_size=40))
def test_looking_alike_is_settled_at_the_first_look(text: str) -> None:
    assert with_twins(with_twins(text)) == with_twins(text)
    assert len(with_twins(text)) == len(text)


async def test_the_second_of_two_names_that_look_alike_is_taken(house: House) -> None:
    first = await house.add("Сара")
    for other in ("Capa", "САРА", "Сара"):
        with pytest.raises(NameTaken):
            await house.add(other)
    assert await house.named("сара") == first


async def test_a_name_kept_before_alphabets_were_compared_is_still_found_and_still_taken(house: House) -> None:
    old = await house.add("Иван")
    async with house.database.writing() as connection:
        await connection.execute(users.update().where(users.c.id == old.id).values(name_folded=cased("Иван")))
    assert await house.named("ИВАН") == old
    async with house.database.writing() as connection:
        with pytest.raises(NameTaken):
            await Users(connection).add("иван", Role.PLAYER, "EUR", password_hash=None, by=ADMIN, at_ms=NOON_MS)


@pytest.mark.parametrize("line", ["fuсk you", "ѕhit", "ｆｕｃｋ", "f\u200buck"])
def test_an_insult_in_borrowed_letters_is_one(line: str) -> None:
    assert has_unwanted_word(unicodedata.normalize("NFKC", line).replace("\u200b", ""))
