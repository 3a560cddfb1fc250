"""Fairness checks of `casino verify`: machine-dealt rounds by the settled cards; only version 1 needs the key."""

from collections.abc import Sequence

import pytest
from sqlalchemy import update

from casino.cards.card import Card
from casino.cards.commitment import Shoe, commitment_of
from casino.cards.shuffle import shuffled_deck
from casino.live_table import accounting, auto_dealer
from casino.live_table.accounting import TableUnitOfWork
from casino.live_table.batch import Request
from casino.live_table.journal_replay import load_round
from casino.live_table.messages import Join
from casino.live_table.reveal import reveal
from casino.live_table.shoe import Seal
from casino.storage.database import Database
from casino.storage.schema import rounds
from casino.uth import incidents
from casino.uth.commands import CorrectRound, DealCard, OpenBetting
from casino.uth.events import ShoeRevealed
from casino.uth.state import Round
from casino.verify.verifier import Proofs, verify
from tests.live_table.live import live_table, proof_in
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.tampering import unguarded
from tests.uth.tabletop import SHARED

pytestmark = pytest.mark.req("RNG")


async def played(database: Database) -> str:
    await fill_purses(database)
    async with live_table(database) as table:
        await table.ask(Join("ann", "Ann"))
        round_id: str = (await table.phase("betting"))["round_id"]
        await table.bet(round_id, "ann", 500, seed="mine")
        await table.play_out(round_id)
    return round_id


async def faults(database: Database) -> list[str]:
    return (await verify(database)).fairness.faults


async def test_fair_rounds_are_counted(database: Database) -> None:
    await played(database)
    findings = await verify(database)
    assert findings.is_ok, [check.faults for check in findings.checks]
    assert findings.fairness.counted == 1


async def test_cards_from_other_places_of_the_deck_are_found(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def from_below(round_: Round, deck: Sequence[Card], _slot: str) -> Card:
        return deck[-1 - len(round_.cards)]

    monkeypatch.setattr(auto_dealer, "card_at", from_below)
    round_id = await played(database)
    found = await faults(database)
    assert len(found) == 9
    assert all(fault.startswith(f"round {round_id}: The card settled on at ") for fault in found)


async def test_a_corrected_card_of_a_machine_dealt_round_is_found(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As people could do in earlier versions."""
    monkeypatch.setattr(incidents, "verify_not_committed", lambda _round: None)
    round_id = await played(database)
    proof = await proof_in(database, round_id)
    card, other = proof["dealt"][0], proof["deck"][30]
    keeper = await TableUnitOfWork.of(database, "uth-1")
    async with database.reading() as connection:
        settled = await load_round(connection, round_id)
    command = CorrectRound((("player_1", other),), "misread", "mia")
    [answer] = (await keeper.commit(settled, [Request(command, settled.started_ms + 100_000)])).answers
    assert answer.refusal is None
    wrong = f"The card settled on at player_1 is {other}, and {card} in the deck."
    assert await faults(database) == [f"round {round_id}: {wrong}"]


@pytest.mark.parametrize(
    ("revealed", "fault"),
    [
        (None, "it was settled, and its server seed is lost"),
        ("ab" * 32, "The revealed server seed does not give the commitment published before betting."),
        ("not a seed", "The revealed server seed is none: a server seed is 64 lower-case hexadecimal digits."),
    ],
)
async def test_another_seed_than_the_committed_one_is_found(
    database: Database, monkeypatch: pytest.MonkeyPatch, revealed: str | None, fault: str
) -> None:

    async def false(*arguments: object) -> list[ShoeRevealed]:
        return [ShoeRevealed(revealed, event.at_ms) for event in await reveal(*arguments)]  # type: ignore[arg-type]

    monkeypatch.setattr(accounting, "reveal", false)
    round_id = await played(database)
    assert f"round {round_id}: {fault}" in await faults(database)


async def test_a_round_that_was_never_revealed_is_found(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(*_: object) -> list[ShoeRevealed]:
        return []

    monkeypatch.setattr(accounting, "reveal", silent)
    round_id = await played(database)
    assert await faults(database) == [f"round {round_id}: its server seed was never revealed"]


V1_KEY = "the secret key of the tests"


async def played_with_shoe(database: Database, dealt: Sequence[int]) -> None:
    """A settled round of commitment version 1; `dealt` are the places of its cards in the deck."""
    await fill_purses(database)
    shoe = Shoe(shuffled_deck(), "ab" * 32)
    table = await BookedTable.open(database, round_id="void")
    await table.time_out()
    command = OpenBetting("fair", "uth-1", SHARED, commitment_of(shoe), commitment_version=1)
    table.now_ms += 2_000
    table.round = await table.unit_of_work.open_round(command, table.now_ms, sealed_shoe=Seal(V1_KEY).close_shoe(shoe))
    await table.do(table.bet("ann", 500))
    await table.time_out()
    places = iter(dealt)
    for count in (2, 3, 2, 2):
        await table.do(*(DealCard("fair", shoe.deck[next(places)]) for _ in range(count)))
        if table.round.is_deciding:
            await table.time_out()
    assert table.round.is_over


async def test_rounds_of_version_1_are_checked_with_the_key_and_counted_without(database: Database) -> None:
    await played_with_shoe(database, range(9))
    without = await verify(database)
    assert (without.is_ok, without.fairness.counted, without.unchecked_rounds) == (True, 0, {"no key": 1})
    for keys in ([V1_KEY], ["the key of today, which is long enough", V1_KEY]):
        findings = await verify(database, None, Proofs(keys))
        assert (findings.fairness.faults, findings.fairness.counted, findings.unchecked_rounds) == ([], 1, {})
    other = await verify(database, None, Proofs(["the key of today, which is long enough"]))
    assert (other.fairness.counted, other.unchecked_rounds) == (0, {"sealed with another key": 1})


async def test_other_cards_than_the_shoe_of_version_1_are_found(database: Database) -> None:
    await played_with_shoe(database, [*range(8), 20])
    assert await faults(database) == []
    findings = await verify(database, None, Proofs([V1_KEY]))
    assert findings.fairness.faults == ["round fair: The cards dealt are not the top of the revealed deck."]


async def test_settled_round_of_version_1_without_its_shoe_is_found(database: Database) -> None:
    await played_with_shoe(database, range(9))
    async with unguarded(database) as connection:
        await connection.execute(update(rounds).values(sealed_shoe=None))
    assert await faults(database) == ["round fair: it was settled, and its sealed shoe is missing"]
