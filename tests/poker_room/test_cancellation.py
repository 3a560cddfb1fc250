"""Cancellation by a manager: the preview is what every player gets, and the books are whole."""

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.poker_room.hand_runner import Phase
from casino.poker_room.tournament.staff_messages import CancelTournament, PreviewCancellation
from casino.storage.database import Database
from casino.storage.schema import audit
from casino.users.roles import Person
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
