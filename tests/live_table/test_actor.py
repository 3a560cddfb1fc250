"""Table actor: replies, broadcasts, and automatic steps."""

import asyncio

import pytest
from sqlalchemy import select

from casino.errors import Code, Refusal
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.actor import TableActor
from casino.live_table.messages import (
    AnswerHandOver,
    CloseTable,
    Join,
    Leave,
    Message,
    OpenTable,
    StartRound,
    TakeOver,
    Watch,
)
from casino.live_table.shoe import Seal
from casino.storage.database import Database
from casino.storage.schema import audit
from casino.uth.bets import Action
from casino.uth.commands import CancelRound, CorrectCard, DealCard, Decide, PlaceBet, ReportProblem, Resume, UndoCard
from casino.uth.fairness import faults_in
from casino.wire.outbound import Payload
from tests.live_table.live import KEY, LiveTable, MovedClock, RecordingPublisher, live_table, proof_in, table_settings
from tests.live_table.stored_rounds import PURSE, fill_purses, purse, statuses

PRESENTER = table_settings(dealing="presenter")


async def refusal(table: LiveTable, message: Message) -> Code:
    with pytest.raises(Refusal) as refused:
        await table.ask(message)
    return refused.value.code


async def test_machine_plays_a_whole_round_by_itself(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        joined = await table.ask(Join("ann", "Ann"))
        assert joined["round"]["phase"] == "idle"
        betting = await table.phase("betting")
        answer = await table.bet(betting["round_id"], "ann", 500, 100)
        assert answer == {"bets": {"ante": 500, "blind": 500, "trips": 100, "play": 0}, "available": PURSE - 1100}
        settled = await table.play_out(betting["round_id"])
        result = await table.until("ann", "result", lambda view: view["round_id"] == betting["round_id"])
    assert len(settled["player_cards"] + settled["board"] + settled["dealer_cards"]) == 9
    assert result["result"] == "fold"
    assert (await purse(database, "ann")).balance == result["balance"]


@pytest.mark.req("RND-1")
async def test_all_players_get_rounds_numbered_without_gaps(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500)
        await table.play_out(betting["round_id"])
        seqs = [view["seq"] for view in table.published.all("*", "round")]
    assert seqs == list(range(1, len(seqs) + 1))


@pytest.mark.req("RND-2", "LED-5")
async def test_a_stored_answer_may_be_said_again_when_the_next_round_has_begun(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        await table.ask(Join("bob", "Bob"))
        over = (await table.phase("betting"))["round_id"]
        await table.bet(over, "ann", 500, 100)
        table.time_out()
        await table.phase("deciding_preflop", over)
        await table.decide(over, "ann", Action.PLAY_4X)
        await table.phase("settled", over)
        betting = await table.until("*", "round", lambda view: view["round_id"] != over)
        before = await purse(database, "ann")
        again = await table.decide(over, "ann", Action.PLAY_4X)
        assert again == {"bets": {"ante": 500, "blind": 500, "trips": 100, "play": 2000}, "available": before.available}
        assert await purse(database, "ann") == before
        for player, action in (("ann", Action.PLAY_3X), ("ann", Action.CHECK), ("bob", Action.PLAY_4X)):
            asked = Decide(over, player, action, available_minor=0)
            assert await refusal(table, asked) is Code.STALE_ROUND
        table.time_out()
        await table.until("*", "round", lambda view: view["round_id"] not in (over, betting["round_id"]))
        await table.decide(over, "ann", Action.PLAY_4X)  # a betting time without a bet is no round that was played


@pytest.mark.req("RND-8")
async def test_no_card_is_sent_before_it_is_public(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500)
        settled = await table.play_out(betting["round_id"])
        dealer = settled["dealer_cards"]
        for _, _, payload in table.published.events:
            if payload.get("phase", payload.get("round", {}).get("phase")) not in ("showdown", "settled", None):
                assert not any(f"'{card}'" in str(payload) for card in dealer)


async def test_machine_deals_by_its_commitment(database: Database) -> None:
    """The server seed was fixed before the first bet, and is sealed in the database."""
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500)
        settled = await table.play_out(betting["round_id"])
        unit_of_work = await TableUnitOfWork.of(database, "uth-2")
        sealed = await unit_of_work.sealed_shoe(betting["round_id"])
    assert sealed is not None
    assert Seal("another key").open_seed(sealed) is None
    server_seed = Seal(KEY).open_seed(sealed)
    assert server_seed is not None
    assert server_seed.hex not in sealed
    proof = await proof_in(database, betting["round_id"])
    assert proof["server_seed"] == server_seed.hex
    assert proof["commitment"] == betting["commitment"]
    assert proof["dealt"] == settled["player_cards"] + settled["board"] + settled["dealer_cards"]
    assert faults_in(proof) == []


async def test_machine_waits_for_company(database: Database) -> None:
    async with live_table(database) as table:
        await asyncio.sleep(0.3)
        assert table.published.all("*", "round") == []
        await table.ask(Join("ann", "Ann"))
        await table.phase("betting")


async def test_without_bets_a_new_betting_time_begins(database: Database) -> None:
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        first = await table.phase("betting")
        table.time_out()
        second = await table.until(
            "*", "round", lambda view: view["phase"] == "betting" and view["round_id"] != first["round_id"]
        )
    assert second["game_number"] != first["game_number"]
    assert {view["phase"] for view in table.published.all("*", "round")} == {"betting", "idle"}


async def test_decision_ends_the_window_and_its_player_gets_the_result(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        table.time_out()
        await table.phase("deciding_preflop")
        seat = await table.until("ann", "seat", lambda view: view["options"] != [])
        assert seat["options"] == ["play_4x", "play_3x", "check"]
        answer = await table.decide(round_id, "ann", Action.PLAY_4X)
        assert answer["bets"]["play"] == 2000
        await table.phase("settled")


async def test_leaving_returns_open_bets_at_once(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        await table.ask(Leave("ann"))
        assert await purse(database, "ann") == ("EUR", PURSE, 0)


async def test_presenter_deals_a_round_by_scanner(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database, PRESENTER) as table:
        await table.ask(Join("ann", "Ann"))
        assert await refusal(table, StartRound("pia")) is Code.TABLE_CLOSED
        await table.ask(OpenTable("pia"))
        await table.ask(StartRound("pia"))
        round_id = (await table.phase("betting"))["round_id"]
        assert await refusal(table, StartRound("pia")) is Code.NOT_EXPECTED
        await table.bet(round_id, "ann", 500)
        table.time_out()
        await table.phase("dealing_hole")
        assert (await table.ask(Watch()))["host"]["expects"] == "player_1"
        assert await refusal(table, DealCard(round_id, "1s", "pia")) is Code.BAD_CARD
        await table.scan(round_id, "As", "Ad")
        await table.decide(round_id, "ann", Action.PLAY_4X)
        await table.scan(round_id, "7h", "7c", "2s")
        assert await refusal(table, DealCard(round_id, "As", "pia")) is Code.DUPLICATE_CARD
        await table.scan(round_id, "Jd", "3c", "Qh", "Qd")
        result = await table.until("ann", "result", lambda view: view["round_id"] == round_id)
        assert (result["result"], result["returned"]) == ("win", 1000 + 500 + 4000)
        assert await refusal(table, UndoCard(round_id, "pia")) is Code.NOT_EXPECTED


async def test_pause_correction_and_resumption(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database, PRESENTER) as table:
        await table.ask(Join("ann", "Ann"))
        await table.ask(OpenTable("pia"))
        await table.ask(StartRound("pia"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        table.time_out()
        await table.phase("dealing_hole")
        await table.scan(round_id, "As", "Ad")
        await table.ask(ReportProblem("Card misread.", "pia"))
        notice = await table.until("*", "notice", lambda view: view["code"] == "table_paused")
        assert "Incident" in notice["text"]
        table.clock.ahead_ms += 600_000  # nothing runs out in a pause
        assert await refusal(table, PlaceBet(round_id, "ann", 500, 0, 0)) is Code.TABLE_PAUSED
        await table.ask(CorrectCard(round_id, "player_2", "Ac", "misread", "max"))
        await table.ask(Resume("max"))
        await table.decide(round_id, "ann", Action.CHECK)
        await table.ask(CancelRound("deck incomplete", "max"))
        result = await table.until("ann", "result", lambda view: view["status"] == "cancelled")
        assert result["returned"] == result["staked"] == 1000
    assert await purse(database, "ann") == ("EUR", PURSE, 0)


async def test_closing_lets_the_round_finish_but_takes_no_bet(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        await table.ask(CloseTable("max", "manager"))
        assert await refusal(table, PlaceBet(round_id, "bob", 500, 0, 0)) is Code.TABLE_CLOSED
        await table.play_out(round_id)
        before = len(table.published.all("*", "round"))
        await asyncio.sleep(1.2)
        assert len(table.published.all("*", "round")) == before


async def test_bets_can_be_taken_back_from_a_table_that_was_closed(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        await table.ask(CloseTable("max", "manager"))
        assert (await table.bet(round_id, "ann", 0))["available"] == PURSE


@pytest.mark.req("AUD")
async def test_only_the_presenter_on_shift_deals_until_another_takes_over(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database, PRESENTER) as table:
        await table.ask(Join("ann", "Ann"))
        for _ in range(2):
            await table.ask(OpenTable("pia"))
        assert await refusal(table, StartRound("pat")) is Code.FORBIDDEN
        await table.ask(StartRound("pia"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        table.time_out()
        await table.phase("dealing_hole")
        assert await refusal(table, DealCard(round_id, "As", "pat")) is Code.FORBIDDEN
        asked = await table.ask(TakeOver("pat"))
        await table.ask(AnswerHandOver(asked["proposal_id"], "pia", "presenter", is_confirmed=True))
        await table.ask(DealCard(round_id, "As", "pat"))
        assert await refusal(table, UndoCard(round_id, "pia")) is Code.FORBIDDEN
        await table.ask(CloseTable("max", "manager"))
        assert (await table.ask(Watch()))["host"]["presenter"] == "pat", "the shift lasts as long as the round"
        await table.ask(CancelRound("deck incomplete", "max"))
        assert (await table.ask(Watch()))["host"]["presenter"] is None
    async with database.reading() as connection:
        rows = await connection.execute(select(audit).where(audit.c.target == "table uth-1").order_by(audit.c.id))
        written = [(row.actor, row.role, row.action) for row in rows]
    assert written == [
        ("pia", "presenter", "table_opened"),
        ("pat", "presenter", "hand_over_requested"),
        ("pia", "presenter", "table_handed_over"),
        ("max", "manager", "table_closed"),
    ]


async def test_own_hands_seats_each_have_their_cards(database: Database) -> None:
    await fill_purses(database, {f"p{i}": "EUR" for i in range(1, 9)})
    async with live_table(database, table_settings(hands="own", seats=7)) as table:
        joined = [await table.ask(Join(f"p{i}", f"P{i}", seat_no=3 if i == 1 else None)) for i in range(1, 9)]
        assert [view["seat"]["seat_no"] for view in joined] == [3, 1, 2, 4, 5, 6, 7, None]
        round_id = (await table.phase("betting"))["round_id"]
        for player in ("p1", "p2"):
            await table.bet(round_id, player, 500)
        assert await refusal(table, PlaceBet(round_id, "p8", 500, 0, 0)) is Code.TABLE_FULL
        table.time_out()
        view = await table.phase("deciding_preflop")
    hands = {seat["seat_no"]: seat["player_cards"] for seat in view["seats"]}
    assert hands.keys() == {1, 3}
    assert len({card for hand in hands.values() for card in hand}) == 4


@pytest.mark.req("RND-4")
async def test_restart_continues_with_the_committed_cards(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500)
        table.time_out()
        before = await table.phase("deciding_preflop")
    async with live_table(database) as table:
        joined = await table.ask(Join("ann", "Ann"))
        assert joined["round"]["player_cards"] == before["player_cards"]
        assert joined["seat"]["options"] == ["play_4x", "play_3x", "check"]
        await table.decide(betting["round_id"], "ann", Action.PLAY_4X)
        settled = await table.phase("settled", betting["round_id"])
    proof = await proof_in(database, betting["round_id"])
    assert proof["dealt"] == settled["player_cards"] + settled["board"] + settled["dealer_cards"]
    assert faults_in({**proof, "commitment": betting["commitment"]}) == []
    assert await statuses(database) == {betting["round_id"]: "settled"}


async def test_failure_of_the_table_pauses_it_and_loses_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        with monkeypatch.context() as broken:
            broken.setattr("casino.live_table.round_runner.bets_view", None)
            assert await refusal(table, PlaceBet(round_id, "ann", 700, 0, 0)) is Code.INTERNAL
        paused = await table.until("*", "round", lambda view: view["paused"] is not None)
        assert paused["phase"] == "betting"
        await table.ask(Resume("max"))
        await table.ask(CancelRound("no confidence", "max"))
    assert await purse(database, "ann") == ("EUR", PURSE, 0)


async def test_player_counts_are_broadcast_at_a_limited_rate(database: Database) -> None:
    await fill_purses(database, {f"p{i}": "EUR" for i in range(30)})
    async with live_table(database) as table:
        for i in range(30):
            await table.ask(Join(f"p{i}", f"P{i}"))
        await table.until("*", "table", lambda view: view["players"] == 30)
        assert len(table.published.all("*", "table")) < 30


async def test_table_whose_task_died_refuses_every_message_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message it died of, those behind it in the queue, and those that come later."""
    seal = Seal(KEY)
    actor = TableActor(
        PRESENTER, await TableUnitOfWork.of(database, PRESENTER.id, seal), RecordingPublisher(), seal, MovedClock()
    )

    async def dies(*_: object) -> None:
        waiting.append(actor.post(Join("bob", "Bob"), 1))
        raise KeyError("a defect in the table")

    async def cannot_even_fail(*_: object) -> None:
        raise KeyError("a defect in the handling of defects")

    waiting: list[asyncio.Future[Payload]] = []
    monkeypatch.setattr(actor._table, "process", dies)
    monkeypatch.setattr(actor._table, "recover_from", cannot_even_fail)
    task = asyncio.create_task(actor.run())
    async with asyncio.timeout(60):
        for name in ("Ann", "Liz"):
            with pytest.raises(Refusal, match="This table has stopped") as refused:
                await actor.ask(Join(name.lower(), name))
            assert refused.value.code is Code.INTERNAL
        await actor.drain()
    assert [type(reply.exception()) for reply in waiting] == [Refusal]
    with pytest.raises(KeyError):
        await task
