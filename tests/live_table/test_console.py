"""Console of a table besides its rounds: stored on both databases and kept over a restart."""

from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from casino.audit import log as audit_log
from casino.cards.card import DECK
from casino.errors import Code, Refusal
from casino.live_table import corrections, limit_overrides
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.console import Console
from casino.live_table.corrections import EXPIRES_MS, Proposal
from casino.live_table.deck_count import load_deck
from casino.live_table.messages import CorrectSettled, CountCard, CountDeck, SetLimits
from casino.live_table.shift import Shift
from casino.settings import TableSettings, load_settings
from casino.settings.table import TableLimits
from casino.storage import schema
from casino.storage.database import Database
from casino.users.roles import Actor, Person, Role
from casino.users.users import Users
from casino.uth.bets import Action
from casino.uth.commands import CancelRound, ReportProblem
from casino.uth.phases import Phase
from tests.live_table.live import table_settings
from tests.live_table.stored_rounds import BookedTable, balances, fill_purses
from tests.uth.tabletop import NOON_MS

RED = {f"R{number:02}": card for number, card in enumerate(DECK)}
BLUE = {f"B{number:02}": card for number, card in enumerate(DECK)}
TABLE = table_settings(dealing="presenter", deck={"count_within_rounds": 2})
TWO_DECKS = table_settings(dealing="presenter", scanner={"decks": {"red": RED, "blue": BLUE}})
SHIFT = Shift(is_open=True, presenter="pia")
INCIDENTS = load_settings(Path("config")).incidents
NEW: Final = {"ante_min": 500, "ante_max": 100_000, "trips_min": 500, "trips_max": 50_000}


async def console_of(database: Database, table: TableSettings) -> Console:
    """As the service builds it when it starts."""
    unit_of_work = await TableUnitOfWork.of(database, table.id)
    async with database.reading() as connection:
        in_force = await limit_overrides.in_force(connection, table)
        deck = await load_deck(connection, in_force, INCIDENTS)
    return Console(in_force, unit_of_work, deck=deck, incidents=INCIDENTS, of_file=table)


async def actions(database: Database) -> list[str]:
    async with database.reading() as connection:
        faults = [fault async for fault in audit_log.faults(connection)]
        assert faults == []
        return list((await connection.execute(select(schema.audit.c.action).order_by(schema.audit.c.id))).scalars())


async def test_counted_deck_is_remembered_with_the_rounds_since(database: Database) -> None:
    console = await console_of(database, TABLE)
    assert console.view(None)["deck"]["is_due"]
    console.count_deck(CountDeck("pia"), SHIFT)
    for number, card in enumerate(DECK):
        await console.count_card(CountCard("pia", card), NOON_MS + number)
    assert not console.is_count_due
    assert await actions(database) == ["deck_counted"]
    await BookedTable.open(database, at_ms=NOON_MS + 10_000)
    again = await console_of(database, TABLE)
    view = again.view(None)["deck"]
    assert (view["counted_by"], view["rounds_since"], view["is_due"]) == ("pia", 1, False)
    again.round_begins()
    assert again.is_count_due


async def counted(console: Console, at_ms: int) -> None:
    console.count_deck(CountDeck("pia"), SHIFT)
    for card in DECK:
        await console.count_card(CountCard("pia", card), at_ms)


@pytest.mark.parametrize(
    ("incident_class", "is_due"), [("extra_card", True), ("deck_incomplete", True), ("card_dropped", False)]
)
async def test_incident_that_puts_the_deck_in_doubt_makes_the_count_due(
    database: Database, incident_class: str, *, is_due: bool
) -> None:
    """At a table that asks for no counts otherwise, and over a restart."""
    table = table_settings(dealing="presenter")
    console = await console_of(database, table)
    await fill_purses(database)
    booked = await BookedTable.open(database)
    await booked.do(booked.bet("ann", 500))
    await booked.time_out()
    await booked.do(ReportProblem("Two cards at once.", "pia", incident_class, ("cancel",)))
    await booked.do(CancelRound("The deck is wrong.", "max"))
    assert not console.is_count_due
    assert console.round_ends(booked.round) is is_due
    assert console.is_count_due is is_due
    again = await console_of(database, table)
    assert again.is_count_due is is_due
    await counted(again, booked.now_ms + 1)
    assert not again.is_count_due
    assert not (await console_of(database, table)).is_count_due


async def test_card_of_another_deck_is_foreign_to_the_count_and_to_the_round(database: Database) -> None:
    console = await console_of(database, TWO_DECKS)
    console.count_deck(CountDeck("pia", "blue"), SHIFT)
    await console.count_card(CountCard("pia", "B51"), NOON_MS)
    for at_ms, text in (
        (NOON_MS, "Read the card in your hand again."),
        (NOON_MS + 500, "again"),
        (NOON_MS + 5000, "red"),
    ):
        with pytest.raises(Refusal, match=text) as refused:
            await console.count_card(CountCard("pia", "R50"), at_ms)
        assert refused.value.code is Code.BAD_CARD
    count = console.view(None)["deck"]["count"]
    assert count is not None
    assert (count["cards"], count["foreign"]) == (["As"], ["K♠ of deck red"])
    with pytest.raises(Refusal, match="pia is counting"):
        await console.count_card(CountCard("bo", "B50"), NOON_MS)
    with pytest.raises(Refusal, match="no such deck"):
        console.count_deck(CountDeck("pia", "green"), SHIFT)
    with pytest.raises(Refusal, match="pia is on shift"):
        console.count_deck(CountDeck("bo"), SHIFT)


async def test_limits_of_a_manager_survive_a_restart_until_the_file_is_changed(database: Database) -> None:
    console = await console_of(database, TABLE)
    asked = SetLimits("max", "manager", NEW, "busy")
    assert await console.set_limits(asked, NOON_MS, at_rest=False) == {"in_force": False}
    assert console.settings.limits == TABLE.limits
    following = console.view(None)["next_limits"]
    assert following is not None
    assert {**following} == NEW
    assert console.round_ends((await BookedTable.open(database)).round)
    assert console.settings.terms().limits.ante_min == 500
    assert await console.set_limits(asked, NOON_MS, at_rest=True) == {"in_force": True}
    assert await actions(database) == ["limits_changed"], "asked for again, it changes nothing"

    assert (await console_of(database, TABLE)).settings.limits == TableLimits(**NEW)
    changed_file = TABLE.with_limits(TableLimits(ante_min=200))
    assert (await console_of(database, changed_file)).settings.limits.ante_min == 200
    coarse = table_settings(
        dealing="presenter", chips={"values": [600_000]}, limits={"ante_max": 600_000, "trips_max": 600_000}
    )
    assert (await console_of(database, coarse)).settings == coarse


@pytest.mark.parametrize("change", [{"ante_min": 200_000}, {"trips_min": 110, "trips_max": 190}])
async def test_limits_that_fit_no_chip_are_refused_and_not_stored(database: Database, change: dict[str, int]) -> None:
    console = await console_of(database, TABLE)
    with pytest.raises(Refusal) as refused:
        await console.set_limits(SetLimits("max", "manager", NEW | change, "?"), NOON_MS, at_rest=True)
    assert refused.value.code is Code.BAD_REQUEST
    assert await actions(database) == []
    assert console.settings.limits == TABLE.limits


async def settled(database: Database) -> tuple[BookedTable, dict[str, Person]]:
    """A settled round of three players, and the people who may correct it."""
    by, staff = Actor("test", "test"), {}
    async with database.writing() as connection:
        people = Users(connection)
        for name, role in (("max", Role.MANAGER), ("fiona", Role.FINANCE)):
            user = await people.add(name, role, "EUR", password_hash=None, by=by, at_ms=NOON_MS)
            staff[name] = Person(user.id, user.name, user.role)
        for player in ("ann", "bob", "gus"):
            await connection.execute(
                schema.users.insert().values(
                    id=player, name=player, name_folded=player, role="player", currency="EUR", created_ms=1
                )
            )
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_PREFLOP)
    await table.do(table.answer("ann", Action.PLAY_4X))
    for street in ("7h 7c 2s", "Jd 3c", "Qh Qd"):
        await table.time_out()
        await table.deal(street)
    if table.round.phase is not Phase.SETTLED:
        await table.time_out()
    return table, staff


PROPOSAL = Proposal("r1", (("dealer_1", "8h"), ("dealer_2", "9d")), "The camera shows 8h 9d.")


@pytest.mark.req("AUD")
async def test_correction_moves_what_the_preview_said_once_and_marks_the_proposal(database: Database) -> None:
    _table, staff = await settled(database)
    async with database.writing() as connection:
        said = await corrections.previewed(connection, PROPOSAL, NOON_MS)
        id_ = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS)
    before = await balances(database)
    console = await console_of(database, table_settings())
    with pytest.raises(Refusal, match="Another person has to approve"):
        await console.correct(CorrectSettled(id_, staff["max"]), NOON_MS)
    assert await balances(database) == before
    _, handled = await console.correct(CorrectSettled(id_, staff["fiona"], "Seen"), NOON_MS)
    assert handled.round.dealer_cards == ("8h", "9d")
    after = await balances(database)
    for move in said["moves"]:
        account = f"player:{move['player_id']}:cash"
        assert after[account].balance == move["balance_after"]
        assert after[account].balance - before[account].balance == move["amount"]
    assert {move["player_id"]: move["amount"] > 0 for move in said["moves"]} == {
        "ann": True,
        "bob": False,
        "gus": False,
    }
    with pytest.raises(Refusal, match="already approved"):
        await console.correct(CorrectSettled(id_, staff["fiona"]), NOON_MS)
    assert await balances(database) == after
    assert (await actions(database))[-3:] == ["correction_proposed", "round_corrected", "correction_approved"]
    async with database.reading() as connection:
        (row,) = await corrections.page(connection, 10, None, NOON_MS)
    assert (row["status"], row["proposed_by"], row["decided_by"]) == ("approved", "max", "fiona")


async def test_approval_is_refused_after_another_correction_of_the_round(database: Database) -> None:
    """Two proposals are open, and the approver has seen what each would do to the round as it was."""
    _table, staff = await settled(database)
    river = Proposal("r1", (("river", "4c"),), "The river was 4c.")
    async with database.writing() as connection:
        first = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS)
        second = await corrections.propose(connection, river, staff["max"], NOON_MS)
    console = await console_of(database, table_settings())
    await console.correct(CorrectSettled(first, staff["fiona"]), NOON_MS)
    before = await balances(database)
    with pytest.raises(Refusal, match="was corrected after this proposal was made") as refused:
        await console.correct(CorrectSettled(second, staff["fiona"]), NOON_MS)
    assert refused.value.code is Code.TOO_LATE
    assert await balances(database) == before
    async with database.writing() as connection:
        await corrections.reject(connection, second, staff["fiona"], "Outdated", NOON_MS)
        again = await corrections.propose(connection, river, staff["max"], NOON_MS)
    _, handled = await console.correct(CorrectSettled(again, staff["fiona"]), NOON_MS)
    assert handled.round.cards[-3:] == ("4c", "8h", "9d")


async def test_proposal_expires_and_can_be_rejected(database: Database) -> None:
    _table, staff = await settled(database)
    async with database.writing() as connection:
        late = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS)
        rejected = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS + 1)
        await corrections.reject(connection, rejected, staff["fiona"], "Not on video", NOON_MS + 2)
    console = await console_of(database, table_settings())
    for id_, at_ms, reason in ((late, NOON_MS + EXPIRES_MS, "expired"), (rejected, NOON_MS + 3, "already rejected")):
        with pytest.raises(Refusal, match=reason) as refused:
            await console.correct(CorrectSettled(id_, staff["fiona"]), at_ms)
        assert refused.value.code is Code.TOO_LATE
    async with database.reading() as connection:
        newest = await corrections.page(connection, 1, None, NOON_MS + EXPIRES_MS)
        rest = await corrections.page(connection, 10, (newest[0]["proposed_at"], newest[0]["id"]), NOON_MS + EXPIRES_MS)
    assert [row["status"] for row in newest + rest] == ["rejected", "expired"]


async def test_preview_names_what_a_player_will_owe_and_the_approval_books_it(database: Database) -> None:
    _table, staff = await settled(database)
    worse = Proposal("r1", (("dealer_1", "8h"), ("dealer_2", "9d")), "first")
    console = await console_of(database, table_settings())
    async with database.writing() as connection:
        first = await corrections.propose(connection, worse, staff["max"], NOON_MS)
    await console.correct(CorrectSettled(first, staff["fiona"]), NOON_MS)
    back = Proposal("r1", (("dealer_1", "Qh"), ("dealer_2", "Qd")), "It was right at first")
    async with database.writing() as connection:
        second = await corrections.propose(connection, back, staff["max"], NOON_MS + 1)
        cash, purse = schema.accounts, "player:ann:cash"
        await connection.execute(cash.update().where(cash.c.id == purse).values(held=cash.c.balance))
        said = await corrections.previewed(connection, back, NOON_MS)
    [move] = [move for move in said["moves"] if move["player_id"] == "ann"]
    assert (move["covered"], move["receivable"]) == (False, -move["amount"])
    assert move["balance_after"] == move["balance_before"]
    await console.correct(CorrectSettled(second, staff["fiona"]), NOON_MS)
    found = await balances(database)
    assert found["receivable:ann:EUR"].balance == move["amount"]
    assert found[purse].balance == move["balance_after"]
    async with database.reading() as connection:
        (row, _) = await corrections.page(connection, 10, None, NOON_MS)
    assert row["status"] == "approved"


async def test_database_itself_refuses_an_approval_by_the_same_person(database: Database) -> None:
    _table, staff = await settled(database)
    async with database.writing() as connection:
        id_ = await corrections.propose(connection, PROPOSAL, staff["max"], NOON_MS)
    alone = schema.corrections.update().where(schema.corrections.c.id == id_)
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await connection.execute(alone.values(status="approved", decided_by=staff["max"].id, decided_ms=1))
