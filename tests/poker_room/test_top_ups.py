"""Top-ups with idempotency keys: the chips of a seat always equal its account."""

from casino.poker_room.messages import AutoTopUp, TopUp
from tests.poker_room.running_room import Opened, sender


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
