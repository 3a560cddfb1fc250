"""Cancellation by a manager: the preview is what every player gets, and the books are whole."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.poker.betting import Action
from casino.poker.tournament.state import Status
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import ActInHand
from casino.poker_room.tournament.staff_messages import CancelTournament, PreviewCancellation
from casino.storage.database import Database
from casino.storage.poker_schema import poker_hands
from casino.storage.schema import audit
from casino.users.roles import Person
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import PURSE, HouseOpened

MIA = Person("mia-id", "Mia", "manager")
FIVE = "sng-5-1000-eur"
PLAYERS = ("p1", "p2", "p3", "p4", "p5")


@pytest.mark.parametrize("hands", [0, 3])
async def test_the_preview_is_what_players_get(house: HouseOpened, database: Database, hands: int) -> None:
    """Case 52 before the start, case 53 in the middle of a hand."""
    game = await house(seed=6)
    running = game.sit_and_go(FIVE)
    await game.register(running, *(PLAYERS if hands else PLAYERS[:3]))
    if hands:
        await game.play(lambda: running.tables[1].hand_no == hands and running.tables[1].phase is Phase.PLAYING)
    before = await game.checked()
    preview = await game.ask(PreviewCancellation(running.tournament_id))
    assert preview["case"] == ("53" if hands else "52")
    await game.ask(CancelTournament(running.tournament_id, MIA, "a fault"))
    after = await game.checked()
    for refund in preview["refunds"]:
        cash = f"player:{refund['player_id']}:cash"
        assert after[cash] - before[cash] == refund["fees"] + refund["share"] + refund["bounty"]
    assert len(preview["refunds"]) == (len(PLAYERS) - running.state.out if hands else 3)
    if not hands:
        assert {after[f"player:{player}:cash"] for player in PLAYERS} == {PURSE}
    assert running.tournament_id not in game.room.tournaments.running
    async with database.reading() as connection:
        query = select(audit.c.action, audit.c.target).where(audit.c.actor == "Mia")
        assert [tuple(row) for row in await connection.execute(query)] == [
            ("tournament_cancelled", running.tournament_id)
        ]
    with pytest.raises(Refusal) as refusal:
        await game.ask(PreviewCancellation(running.tournament_id))
    assert refusal.value.code is Code.NOT_FOUND
    await game.verified()


async def test_a_hand_that_is_being_stored_at_the_cancellation_changes_nothing(
    house: HouseOpened, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended before the director decided, and is stored afterwards: its report comes too late."""
    game = await house(seed=6)
    running = game.sit_and_go(FIVE)
    await game.register(running, *PLAYERS)
    table_of = running.tables
    await game.play(lambda: table_of[1].hand_no == 1 and table_of[1].phase is Phase.PLAYING)
    await game.come()
    table, is_decided, report = table_of[1], asyncio.Event(), game.room.tournaments.floor._store_hand

    async def store_late(*arguments: Any) -> None:  # noqa: ANN401  those of `_store_hand`
        await is_decided.wait()
        await report(*arguments)

    monkeypatch.setattr(game.room.tournaments.floor, "_store_hand", store_late)
    while table.phase is Phase.PLAYING:
        live = table.live
        assert live is not None
        options, hand = live.options, live.hand
        assert options is not None
        action = Action.CHECK if options.check else Action.FOLD
        player = hand.seats[hand.pending[0]].player_id
        await game.room.ask(ActInHand(sender(player), table.terms.table_id, hand.hand_id, hand.turn, action, 0))
    assert table.phase is Phase.STORING
    await game.room.ask(CancelTournament(running.tournament_id, MIA, "a fault"))
    assert running.state.status is Status.CANCELLED
    is_decided.set()
    await game.checked()
    async with database.reading() as connection:
        query = select(poker_hands.c.status).where(
            poker_hands.c.table_id == table.terms.table_id, poker_hands.c.started_ms.is_not(None)
        )
        stored = (await connection.execute(query.order_by(poker_hands.c.no))).scalars().all()
    assert stored == ["settled"] * (table.hand_no)
    assert sum(entry.chips for entry in running.state.entries.values()) == len(PLAYERS) * running.state.terms.stack
    await game.verified()
