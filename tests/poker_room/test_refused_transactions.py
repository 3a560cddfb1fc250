"""Transactions of one player that the database refuses, and keys that clients choose: no other player is concerned."""

import re
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from casino.errors import Code, Refusal
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import Join, JoinPool, Sit, TopUp
from casino.poker_room.seat_money import SeatMoney
from casino.security.spreadsheet_formulas import KEY_PATTERN
from casino.storage.database import Database
from casino.storage.poker_schema import poker_sittings
from casino.storage.tournament_schema import tournament_entries, tournament_purchases
from casino.wire import poker_client_events as wire
from tests.poker_room.running_room import POOL, Opened, sender

LONGEST = 58


def with_key(key: str) -> wire.Sit:
    return wire.Sit.model_validate({"table_id": "t", "amount": 1000, "key": key})


def test_every_key_that_clients_may_choose_can_be_stored() -> None:
    assert with_key(LONGEST * "k").key == LONGEST * "k"
    for model in (wire.JoinPool, wire.Sit, wire.TopUp):
        fields = {"pool": "nl10", "table_id": "t", "amount": 1000, "buy_in": 0, "key": (LONGEST + 1) * "k"}
        with pytest.raises(ValidationError, match="key"):
            model.model_validate({name: fields[name] for name in fields.keys() & model.model_fields.keys()})
    for table in (poker_sittings, tournament_entries, tournament_purchases):
        assert table.c.key.type.length >= len(LONGEST * "k" + "#8")  # type: ignore[attr-defined]


async def test_longest_key_buys_a_seat(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.ask(JoinPool(sender("dan"), POOL, 0, "reserve"))
    await room.ask(Sit(sender("dan"), table.terms.table_id, 1000, LONGEST * "k"))
    assert table.stacks["dan"] == 1000
    await room.checked()


class RefusingMoney:
    """A database that refuses every statement of one operation, such as for a value that is too long."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, money: SeatMoney, name: str) -> None:
        async def refuse(*_of: object) -> Any:  # noqa: ANN401
            raise DBAPIError("INSERT", {}, Exception("value too long"))

        monkeypatch.setattr(money, name, refuse)


async def test_buy_in_that_the_database_refuses_leaves_the_running_hand_alone(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise anybody who finds such a value voids the hands of others."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.ask(JoinPool(sender("dan"), POOL, 0, "reserve"))
    RefusingMoney(monkeypatch, room.room.money, "buy_in")
    with pytest.raises(Refusal) as refusal:
        await room.ask(Sit(sender("dan"), table.terms.table_id, 1000, "key"))
    assert refusal.value.code is Code.INTERNAL
    assert (table.phase, table.paused) == (Phase.PLAYING, None)
    monkeypatch.undo()
    assert (await room.join_pool("dan"))["status"] == "seated", "the seat is free again"
    await room.fold_out()
    await room.checked()


async def test_top_up_that_the_database_refuses_stops_no_table(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", buy_in=500)
    RefusingMoney(monkeypatch, room.room.money, "top_up")
    with pytest.raises(Refusal) as refusal:
        await room.ask(TopUp(sender("ann"), table.terms.table_id, 100, "key"))
    assert refusal.value.code is Code.INTERNAL
    assert table.paused is None
    await room.deal()
    await room.checked()


async def test_no_player_can_choose_the_key_of_a_sitting_that_the_house_begins(
    opened: Opened, database: Database
) -> None:
    """A player with that key at another table could not be moved: the chips would stay at the closed one."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    place = room.room.upkeep.desk._place_at(table, "ann")
    await room.room.money.move(place, table.terms.table_id, 6, room.clock())
    async with database.reading() as connection:
        query = select(poker_sittings.c.key).where(poker_sittings.c.moved == 1)
        key = (await connection.execute(query)).scalar_one()
    assert re.fullmatch(KEY_PATTERN, key) is None


async def test_nothing_is_remembered_of_players_who_have_left(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    with pytest.raises(Refusal):
        await room.ask(Join(sender("dan"), "no-such-table"))
    for name in ("ann", "bob", "cid"):
        await room.leave(name)
    assert not room.room.upkeep.desk._locks
