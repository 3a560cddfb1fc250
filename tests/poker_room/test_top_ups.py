"""Top-ups with idempotency keys: the chips of a seat always equal its account."""

import asyncio
from typing import Any

import pytest

from casino.errors import Code, Refusal
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import AutoTopUp, JoinPool, Message, Sit, TopUp
from tests.poker_room.running_room import POOL, Opened, sender


async def test_automatic_top_up_under_a_key_the_player_has_used_adds_no_chips(opened: Opened) -> None:
    """The player guesses the key of the house. A repeated key moves no money, so no chips may appear on the table."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    table_id = table.terms.table_id
    await room.give_chips(table, "ann", "bob", 300)
    await room.ask(TopUp(sender("ann"), table_id, 300, f"auto:{table_id}-1"))
    await room.ask(AutoTopUp(sender("ann"), table_id, is_on=True))
    await room.give_chips(table, "ann", "bob", 300)
    await room.deal()
    await room.fold_out()
    await room.checked()
    assert table.stacks["ann"] == 1000, "and the automatic top-up is made all the same"


async def test_chips_on_the_table_are_those_of_the_account_after_a_repeated_key(opened: Opened) -> None:
    """Whatever the key stands for: the answer of the ledger decides what is on the table."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.give_chips(table, "ann", "bob", 300)
    await room.ask(TopUp(sender("ann"), table.terms.table_id, 300, "again"))
    await room.give_chips(table, "ann", "bob", 300)
    table.occupants["ann"].is_moving_money = True
    await room.room.upkeep.desk._add(table, "ann", 300, "again")
    await room.checked()


async def test_a_top_up_and_the_automatic_one_at_the_same_time_never_move_chips_in_a_hand(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hand ends before the player is answered; then the database is slow, and the next hand is due."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid", auto_top_up=True)
    await room.give_chips(table, "ann", "bob", 300)
    await room.deal()
    money, slow = room.room.money, asyncio.Event()
    available, post = money.available, money.top_up

    async def waiting(player_id: str) -> int:
        await slow.wait()
        return await available(player_id)

    async def posted(*of: Any) -> Any:  # noqa: ANN401
        result = await post(*of)
        slow.clear()
        return result

    monkeypatch.setattr(money, "available", waiting)
    monkeypatch.setattr(money, "top_up", posted)
    reply = room.room.post(TopUp(sender("ann"), table.terms.table_id, 100, "now"), room.clock())
    while table.phase is Phase.PLAYING:
        await room.act("fold", settle=False)
    while table.phase is not Phase.WAITING:  # noqa: ASYNC110  until the hand is stored
        await asyncio.sleep(0.001)
    slow.set()
    assert (await reply)["after_hand"], "the chips come with those that are about to be added"
    room.clock.now_ms += 3_000
    room.room.upkeep.deadlines.run_due()
    slow.set()
    await room.settle()
    assert table.paused is None
    await room.checked()


@pytest.mark.parametrize("amount", [200, 400])
async def test_a_key_stands_for_one_top_up(opened: Opened, amount: int) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", buy_in=500)
    table_id = table.terms.table_id
    await room.ask(TopUp(sender("ann"), table_id, 300, "k"))
    with pytest.raises(Refusal) as refusal:
        await room.ask(TopUp(sender("ann"), table_id, amount, "k"))
    assert refusal.value.code == Code.KEY_REUSED
    await room.ask(TopUp(sender("ann"), table_id, 100, "other"))
    assert (await room.ask(TopUp(sender("ann"), table_id, 300, "k")))["stack"] == 900
    with pytest.raises(Refusal) as refusal:
        await room.ask(TopUp(sender("ann"), table_id, 200, "k"))
    assert refusal.value.code == Code.KEY_REUSED
    await room.checked()


async def test_a_key_stands_for_one_top_up_that_waits_for_the_end_of_a_hand(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", buy_in=500)
    table_id = table.terms.table_id
    await room.deal()
    first = await room.ask(TopUp(sender("ann"), table_id, 300, "k"))
    assert await room.ask(TopUp(sender("ann"), table_id, 300, "k")) == first
    with pytest.raises(Refusal) as refusal:
        await room.ask(TopUp(sender("ann"), table_id, 400, "k"))
    assert refusal.value.code == Code.KEY_REUSED
    await room.fold_out()
    assert sum(table.stacks.values()) == 1800
    await room.checked()


async def test_a_refused_top_up_may_be_corrected_under_its_key(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", buy_in=500)
    with pytest.raises(Refusal) as refusal:
        await room.ask(TopUp(sender("ann"), table.terms.table_id, 501, "k"))
    assert refusal.value.code == Code.ABOVE_MAXIMUM
    assert (await room.ask(TopUp(sender("ann"), table.terms.table_id, 500, "k")))["stack"] == 1000


async def test_a_key_stands_for_one_buy_in(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    dan = sender("dan")
    assert (await room.ask(JoinPool(dan, POOL, 800, "k")))["status"] == "seated"
    others: list[Message] = [
        JoinPool(dan, POOL, 900, "k"),
        JoinPool(dan, "nl50:EUR", 800, "k"),
        Sit(dan, table.terms.table_id, 900, "k"),
    ]
    for other in others:
        with pytest.raises(Refusal) as refusal:
            await room.ask(other)
        assert refusal.value.code == Code.KEY_REUSED
    assert (await room.ask(JoinPool(dan, POOL, 800, "k")))["stack"] == 800
    assert await room.room.money.available("dan") == 999_200
