"""Money that the house promises for tournaments: above an amount, two managers decide about it."""

import json
from typing import Any

import pytest
from sqlalchemy import insert, select

from casino.errors import Code, Refusal
from casino.poker_room.tournament.staff_messages import (
    AnswerProposal,
    ChangeTournament,
    CreateTournament,
    ViewTemplates,
    ViewTournamentFloor,
)
from casino.poker_room.tournament.staff_proposals import StaffProposals
from casino.storage.database import Database
from casino.storage.schema import audit, users
from casino.users.roles import Person
from casino.verify.verifier import verify
from casino.wire.poker_floor import TournamentFloor, TournamentTemplates
from tests.poker_room.test_tournament_staff import MAX, MIA, refused, template
from tests.poker_room.tournament_house import HouseOpened, TournamentHouse, published
from tests.wire.validation import holds

ALONE_MAX = 5000


@pytest.fixture
async def game(house: HouseOpened, database: Database) -> TournamentHouse:
    """One manager may promise 50.00."""
    async with database.writing() as connection:
        for one in (MIA, MAX):
            row = {"id": one.id, "name": one.name, "role": one.role, "currency": "EUR", "created_ms": 0}
            keys = {"name_folded": one.name.lower(), "name_visual": one.name.lower()}
            await connection.execute(insert(users).values(row | keys))
    room = published().room.model_copy(update={"promised_alone_max": ALONE_MAX})
    return await house(settings=published(**{"room.toml": room}))


async def proposals(game: TournamentHouse) -> list[dict[str, Any]]:
    floor = await game.ask(ViewTournamentFloor())
    holds(TournamentFloor, dict(floor))
    return list(floor["proposals"])


async def assert_verified(database: Database) -> None:
    """Everything but the accounts of the managers, which no audit entry has made here."""
    found = await verify(database)
    assert [
        line for check in found.checks if check is not found.people and not check.is_ok for line in check.lines
    ] == []


def answer(proposal: dict[str, Any], by: Person, *, is_approved: bool = True) -> AnswerProposal:
    return AnswerProposal(proposal["proposal_id"], by, is_approved, "agreed")


async def test_a_guarantee_above_the_amount_is_announced_by_two_managers(
    game: TournamentHouse, database: Database
) -> None:
    for fields, needs_two in (
        ({"guarantee": ALONE_MAX}, False),
        ({"guarantee": ALONE_MAX, "added": 1}, True),
        ({"satellite_to": "sunday-109", "seats_guaranteed": 1}, True),
    ):
        row = template(game, 30, **fields)
        preview = await game.ask(CreateTournament(row, "EUR", MIA, "", is_preview=True))
        assert preview["needs_second_person"] is needs_two
    row = template(game, 30, guarantee=ALONE_MAX + 1)
    created = await game.ask(CreateTournament(row, "EUR", MIA, "a feast"))
    assert created["waits_for_second_person"]
    tournament_id = created["tournament_id"]
    assert tournament_id not in game.room.tournaments.running
    [proposal] = await proposals(game)
    assert (proposal["act"], proposal["promised"], proposal["by"]) == ("create", ALONE_MAX + 1, "Mia")
    assert proposal["preview"]["tournament"]["guarantee"] == ALONE_MAX + 1
    assert await refused(game, answer(proposal, MIA)) is Code.FORBIDDEN, "not the own proposal"
    await game.ask(answer(proposal, MAX))
    running = game.room.tournaments.running[tournament_id]
    assert running.state.terms.guarantee == ALONE_MAX + 1
    assert await refused(game, answer(proposal, MAX)) is Code.TOO_LATE
    assert not await proposals(game)
    higher = ChangeTournament(tournament_id, json.dumps({"guarantee": 9000}), None, MIA, "more players")
    assert (await game.ask(higher))["waits_for_second_person"]
    assert running.state.terms.guarantee == ALONE_MAX + 1
    smaller = ChangeTournament(tournament_id, json.dumps({"entries_max": 50}), None, MIA, "few dealers")
    assert not (await game.ask(smaller))["waits_for_second_person"], "it promises no more than before"
    [proposal] = await proposals(game)
    await game.ask(answer(proposal, MAX))
    assert (running.state.terms.guarantee, running.state.terms.entries_max) == (9000, 50)
    await game.register(running, "p1", "p2", "p3")
    await game.advance(30 * 60_000)
    assert (await game.play_out(running)).overlay == 9000 - 2700
    await game.checked()
    await assert_verified(database)


async def test_a_rejected_or_late_proposal_announces_nothing(game: TournamentHouse, database: Database) -> None:
    row = template(game, 30, guarantee=6000)
    for by in (MAX, MIA):
        await game.ask(CreateTournament(row, "EUR", MIA, "a feast"))
        [proposal] = await proposals(game)
        await game.ask(answer(proposal, by, is_approved=False))
        assert not await proposals(game)
    await game.ask(CreateTournament(row, "EUR", MIA, "a feast"))
    await game.advance(31 * 60_000)
    [proposal] = await proposals(game)
    assert proposal["preview"] is None
    assert "over" in proposal["refusal"]
    assert await refused(game, answer(proposal, MAX)) is Code.BAD_REQUEST
    assert not [one for one in game.room.tournaments.running.values() if one.spec.source == "feast-eur"]
    async with database.reading() as connection:
        actions = (await connection.execute(select(audit.c.action).where(audit.c.actor == "Max"))).scalars().all()
    assert actions == ["finance_request_rejected"]
    await assert_verified(database)


async def test_an_approved_tournament_is_announced_after_a_crash(
    game: TournamentHouse, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = await game.ask(CreateTournament(template(game, 30, guarantee=6000), "EUR", MIA, "a feast"))
    approve = StaffProposals.approve

    async def approve_and_end(*arguments: Any) -> None:  # noqa: ANN401  those of `approve`
        await approve(*arguments)
        raise Refusal(Code.RATE_LIMITED, "The process ends here.")

    [proposal] = await proposals(game)
    with monkeypatch.context() as patch:
        patch.setattr(StaffProposals, "approve", approve_and_end)
        assert await refused(game, answer(proposal, MAX)) is Code.RATE_LIMITED
    assert created["tournament_id"] not in game.room.tournaments.running
    game = await game.crash()
    await game.advance(60_000)
    assert game.room.tournaments.running[created["tournament_id"]].state.terms.guarantee == 6000
    await game.advance(60_000)
    await assert_verified(database)
    await game.close()


async def test_templates_are_those_of_the_schedule(game: TournamentHouse) -> None:
    offered = await game.ask(ViewTemplates())
    holds(TournamentTemplates, dict(offered))
    [sunday] = offered["templates"]
    assert (sunday["id"], sunday["guarantee"], sunday["every"]) == ("sunday-109", 1_000_000, "sunday 19:00")
    assert "seats" not in sunday, "defaults are left out"
    assert {"name": "deep", "level_minutes": 15, "stack": 10_000} in offered["structures"]
