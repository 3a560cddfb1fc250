"""Tournaments that are over, as everybody can look them up: places, prizes, bounties, refunds and the final table."""

import orjson
import pytest
from sqlalchemy import insert, select

from casino.errors import Code, Refusal
from casino.history.finished_tournament import finished_tournament
from casino.history.finished_tournaments import finished_page
from casino.poker.tournament.director import begin as begin_tournament
from casino.poker.tournament.director import evolve
from casino.poker.tournament.events import Announced, load_event
from casino.poker.tournament.icm import icm_shares
from casino.poker_room.tournament.messages import BuyChips, RegisterHexa, UnregisterEntry
from casino.poker_room.tournament.staff_messages import CancelTournament
from casino.storage.database import Database
from casino.storage.schema import users
from casino.storage.tournament_schema import tournament_journal
from casino.users.roles import Person
from casino.wire.finished_tournaments import FinishedTournament
from tests.poker_room.running_room import sender
from tests.poker_room.stored_tables import SEAL
from tests.poker_room.test_multi_table import begin
from tests.poker_room.tournament_house import HouseOpened

MIA = Person("mia-id", "Mia", "manager")


@pytest.fixture(autouse=True)
async def named(database: Database) -> None:
    """Accounts of the players, who have names."""
    rows = [
        {"id": f"p{no}", "name": f"Player {no}", "name_folded": f"player {no}", "role": "player", "currency": "EUR"}
        for no in range(1, 15)
    ]
    async with database.writing() as connection:
        await connection.execute(insert(users).values([row | {"created_ms": 0} for row in rows]))


async def results(database: Database, tournament_id: str, search: str = "") -> FinishedTournament:
    async with database.reading() as connection:
        return await finished_tournament(connection, tournament_id, SEAL.open_text, search=search)


async def final_table_of(database: Database, tournament_id: str) -> list[int]:
    """Stacks at the first hand after the last table was closed, by replaying the whole journal."""
    columns = tournament_journal.c
    query = select(columns.event).where(columns.tournament_id == tournament_id).order_by(columns.seq)
    async with database.reading() as connection:
        texts = (await connection.execute(query)).scalars().all()
    first, *events = [load_event(orjson.loads(text)) for text in texts]
    assert isinstance(first, Announced)
    state, stacks, is_new = begin_tournament(first), [0], False
    for event in events:
        is_new = is_new or event.kind == "table_closed"
        if event.kind == "hand_dealt" and is_new and len(state.tables) == 1:
            stacks, is_new = sorted((one.chips for one in state.entries.values() if one.chips), reverse=True), False
        state = evolve(state, event)
    return stacks


async def test_places_prizes_bounties_and_the_final_table(house: HouseOpened, database: Database) -> None:
    game = await house(14, seed=7)
    running = await game.announce(bounty={"kind": "progressive"}, structure="hyper", late_levels=0, seats=4)
    [taken_back] = await game.register(running, "p14")
    await game.ask(UnregisterEntry(sender("p14"), taken_back, "back"))
    await game.register(running, *(f"p{number}" for number in range(1, 14)))
    with pytest.raises(Refusal) as refusal:
        await results(database, running.tournament_id)
    assert refusal.value.code is Code.NOT_FOUND
    await game.advance(600_000)
    state = await game.play_out(running)
    found = await results(database, running.tournament_id)
    assert [row["place"] for row in found["places"]] == [*range(1, 14)]
    assert [row["prize"] for row in found["places"]] == [*state.prizes, *(0 for _ in range(13 - len(state.prizes)))]
    assert sum(row["bounties"] for row in found["places"]) == 13 * state.terms.price.bounty
    assert found["paid_out"] == sum(state.prizes) + 13 * state.terms.price.bounty
    assert (found["entries"], found["total"], found["winner"]) == (13, 13, found["places"][0]["name"])
    assert sum(prize["amount"] * (prize["last"] - prize["first"] + 1) for prize in found["prizes"]) == sum(state.prizes)
    assert found["level"] >= 1
    seats = found["final_table"]
    chips = [seat["chips"] for seat in seats]
    assert chips == await final_table_of(database, running.tournament_id)
    assert [seat["icm"] for seat in seats] == icm_shares(sum(state.prizes), chips, state.prizes[: len(seats)])
    assert sum(seat["prize"] for seat in seats) == sum(seat["icm"] for seat in seats) == sum(state.prizes)
    one = await results(database, running.tournament_id, search=found["places"][4]["name"].upper())
    assert found["places"][4] in one["places"]
    assert one["total"] < 13
    async with database.reading() as connection:
        [row], following = await finished_page(connection, "EUR")
        assert (await finished_page(connection, "FUN"))[0] == []
    assert following is None
    assert row == {key: found[key] for key in row}  # type: ignore[literal-required]


async def test_rebuys_and_the_refund_of_a_cancellation(house: HouseOpened, database: Database) -> None:
    game = await house(3)
    running = await begin(game, 3, rebuy={"levels": 3}, structure="hyper", late_levels=0)

    def offered() -> list[str]:
        entries = running.state.entries.values()
        return [one.player_id for one in entries if running.state.has_offer(one.entry_id, game.clock())]

    await game.play(lambda: bool(offered()))
    await game.ask(BuyChips(sender(offered()[0]), running.tournament_id, "rebuy", is_add_on=False))
    with_chips = sum(entry.chips > 0 for entry in running.state.entries.values())
    await game.ask(CancelTournament(running.tournament_id, MIA, "a fault"))
    found = await results(database, running.tournament_id)
    assert (found["status"], found["cancelled_because"], found["winner"]) == ("cancelled", "a fault", None)
    assert found["rebuys"] == 1
    assert [row["rebuys"] for row in found["places"] if row["rebuys"]] == [1]
    assert sum(row["refund"] > 0 for row in found["places"]) == with_chips
    assert sum(row["refund"] for row in found["places"]) == found["paid_out"]
    assert found["prizes"] == []


async def test_tickets_of_a_satellite_and_the_draw_of_a_hexapro_game(house: HouseOpened, database: Database) -> None:
    game = await house(6, seed=4)
    running = await begin(game, 6, satellite_to="sunday-109", total=3000, structure="hyper", late_levels=0)
    await game.play_out(running)
    found = await results(database, running.tournament_id)
    assert [row["ticket"] for row in found["places"]] == [True, *(False for _ in range(5))]
    assert (found["places"][0]["prize"], found["places"][0]["bounties"]) == (10_900, 0)
    assert found["places"][1]["prize"] == found["paid_out"] == 6 * 2700 - 10_900
    assert found["final_table"] == []
    for player in ("p1", "p2", "p3"):
        await game.ask(RegisterHexa(sender(player), "classic", 100, 1, f"hexa-{player}"))
    [hexa] = [one for one in game.room.tournaments.running.values() if one.reveal]
    await game.play_out(hexa)
    found = await results(database, hexa.tournament_id)
    assert found["draw"] is not None
    assert found["draw"]["multiplier"] * 100 == found["paid_out"]
