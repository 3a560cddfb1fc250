"""Entries and the player's own limits, and rebuys asked for in the middle of a hand."""

from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.poker.betting import Action
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import ActInHand
from casino.poker_room.tournament.messages import BuyChips, RegisterEntry, UnregisterEntry
from casino.storage.database import Database
from casino.storage.schema import play_days
from tests.poker_room.running_room import sender
from tests.poker_room.test_seat_money import limit_losses
from tests.poker_room.tournament_house import HouseOpened

FIVE, TWO = "sng-5-1000-eur", "sng-2-1000-eur"


async def test_an_open_entry_is_at_risk_and_counts_when_it_ends(house: HouseOpened, database: Database) -> None:
    game = await house(seed=8)
    await limit_losses(database, "p1", 1500)
    duel, other = game.sit_and_go(TWO), game.sit_and_go(FIVE)
    [entry] = await game.register(duel, "p1")
    try:
        await game.ask(RegisterEntry(sender("p1"), other.tournament_id, "second"))
    except Refusal as refusal:
        assert refusal.code is Code.LIMIT_REACHED
    else:
        raise AssertionError("the second entry is above the limit")
    await game.ask(UnregisterEntry(sender("p1"), entry, "back"))
    await game.register(duel, "p1", "p2")
    state = await game.play_out(duel)
    assert state.entries
    async with database.reading() as connection:
        query = select(play_days.c.staked, play_days.c.returned).where(play_days.c.player_id == "p1")
        [played] = [tuple(row) for row in await connection.execute(query)]
    balances = await game.checked()
    assert played == (1000, 1000 + balances["player:p1:cash"] - 1_000_000)


async def test_a_rebuy_asked_for_in_a_hand_is_made_after_it(house: HouseOpened) -> None:
    game = await house(seed=9)
    running = await game.announce(structure="regular", rebuy={"levels": 2}, late_levels=0)
    await game.register(running, "p1", "p2", "p3")
    await game.advance(600_000)
    await game.play(lambda: running.tables[1].phase is Phase.PLAYING)
    table = running.tables[1]
    assert table.live is not None
    hand = table.live.hand
    folding = hand.seats[hand.pending[0]].player_id
    message = BuyChips(sender(folding), running.tournament_id, "more", is_add_on=False)
    assert (await game.ask(message))["stack"] == 5000, "not before the hand is over"
    for _ in range(2):
        to_act = table.live.hand.seats[table.live.hand.pending[0]].player_id
        act = ActInHand(sender(to_act), table.terms.table_id, hand.hand_id, table.live.hand.turn, Action.FOLD)
        await game.ask(act)
    assert table.hand_no == 1
    chips = {entry.player_id: entry.chips for entry in running.state.entries.values()}
    assert chips[folding] == table.seats.seats[folding].stack == 10_000
    assert running.state.pool == 4 * 900
    await game.checked()
    await game.verified()
