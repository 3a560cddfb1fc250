"""The poker room over messages, on virtual time and real databases: seats, the start rule, whole hands, leaving."""

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.poker.betting import Action
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import (
    ActInHand,
    Exclude,
    FollowLobby,
    Join,
    JoinPool,
    LeavePool,
    ShowCards,
    TopUp,
    ViewFloor,
    ViewLobby,
    WaitForBigBlind,
)
from casino.storage.database import Database
from casino.storage.poker_schema import poker_shown_cards
from tests.poker_room.running_room import POOL, Opened, published, sender
from tests.poker_room.stored_tables import balances_of

BANZAI = "banzai-nl1:EUR"


async def test_three_players_open_a_table_and_play_a_hand(opened: Opened) -> None:
    room = await opened()
    assert await room.join_pool("ann") == {"status": "queued", "pool": POOL, "place": 1, "missing": 2}
    assert await room.join_pool("bob") == {"status": "queued", "pool": POOL, "place": 2, "missing": 1}
    table = await room.sit("cid")
    assert sorted(table.occupants) == ["ann", "bob", "cid"]
    for name in ("ann", "bob"):
        await room.come_back(name)
    await room.deal()
    assert room.clock.now_ms - table.occupants["cid"].since_ms == 3_000
    await room.play_checking()
    assert table.hand_no == 1
    await room.checked()
    assert table.live is not None
    assert sum(table.stacks.values()) == 3000 - table.live.hand.rake
    kinds = [step["kind"] for step in room.sent.steps()]
    assert kinds.count("board") == 3
    assert kinds[-1] == "settled"
    sequence = [payload["seq"] for name, payload in room.sent.public if name in {"hand", "step"}]
    assert sequence == list(range(1, len(sequence) + 1))


async def test_each_player_receives_only_the_own_cards_and_result(opened: Opened) -> None:
    room = await opened("As Kd 2c Ah Kc 3d 4h 5h 9s Ts Jd")
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    assert table.live is not None
    for name in table.occupants:
        received = room.sent.received[table.occupants[name].connections[0]]
        cards = [payload["cards"] for kind, payload in received if kind == "cards"]
        assert cards == [list(table.live.hole(name))]
    await room.fold_out()
    results = {
        name: [
            payload for kind, payload in room.sent.received[table.occupants[name].connections[0]] if kind == "hand_over"
        ]
        for name in table.occupants
    }
    assert sum(result["net"] for [result] in results.values()) == 0
    for [result] in results.values():
        assert len(result["proofs"]) == 2  # own cards only: nothing else was seen
        assert result["available"] == 999_000


async def test_the_result_is_published_after_it_is_stored(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("fold")
    player_id = room.to_act()
    assert player_id is not None
    assert table.live is not None
    hand = table.live.hand
    reply = room.room.post(
        ActInHand(sender(player_id), table.terms.table_id, hand.hand_id, hand.turn, Action.FOLD), room.clock()
    )
    assert reply.result() == {"turn": hand.turn, "paid": 0, "stack": 995}
    assert table.phase is Phase.STORING
    assert [step["kind"] for step in room.sent.steps()][-1] == "acted"
    snapshot = await room.room.ask(Join(sender("ann"), table.terms.table_id))
    assert snapshot["hand"]["status"] == "playing"
    assert table.hand_no == 0
    await room.settle()
    assert [step["kind"] for step in room.sent.steps()][-1] == "settled"
    assert table.hand_no == 1


async def test_a_table_plays_one_hand_with_two_after_a_hand_with_three(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.sit_out("cid")
    await room.fold_out()
    await room.deal()
    assert table.live is not None
    assert len(table.live.hand.seats) == 2
    await room.fold_out()
    assert table.next_hand_at is None
    await room.advance(30_000)
    assert table.phase is Phase.WAITING
    await room.sit_out("cid", on=False)
    await room.deal()
    await room.checked()


async def test_a_newcomer_waits_for_the_big_blind_or_posts(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.sit("dan", wait_for_bb=False)
    assert table.live is not None
    assert "dan" not in [seat.player_id for seat in table.live.hand.seats]
    await room.fold_out()
    own = room.sent.to_players["dan"][-1][1]
    assert (own["state"], own["owes"]) == ("waiting", 10)
    for _ in range(2):
        await room.deal()
        assert table.live is not None
        dealt = [seat.player_id for seat in table.live.hand.seats]
        if "dan" in dealt:
            break
        await room.fold_out()
    assert "dan" in dealt
    await room.fold_out()
    await room.checked()


async def test_sitting_out_is_for_all_tables_and_ends_with_removal(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    for name in ("ann", "dan", "eve"):
        await room.join_pool(name, 5000, "nl50:EUR")
    assert len([table for table in room.room.tables if "ann" in table.occupants]) == 2
    out = await room.sit_out("ann", table=room.table_of("bob").terms.table_id)
    assert out == {"sitting_out": True, "until": room.clock.now_ms + 500_000}
    assert all(table.seats.seats["ann"].sits_out for table in room.room.tables if "ann" in table.occupants)
    await room.advance(499_000)
    assert len([table for table in room.room.tables if "ann" in table.occupants]) == 2
    await room.advance(2_000)
    assert not [table for table in room.room.tables if "ann" in table.occupants]
    removals = [
        payload for name, payload in room.sent.to_players["ann"] if name == "seat" and payload["state"] == "gone"
    ]
    assert [payload["reason"] for payload in removals] == ["removed", "removed"]
    assert await room.room.money.available("ann") == 1_000_000
    await room.checked()


async def test_sitting_out_at_one_table_ends_after_ten_minutes(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", "dan")
    await room.sit_out("ann")
    await room.advance(600_000)
    assert "ann" in table.occupants
    await room.advance(1)
    assert "ann" not in table.occupants
    await room.checked()


async def test_leaving_in_a_hand_folds_at_the_own_turn_and_leaves_after_it(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    first = room.to_act()
    assert first is not None
    last = next(name for name in table.occupants if name != first)
    left = await room.leave(last)
    assert left["after_hand"] is True
    assert last in table.occupants
    await room.fold_out()
    assert last not in table.occupants
    assert sorted(table.occupants) == sorted({"ann", "bob", "cid"} - {last})
    await room.checked()


async def test_other_players_see_that_a_player_leaves_only_after_the_fold(opened: Opened) -> None:
    """Whoever leaves folds at the next turn: players who act before it must not know."""
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    assert table.live is not None
    first, last, _ = (table.live.hand.seats[seat].player_id for seat in table.live.hand.pending)

    def seat_states() -> list[str]:
        tables = [payload for name, payload in room.sent.public if name == "poker_table"]
        return [seat["state"] for table in tables for seat in table["seats"] if seat["name"] == last.title()]

    before = len(seat_states())
    await room.leave(last)
    assert room.sent.to_players[last][-1][1]["state"] == "leaving"
    await room.sit_out(first, at_big_blind=True)
    await room.ask(WaitForBigBlind(sender(first), table.terms.table_id, is_on=False))
    assert seat_states()[before:] == [], "an event without a change would reveal what some player has asked for"
    await room.act("raise_to", amount=30)
    await room.sit_out(first, at_big_blind=True, on=False)
    assert seat_states()[-1] == "leaving"


async def test_leaving_between_hands_is_done_at_once(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    assert await room.leave("bob") == {"stack": 1000, "available": 1_000_000, "after_hand": False}
    assert "bob" not in table.occupants
    assert room.sent.to_players["bob"][-1][0] == "balance"
    await room.checked()


async def test_a_player_without_chips_has_thirty_seconds(opened: Opened) -> None:
    # Seat 2 is left of the button and gets aces, seat 3 kings, seat 1 the rest.
    room = await opened("As Kd 2c Ah Kc 7d 4h 5h 9s Ts Jd")
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("fold")
    raiser = room.to_act()
    assert table.live is not None
    assert table.live.options is not None
    assert table.live.options.sizes is not None
    await room.act("raise_to", amount=table.live.options.sizes.largest)
    loser = room.to_act()
    await room.act("call")
    await room.advance(10_000)
    assert raiser is not None
    assert loser is not None
    assert table.stacks[loser] == 0
    assert room.sent.to_players[loser][-1][1]["until"] == table.occupants[loser].rebuy_until_ms
    with pytest.raises(Refusal) as refusal:
        await room.ask(TopUp(sender(loser), table.terms.table_id, 499, "small"))
    assert refusal.value.code is Code.BELOW_MINIMUM
    assert refusal.value.params == {"reason": "top_up_below_minimum", "minimum": 500}
    topped = await room.ask(TopUp(sender(loser), table.terms.table_id, 500, "again"))
    assert topped == {"stack": 500, "after_hand": False, "available": 998_500}
    assert await room.ask(TopUp(sender(loser), table.terms.table_id, 500, "again")) == topped
    await room.checked()
    await room.advance(60_000)
    assert loser in table.occupants


@pytest.mark.parametrize("seconds", [30, 45])
async def test_a_player_who_brings_no_chips_loses_the_seat(opened: Opened, seconds: int) -> None:
    sitting_out = published().room.sitting_out.model_copy(update={"rebuy_offer": seconds})
    settings = published(sitting_out=sitting_out)
    room = await opened("As Kd 2c Ah Kc 7d 4h 5h 9s Ts Jd", settings=settings)
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    await room.act("fold")
    await room.act("raise_to", amount=1000)
    loser = room.to_act()
    await room.act("call")
    assert loser is not None
    while (until_ms := table.occupants[loser].rebuy_until_ms) is None:
        await room.advance(1_000)
    assert table.live is not None
    assert table.live.hand.ended_ms is not None
    assert until_ms - table.live.hand.ended_ms == seconds * 1000
    await room.advance(until_ms - room.clock.now_ms)
    assert loser in table.occupants
    await room.advance(1)
    assert loser not in table.occupants
    assert [payload["reason"] for name, payload in room.sent.to_players[loser] if payload.get("state") == "gone"] == [
        "no_chips"
    ]
    await room.checked()


async def test_auto_top_up_fills_the_stack_after_every_hand(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", auto_top_up=True)
    for _ in range(3):
        await room.deal()
        await room.play_checking()
    assert min(table.stacks.values()) >= 1000
    await room.checked()


async def test_a_top_up_during_a_hand_is_made_after_it(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid", buy_in=600)
    await room.deal()
    topped_up = await room.ask(TopUp(sender("ann"), table.terms.table_id, 400, "more"))
    assert topped_up["after_hand"] is True
    assert table.live is not None
    assert sum(seat.start for seat in table.live.hand.seats) == 1800
    await room.fold_out()
    assert sum(table.stacks.values()) == 2200
    await room.checked()


async def test_an_excluded_player_leaves_tables_and_queues_after_the_hand(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.join_pool("ann", 5000, "nl50:EUR")
    await room.deal()
    await room.ask(Exclude("ann"))
    assert table.occupants["ann"].leaving is not None
    assert not room.room.tables.hosts["nl50:EUR"].pool.queue
    await room.play_checking()
    assert "ann" not in table.occupants
    await room.checked()


async def test_cards_may_be_shown_for_five_seconds_after_the_hand(opened: Opened, database: Database) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    await room.deal()
    assert table.live is not None
    hand_id = table.live.hand.hand_id
    folder = room.to_act()
    assert folder is not None
    card = table.live.hole(folder)[0]
    await room.fold_out()
    await room.ask(ShowCards(sender(folder), table.terms.table_id, hand_id, (card,)))
    assert room.sent.steps("shown")[-1]["cards"] == [card]
    async with database.reading() as connection:
        rows = (await connection.execute(select(poker_shown_cards))).all()
    assert [(row.hand_id, row.player_id, row.cards) for row in rows] == [(hand_id, folder, card)]
    room.clock.now_ms += 5_001
    with pytest.raises(Refusal) as refusal:
        await room.ask(ShowCards(sender(folder), table.terms.table_id, hand_id, (table.live.hole(folder)[1],)))
    assert refusal.value.code == Code.TOO_LATE


async def test_a_reserved_seat_waits_twenty_seconds(opened: Opened) -> None:
    room = await opened()
    table = await room.sit("ann", "bob", "cid")
    reserved = await room.join_pool("dan", 0)
    assert reserved["status"] == "reserved"
    assert (reserved["min"], reserved["max"]) == (500, 1000)
    assert reserved["reserved_until"] == room.clock.now_ms + 20_000
    assert await room.join_pool("dan", 0) == reserved
    with pytest.raises(Refusal) as refusal:
        await room.buy_in("dan", table.terms.table_id, 1001)
    assert refusal.value.code == Code.ABOVE_MAXIMUM
    seat = await room.buy_in("dan", table.terms.table_id, 700, "sit-1")
    assert seat == {"seat_no": reserved["seat_no"], "stack": 700, "available": 999_300}
    assert await room.buy_in("dan", table.terms.table_id, 700, "sit-1") == seat
    await room.join_pool("eve", 0)
    await room.advance(20_001)
    with pytest.raises(Refusal) as refusal:
        await room.buy_in("eve", table.terms.table_id, 700)
    assert refusal.value.code == Code.TOO_LATE
    departure = room.sent.to_players["eve"][-1][1]
    assert (departure["state"], departure["reason"]) == ("gone", "not_bought_in")


async def test_a_repeated_join_has_one_seat_and_one_buy_in(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    message = JoinPool(sender("dan"), POOL, 1000, "only-once")
    first = await room.ask(message)
    assert first["status"] == "seated"
    assert await room.ask(message) == first
    assert await room.room.money.available("dan") == 999_000


async def test_another_currency_and_too_little_money_are_refused(opened: Opened) -> None:
    room = await opened(purse=400)
    with pytest.raises(Refusal) as refusal:
        await room.ask(JoinPool(sender("zoe", currency="FUN"), POOL, 1000, "k"))
    assert refusal.value.code == Code.FORBIDDEN
    with pytest.raises(Refusal) as refusal:
        await room.join_pool("ann")
    assert refusal.value.code == Code.INSUFFICIENT_FUNDS


async def test_a_player_leaves_the_queue(opened: Opened) -> None:
    room = await opened()
    await room.join_pool("ann")
    await room.join_pool("bob")
    await room.ask(LeavePool(sender("ann"), POOL))
    assert room.sent.to_players["bob"][-1][1]["place"] == 1
    await room.lose_connection("bob")
    await room.advance(20_000)
    assert not room.room.tables.hosts[POOL].pool.queue


async def test_a_player_who_reloads_the_page_keeps_the_place_in_the_queue(opened: Opened) -> None:
    room = await opened()
    await room.join_pool("ann")
    await room.join_pool("bob")
    await room.lose_connection("ann")
    await room.advance(10_000)
    lobby = await room.ask(FollowLobby(sender("ann", 2)))
    assert [(seat["state"], seat["place"]) for seat in lobby["seats"]] == [("queued", 1)]
    await room.advance(60_000)
    assert [waiting.player_id for waiting in room.room.tables.hosts[POOL].pool.queue] == ["ann", "bob"]


async def test_a_table_that_cannot_play_is_closed_and_its_players_move(opened: Opened, database: Database) -> None:
    room = await opened()
    first = await room.sit("ann", "bob", "cid", "dan", "eve", "fay")
    second = await room.sit("gus", "hal", "ida")
    assert first is not second
    for name in ("ann", "bob", "cid"):
        await room.leave(name)
    await room.leave("gus")
    await room.leave("hal")
    assert second.next_hand_at is None
    await room.fold_hands(first)
    await room.advance(70_000)
    assert room.table_of("ida") is first
    assert room.room.tables.find(second.terms.table_id) is None
    balances = await balances_of(database)
    assert balances[f"seat:{first.terms.table_id}:ida"] == 1000
    await room.checked()


async def test_the_lobby_shows_pools_and_own_seats(opened: Opened) -> None:
    room = await opened()
    await room.sit("ann", "bob", "cid")
    await room.join_pool("ann", 5000, "nl50:EUR")
    lobby = await room.ask(FollowLobby(sender("ann")))
    pools = {pool["pool"]: pool for pool in lobby["pools"]}
    assert all(pool.endswith(":EUR") for pool in pools)
    assert (pools[POOL]["tables"], pools[POOL]["players"], pools["nl50:EUR"]["waiting"]) == (1, 3, 1)
    assert {(seat["state"], seat["pool"]) for seat in lobby["seats"]} == {("playing", POOL), ("queued", "nl50:EUR")}
    everything = await room.ask(ViewLobby())
    assert {pool["currency"] for pool in everything["pools"]} == {"EUR", "FUN"}
    await room.advance(1_000)
    assert {currency for currency, _ in room.sent.lobby} == {"EUR"}
    floor = await room.ask(ViewFloor())
    assert [(table["players"], table["chips"]) for table in floor["tables"]] == [(3, 3000)]
