"""Managers and tournaments: create, change, pause, continue, refund in full by two people, disqualify, void a hand."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.poker.tournament.state import Status
from casino.poker_room.hand_runner import Phase
from casino.poker_room.messages import Message, PauseTable, PreviewVoid, ResumeTable, VoidRunningHand
from casino.poker_room.tournament.running_tournament import RunningTournament
from casino.poker_room.tournament.staff_messages import (
    AnswerRefund,
    ChangeTournament,
    ContinueTournament,
    CreateTournament,
    DisqualifyPlayer,
    PauseTournament,
    PreviewCancellation,
    ProposeRefund,
    ViewManagedTournament,
    ViewTournamentFloor,
)
from casino.storage.database import Database
from casino.storage.schema import audit
from casino.users.roles import Person
from casino.wire.poker_floor import ManagedTournament, TournamentFloor, TournamentPreview
from tests.poker_room.test_multi_table import begin
from tests.poker_room.test_scheduled import SETTINGS
from tests.poker_room.tournament_house import HouseOpened, TournamentHouse, purses_of
from tests.wire.validation import holds

MIA, MAX = Person("mia-id", "Mia", "manager"), Person("max-id", "Max", "manager")
MINUTE_MS = 60_000


async def refused(house: TournamentHouse, message: Message) -> Code:
    with pytest.raises(Refusal) as refusal:
        await house.ask(message)
    return refusal.value.code


def template(house: TournamentHouse, minutes: int, **fields: Any) -> str:  # noqa: ANN401  keys of schedule.toml
    at = datetime.fromtimestamp(house.clock() / 1000 + 60 * minutes, UTC).isoformat()
    return json.dumps({"id": "feast", "name": "The Feast", "at": at, "total": 1000, "structure": "hyper"} | fields)


async def actions(database: Database) -> list[str]:
    query = select(audit.c.action).where(audit.c.actor.in_(["Mia", "Max"])).order_by(audit.c.id)
    async with database.reading() as connection:
        return [str(action) for action in (await connection.execute(query)).scalars()]


async def test_a_created_tournament_is_delayed_once_and_played(house: HouseOpened, database: Database) -> None:
    game = await house()
    row = template(game, 30)
    preview = await game.ask(CreateTournament(row, "EUR", MIA, "", is_preview=True))
    holds(TournamentPreview, dict(preview))
    assert preview["tournament"]["price"]["total"] == 1000
    assert not [one for one in game.room.tournaments.running.values() if one.spec.source == "feast-eur"]
    tournament_id = (await game.ask(CreateTournament(row, "EUR", MIA, "a feast")))["tournament_id"]
    running = game.room.tournaments.running[tournament_id]
    await game.register(running, "p1", "p2", "p3")
    later_ms = running.state.terms.starts_ms + 10 * MINUTE_MS
    for changes, starts_ms in (("{}", None), ("{}", game.clock() + 1), ('{"price": 1}', None)):
        assert await refused(game, ChangeTournament(tournament_id, changes, starts_ms, MIA, "")) is Code.BAD_REQUEST
    change = ChangeTournament(tournament_id, '{"guarantee": 5000}', later_ms, MIA, "a late train", is_preview=True)
    assert (await game.ask(change))["tournament"]["starts_at"] == later_ms
    assert running.state.terms.starts_ms < later_ms
    await game.ask(ChangeTournament(tournament_id, '{"guarantee": 5000}', later_ms, MIA, "a late train"))
    lower = ChangeTournament(tournament_id, '{"guarantee": 4000}', None, MIA, "")
    assert await refused(game, lower) is Code.BAD_REQUEST, "players have entered for more"
    assert len(game.announcements("p1", "changed")) == 1
    await game.advance(39 * MINUTE_MS)
    assert running.state.status is Status.REGISTERING
    await game.advance(MINUTE_MS)
    assert (await game.play_out(running)).overlay == 5000 - 2700
    assert await actions(database) == ["tournament_created", "tournament_changed"]
    await game.checked()
    await game.verified()


async def test_a_delayed_tournament_of_the_schedule_is_not_announced_again(house: HouseOpened) -> None:
    game = await house(settings=SETTINGS)
    [first] = [one for one in game.room.tournaments.running.values() if one.spec.source == "free-eur"]
    later_ms = first.state.terms.starts_ms + 5 * MINUTE_MS
    await game.ask(ChangeTournament(first.tournament_id, "{}", later_ms, MIA, "a delay"))
    await game.advance(2 * MINUTE_MS)
    again = [one for one in game.room.tournaments.running.values() if one.spec.source == "free-eur"]
    assert again == [first]


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"at": "2020-01-01T00:00:00Z"}, "over"),
        ({"at": None, "every": "day 19:00"}, "at"),
        ({"structure": "slow"}, "structure"),
        ({"rebuy": {}, "bounty": {}}, "bounties"),
        ({"id": "sunday-109"}, "schedule"),
    ],
)
async def test_an_impossible_tournament_is_refused_with_a_reason(
    house: HouseOpened, fields: dict[str, Any], word: str
) -> None:
    game = await house(2)
    with pytest.raises(Refusal) as refusal:
        await game.ask(CreateTournament(template(game, 30, **fields), "EUR", MIA, "a feast"))
    assert refusal.value.code is Code.BAD_REQUEST
    assert word in refusal.value.message


async def test_a_paused_tournament_stands_still_until_it_goes_on(house: HouseOpened, database: Database) -> None:
    game = await house()
    running = await begin(game, 6, structure="hyper", late_levels=0)
    await game.play(lambda: running.tables[1].phase is Phase.PLAYING)
    tournament_id = running.tournament_id
    await game.ask(PauseTournament(tournament_id, MIA, "a fault"))
    assert await refused(game, PauseTournament(tournament_id, MIA, "again")) is Code.ALREADY_DECIDED
    await game.play(lambda: running.state.is_all_idle)
    clock, hands = running.state.running_ms(game.clock()), running.tables[1].hand_no
    await game.advance(70 * MINUTE_MS)  # a synchronised break would have begun
    assert running.state.running_ms(game.clock()) == clock
    game = await game.crash()
    again = game.room.tournaments.running[tournament_id]
    assert again.state.is_stopped
    shown = await game.ask(ViewTournamentFloor())
    holds(TournamentFloor, dict(shown))
    assert [row["is_paused"] for row in shown["tournaments"] if row["tournament"]["kind"] == "mtt"][:1] == [True]
    await game.ask(ContinueTournament(tournament_id, MIA, "repaired"))
    assert again.state.pause is None
    assert again.tables[1].hand_no >= hands
    state = await game.play_out(again)
    assert state.status is Status.FINISHED
    assert await actions(database) == ["tournament_paused", "tournament_resumed"]
    await game.checked()
    await game.verified()
    await game.close()


async def test_a_refund_outside_the_cases_needs_two_people(house: HouseOpened, database: Database) -> None:
    game = await house()
    running = await begin(game, 6, structure="hyper", late_levels=0, guarantee=9000)
    await game.play(lambda: running.tables[1].hand_no == 2)
    tournament_id = running.tournament_id
    answer = AnswerRefund(tournament_id, MIA, is_approved=True, reason="agreed")
    assert await refused(game, answer) is Code.NOT_OFFERED
    await game.ask(ProposeRefund(tournament_id, MIA, "our fault"))
    assert await refused(game, answer) is Code.FORBIDDEN, "one person is not two"
    await game.ask(AnswerRefund(tournament_id, MAX, is_approved=False, reason="no"))
    await game.ask(ProposeRefund(tournament_id, MIA, "our fault"))
    managed = await game.ask(ViewManagedTournament(tournament_id))
    holds(ManagedTournament, dict(managed))
    assert managed["proposal"] == {"by": "Mia", "reason": "our fault"}
    preview = await game.ask(PreviewCancellation(tournament_id, is_in_full=True))
    assert preview["case"] == "full"
    assert {refund["fees"] + refund["share"] for refund in preview["refunds"]} == {1000}
    await game.ask(AnswerRefund(tournament_id, MAX, is_approved=True, reason="agreed"))
    balances = await game.checked()
    left = 6 - running.state.out
    assert (
        sorted(purses_of(balances, [f"p{number}" for number in range(1, 7)]))
        == [-1000] * running.state.out + [0] * left
    )
    assert (await actions(database))[-1] == "tournament_refund_approved"
    await game.verified()


async def test_a_disqualified_player_is_out_after_the_hand_and_the_prize_is_held(house: HouseOpened) -> None:
    game = await house()
    running = await begin(game, 3, structure="hyper", late_levels=0, prizes="sng-5")
    await game.play(lambda: running.tables[1].phase is Phase.PLAYING)
    chips = running.state.chips
    await game.ask(DisqualifyPlayer(running.tournament_id, "p1", MIA, "collusion"))
    assert running.state.left == 3, "the hand is played to its end"
    game = await game.crash()
    running = game.room.tournaments.running[running.tournament_id]
    await game.play(lambda: (found := running.entry_of("p1")) is None or found.out_no is not None)
    assert running.state.chips < chips
    assert "p1" not in running.seats
    state = await game.play_out(running)
    assert state.credited + state.held == state.pool
    await game.checked()
    await game.verified()
    await game.close()


async def test_a_void_hand_of_a_tournament_is_played_again_with_the_same_big_blind(house: HouseOpened) -> None:
    game = await house()
    running: RunningTournament = game.sit_and_go("sng-2-1000-eur")
    await game.register(running, "p1", "p2")
    await game.play(lambda: running.tables[1].hand_no == 1 and running.tables[1].phase is Phase.PLAYING)
    table = running.tables[1]
    table_id, live = table.terms.table_id, table.live
    assert live is not None
    preview = await game.ask(PreviewVoid(table_id))
    assert preview["hand_id"] == live.hand.hand_id
    await game.ask(PauseTable(table_id, MIA, "a fault"))
    await game.ask(VoidRunningHand(table_id, live.hand.hand_id, MIA, "a fault"))
    await game.settle()
    assert {seat.stack for seat in table.seats.seats.values()} == {seat.start for seat in live.hand.seats}
    await game.advance(MINUTE_MS)
    assert table.phase is Phase.WAITING, "the table is paused"
    await game.ask(ResumeTable(table_id, MIA, "repaired"))
    await game.play(lambda: table.phase is Phase.PLAYING)
    assert table.live is not None
    assert table.live.hand.positions == live.hand.positions
    await game.play_out(running)
    assert sum(purses_of(await game.checked(), ("p1", "p2"))) == -80
    await game.verified()
