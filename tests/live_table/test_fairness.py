"""Fairness of machine-dealt rounds at a running table: commitment, contributed seeds, reveal, restarts."""

import base64

import pytest
from sqlalchemy import select

from casino.cards.seeded_shuffle import ServerSeed, opaque_player
from casino.errors import Code, Refusal
from casino.live_table.messages import Drain, Join, OpenTable, StartRound
from casino.storage.database import Database
from casino.storage.schema import journal, metadata
from casino.uth.bets import Action
from casino.uth.commands import CancelRound
from casino.uth.fairness import faults_in
from casino.wire.outbound import Payload
from tests.live_table.live import live_table, proof_in, table_settings
from tests.live_table.stored_rounds import PURSE, fill_purses, purse, statuses

pytestmark = pytest.mark.req("RNG")
PRESENTER = table_settings(dealing="presenter")
OWN = table_settings(hands="own", seats=7)


async def revealed_events(database: Database, round_id: str) -> list[str]:
    query = select(journal.c.kind).where(journal.c.round_id == round_id).order_by(journal.c.seq)
    async with database.reading() as connection:
        kinds = (await connection.execute(query)).scalars().all()
    return [kind for kind in kinds if kind in ("round_settled", "round_cancelled", "betting_voided", "shoe_revealed")]


def cards_of(view: Payload) -> list[str]:
    cards: list[str] = view["player_cards"] + view["board"] + view["dealer_cards"]
    return cards


async def test_the_seeds_of_standing_bets_are_in_the_proof_under_ids_of_this_round(database: Database) -> None:
    """Of each player the last seed sent; without one the seed stays; taking all bets back removes it."""
    await fill_purses(database, dict.fromkeys(("ann", "bob", "cas", "dan"), "EUR"))
    async with live_table(database) as table:
        for player in ("ann", "bob", "cas", "dan"):
            await table.ask(Join(player, player.title()))
        betting = await table.phase("betting")
        round_id = betting["round_id"]
        await table.bet(round_id, "ann", 500, seed="first")
        await table.bet(round_id, "ann", 500, seed="second")
        await table.bet(round_id, "ann", 700)
        await table.bet(round_id, "bob", 500, seed="bob's")
        await table.bet(round_id, "bob", 0)
        await table.bet(round_id, "bob", 500)
        await table.bet(round_id, "cas", 500)
        await table.bet(round_id, "dan", 500, seed='a "b" \\ |')
        assert (await table.until("ann", "seat", lambda seat: seat["bets"]["ante"] == 700))["seed"] == "second"
        with pytest.raises(Refusal) as early:
            await proof_in(database, round_id)
        settled = await table.play_out(round_id)
    assert early.value.code is Code.NOT_OFFERED
    proof = await proof_in(database, round_id)
    server_seed = ServerSeed(proof["server_seed"])
    ids = {opaque_player(server_seed, "uth-1", round_id, player): player for player in ("ann", "bob", "cas", "dan")}
    assert {ids[one["player"]]: one["seed"] for one in proof["seeds"]} == {"ann": "second", "dan": 'a "b" \\ |'}
    assert proof["commitment"] == betting["commitment"]
    assert proof["dealt"] == cards_of(settled)
    assert faults_in(proof) == []


async def test_another_seed_is_another_deck(database: Database) -> None:
    """Forged in the proof: with another player's seed the deck does not follow any more."""
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500, seed="mine")
        await table.play_out(round_id)
    proof = await proof_in(database, round_id)
    [own] = proof["seeds"]
    assert faults_in({**proof, "seeds": [own | {"seed": "yours"}]}) == ["The seeds do not give the published deck."]


async def test_server_seed_is_nowhere_in_the_database_before_the_end(database: Database) -> None:
    """A person who can read the database, and not the key, learns no card that is still to be dealt."""
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500)
        table.time_out()
        await table.phase("deciding_preflop")
        during = await everything_in(database)
        await table.decide(betting["round_id"], "ann", Action.PLAY_4X)
        await table.phase("settled", betting["round_id"])
    seed = (await proof_in(database, betting["round_id"]))["server_seed"]
    assert seed in await everything_in(database)
    assert betting["commitment"] in during
    for form in (seed, f"{bytes.fromhex(seed)!r}", base64.b64encode(bytes.fromhex(seed)).decode()):
        assert form not in during


async def everything_in(database: Database) -> str:
    async with database.reading() as connection:
        rows = [(await connection.execute(select(table))).all() for table in metadata.sorted_tables]
    return f"{rows}"


@pytest.mark.req("RND-4")
async def test_a_restart_deals_the_same_deck_from_the_contributed_seeds(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        betting = await table.phase("betting")
        await table.bet(betting["round_id"], "ann", 500, seed="a seed to remember")
        table.time_out()
        before = await table.phase("deciding_preflop")
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        await table.decide(betting["round_id"], "ann", Action.PLAY_4X)
        settled = await table.phase("settled", betting["round_id"])
    proof = await proof_in(database, betting["round_id"])
    assert [one["seed"] for one in proof["seeds"]] == ["a seed to remember"]
    assert proof["dealt"] == cards_of(settled)
    assert proof["dealt"][:2] == before["player_cards"]
    assert faults_in({**proof, "commitment": betting["commitment"]}) == []


async def test_rounds_without_bets_and_cancelled_rounds_are_revealed_too(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        empty = (await table.phase("betting"))["round_id"]
        table.time_out()
        await table.phase("idle", empty)
        cancelled = (await table.until("*", "round", lambda view: view["round_id"] not in (None, empty)))["round_id"]
        await table.bet(cancelled, "ann", 500, seed="x")
        table.time_out()
        await table.phase("deciding_preflop", cancelled)
        await table.ask(CancelRound("The lights went out.", "system", automatic=True))
        known = (None, empty, cancelled)
        stopped = (await table.until("*", "round", lambda view: view["round_id"] not in known))["round_id"]
        await table.bet(stopped, "ann", 500, seed="x")
        await table.ask(Drain())
    for round_id, ending, dealt in (
        (empty, "betting_voided", 0),
        (cancelled, "round_cancelled", 2),
        (stopped, "betting_voided", 0),
    ):
        assert await revealed_events(database, round_id) == [ending, "shoe_revealed"]
        proof = await proof_in(database, round_id)
        assert faults_in(proof) == []
        assert len(proof["dealt"]) == dealt
        assert len(proof["seeds"]) == (round_id == cancelled)


async def test_betting_open_at_a_crash_is_revealed_at_the_restart(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500, seed="x")
    async with live_table(database):
        assert await revealed_events(database, round_id) == ["betting_voided", "shoe_revealed"]
    assert faults_in(await proof_in(database, round_id)) == []
    assert await purse(database, "ann") == ("EUR", PURSE, 0)


async def test_a_round_whose_seed_is_lost_with_the_key_is_cancelled_and_says_so(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        table.time_out()
        await table.phase("deciding_preflop")
    async with live_table(database, key="another key of the tests"):
        assert (await statuses(database))[round_id] == "cancelled"
    assert await revealed_events(database, round_id) == ["round_cancelled", "shoe_revealed"]
    with pytest.raises(Refusal, match="no longer available"):
        await proof_in(database, round_id)
    assert await purse(database, "ann") == ("EUR", PURSE, 0)


async def test_a_committed_round_is_cancelled_if_its_table_is_dealt_by_a_presenter_now(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500)
        table.time_out()
        await table.phase("deciding_preflop")
    async with live_table(database, PRESENTER) as table:
        joined = await table.ask(Join("ann", "Ann"))
        assert joined["round"]["phase"] == "idle"
        assert await statuses(database) == {round_id: "cancelled"}
    assert await purse(database, "ann") == ("EUR", PURSE, 0)
    assert faults_in(await proof_in(database, round_id)) == []


async def test_a_presenters_round_is_cancelled_if_a_machine_deals_its_table_now(database: Database) -> None:
    await fill_purses(database)
    async with live_table(database, PRESENTER) as table:
        await table.ask(OpenTable("pia"))
        await table.ask(Join("ann", "Ann"))
        await table.ask(StartRound("pia"))
        betting = await table.phase("betting")
        assert betting["commitment"] is None
        await table.bet(betting["round_id"], "ann", 500, seed="not used where a person shuffles")
        assert (await table.until("ann", "seat", lambda seat: seat["bets"]["ante"] == 500))["seed"] is None
        table.time_out()
        await table.phase("dealing_hole")
    async with live_table(database):
        assert (await statuses(database))[betting["round_id"]] == "cancelled"
    assert await purse(database, "ann") == ("EUR", PURSE, 0)
    assert await revealed_events(database, betting["round_id"]) == ["round_cancelled"]


async def test_every_seat_has_its_place_in_the_deck_whether_it_bets_or_not(database: Database) -> None:
    """Seats 1 and 3 are taken, only seat 3 bets: board and dealer are where a full table would have them."""
    await fill_purses(database)
    async with live_table(database, OWN) as table:
        await table.ask(Join("ann", "Ann", 1))
        await table.ask(Join("bob", "Bob", 3))
        round_id = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "bob", 500)
        settled = await table.play_out(round_id)
    proof = await proof_in(database, round_id)
    assert proof["slots"][:2] == ["seat_3_card_1", "seat_3_card_2"]
    assert settled["seats"][0]["player_cards"] == proof["deck"][4:6]
    assert settled["board"] == proof["deck"][14:19]
    assert settled["dealer_cards"] == proof["deck"][19:21]
    assert faults_in(proof) == []
