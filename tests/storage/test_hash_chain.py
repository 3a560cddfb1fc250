"""Hash chains: each link covers its row and all before it, and a head moves only from its known state."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.storage.database import Database
from casino.storage.hash_chain import EMPTY, GENESIS, ForkedChainError, Head, head_of, link, links, move_head

rows = st.lists(st.tuples(st.integers(0, 9), st.text(max_size=3)), max_size=5)


@given(rows, rows)
def test_two_histories_end_with_the_same_link_only_if_they_are_the_same(
    one: list[tuple[int, str]], other: list[tuple[int, str]]
) -> None:
    ends = [(links(EMPTY, history) or [GENESIS])[-1] for history in (one, other)]
    assert (ends[0] == ends[1]) == (one == other)


@given(rows, rows)
def test_links_go_on_where_the_last_one_ended(first: list[tuple[int, str]], then: list[tuple[int, str]]) -> None:
    begun = links(EMPTY, first)
    head = Head(len(first), begun[-1]) if begun else EMPTY
    assert links(EMPTY, first + then) == begun + links(head, then)


def test_fields_do_not_run_into_each_other() -> None:
    assert (
        len({link(GENESIS, fields) for fields in (("ab", "c"), ("a", "bc"), ("abc",), (1, 2), (12,), ("1", "2"))}) == 6
    )


async def test_chain_begins_empty_and_moves_by_transactions(database: Database) -> None:
    async with database.writing() as connection:
        assert await head_of(connection, "new") == await head_of(connection, "new", lock=True) == EMPTY
        first = EMPTY.moved((2, "a" * 64))
        await move_head(connection, "new", EMPTY, first)
        second = first.moved(first.end)  # a transaction that wrote no row moves the head as well
        await move_head(connection, "new", first, second)
    async with database.reading() as connection:
        assert await head_of(connection, "new") == second == Head(2, "a" * 64, 2)
        assert await head_of(connection, "other") == EMPTY


async def test_head_moves_only_from_where_it_is(database: Database) -> None:
    async with database.writing() as connection:
        await head_of(connection, "chain", lock=True)
        head = EMPTY.moved((1, "a" * 64))
        await move_head(connection, "chain", EMPTY, head)
        for stale in (EMPTY, head._replace(writes=0), head._replace(writes=2), head._replace(digest="b" * 64)):
            with pytest.raises(ForkedChainError, match="chain"):
                await move_head(connection, "chain", stale, head.moved((2, "c" * 64)))
        with pytest.raises(ForkedChainError):
            await move_head(connection, "no-such-chain", EMPTY, head)
        assert await head_of(connection, "chain") == head


async def test_of_many_writers_with_the_same_head_one_gets_through(database: Database) -> None:
    async with database.writing() as connection:
        await head_of(connection, "chain", lock=True)

    async def move(number: int) -> None:
        async with database.writing() as connection:
            await move_head(connection, "chain", EMPTY, EMPTY.moved((number, f"{number:064}")))

    outcomes = await asyncio.gather(*(move(number) for number in range(10)), return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["ForkedChainError"] * 9 + ["NoneType"]
