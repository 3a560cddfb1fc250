"""Fairness over the wire: seeds sent with bets to the real service, and public proofs."""

import pytest

from casino.cards.seeded_shuffle import ServerSeed, opaque_player
from casino.uth.fairness import faults_in
from tests.live.clients import Clients
from tests.live.service import Json

pytestmark = pytest.mark.req("RNG")


async def anonymous(clients: Clients, round_id: str) -> tuple[int, Json]:
    async with clients.web.get(f"{clients.service.address}/api/fairness/{round_id}") as answer:
        return answer.status, await answer.json()


async def test_fairness_proof_is_public_after_the_round_and_hidden_before(clients: Clients) -> None:
    table_id = clients.service.table("machine")
    ann, bob = await clients.player(), await clients.player()
    await ann.join(table_id)
    await bob.join(table_id)
    betting = await ann.phase(table_id, None, "betting")
    round_id = betting["round_id"]
    bet = {"table_id": table_id, "round_id": round_id, "ante": 500, "trips": 0}
    bad: object
    for bad in ("", "x" * 65, "é", "a\n", "\x00", 5, True, ["x"], {}):
        assert await ann.refused("bet", bet | {"seed": bad}) == "bad_request"
    await ann.ok("bet", bet | {"seed": "~" * 64})
    await ann.ok("bet", bet | {"ante": 1000})
    await bob.ok("bet", bet)
    assert (await ann.until("seat", lambda seat: seat["bets"]["ante"] == 1000))["seed"] == "~" * 64
    status, reply = await anonymous(clients, round_id)
    assert (status, reply["error"]["code"]) == (409, "not_offered")
    await ann.phase(table_id, round_id, "deciding_preflop")
    for player in (ann, bob):
        await player.decide(table_id, round_id, "play_4x")
    await ann.result(round_id)
    status, proof = await anonymous(clients, round_id)
    settled = await ann.phase(table_id, round_id, "settled")
    assert status == 200
    assert proof["commitment"] == betting["commitment"]
    assert proof["dealt"] == settled["player_cards"] + settled["board"] + settled["dealer_cards"]
    own_id = opaque_player(ServerSeed(proof["server_seed"]), table_id, round_id, ann.id)
    assert proof["seeds"] == [{"player": own_id, "seed": "~" * 64}]
    assert faults_in(proof) == []
    assert ann.id not in str(proof)
    assert bob.id not in str(proof)


async def test_there_is_no_proof_of_what_was_never_committed(clients: Clients) -> None:
    for round_id in ("no-such-round", "a" * 41, "%00"):
        status, reply = await anonymous(clients, round_id)
        assert (status, reply["error"]["code"]) == (404, "not_found")
