"""One round for a dispute: everything that happened, step by step, and a hash that the audit chain knows."""

import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from sqlalchemy import select

from casino.cards.card import DECK, parse_cards
from casino.cards.commitment import Shoe, commitment_of
from casino.errors import Refusal
from casino.finance.round_file import canonical, signed_round_file
from casino.finance.round_page import round_page
from casino.people.roles import Actor
from casino.storage.database import Database
from casino.storage.schema import audit, journal, settlements
from casino.table.bookkeeping import Bookkeeper
from casino.uth.commands import CorrectRound, OpenBetting
from casino.uth.phases import Phase
from tests.finance.readers import Row
from tests.table.booked import BookedTable, fill_purses
from tests.tampering import unguarded
from tests.uth.tabletop import NOON_MS, SHARED

BOSS = Actor("Fin", "finance")
DEALT = parse_cards("As Kd 7h 7c 2s Jd 3c Qh Qd")


def shoe() -> Shoe:
    return Shoe((*DEALT, *(card for card in DECK if card not in DEALT)), "secret")


async def file_of(database: Database, round_id: str) -> dict[str, Row]:
    return await signed_round_file(database, round_id, lambda _sealed: shoe(), by=BOSS, at_ms=NOON_MS)


async def promised(database: Database) -> BookedTable:
    """A round of a machine, dealt from a shoe it had promised."""
    await fill_purses(database)
    keeper = await Bookkeeper.of(database, "uth-1")
    opening = OpenBetting("r1", "uth-1", SHARED, commitment_of(shoe()))
    table = BookedTable(database, keeper, await keeper.open_round(opening, NOON_MS, sealed_shoe="sealed"))
    await table.play_to(Phase.SHOWDOWN)
    return table


@pytest.mark.req("AUD")
async def test_file_tells_the_whole_round_and_its_hash_stands_in_the_audit_chain(database: Database) -> None:
    table = await promised(database)
    assert (await file_of(database, "r1"))["round"]["fairness"]["deck"] is None, "nothing is shown too early"
    await table.deal("Qh Qd")
    await table.do(CorrectRound((("dealer_1", "8h"),), "<b>misread</b>", "mia"))
    file = await file_of(database, "r1")
    told, signature = file["round"], file["signature"]
    assert signature["sha256"] == hashlib.sha256(canonical(told)).hexdigest()
    async with database.reading() as connection:
        row = (await connection.execute(select(audit).where(audit.c.id == signature["audit_row"]))).one()
        digests = (await connection.execute(select(journal.c.digest).order_by(journal.c.seq))).scalars().all()
    assert (row.action, row.target, row.digest) == ("round_file", "round r1", signature["audit_digest"])
    assert json.loads(row.after) == {"sha256": signature["sha256"]}
    assert [event["digest"] for event in told["journal"]] == digests
    assert [one["status"] for one in told["settlements"]] == ["settled", "reversal", "corrected"]
    first, reversal, _ = ({seat["player_id"]: seat for seat in one["seats"]} for one in told["settlements"])
    bob = first["bob"]
    assert bob["rule"] == "player folds → ANTE lose, BLIND lose, PLAY none"
    assert bob["spots"]["trips"]["why"] == "lose"
    assert (bob["staked"], reversal["bob"]["staked"]) == (2300, -2300)
    assert [decision["action"] for decision in told["seats"][1]["decisions"]] == ["check", "check", "fold"]
    assert all(decision["automatic"] for decision in told["seats"][1]["decisions"])
    assert {one["kind"] for one in told["postings"]} == {"capture", "settle", "reversal"}
    assert [one["action"] for one in told["audit"]] == ["round_corrected"]
    assert told["fairness"]["deck"] == list(shoe().deck)
    assert told["fairness"]["faults"] == []
    again = await file_of(database, "r1")
    assert again["round"] == told, "asking for it changes nothing in it"


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onload", "onerror"}

    def handle_data(self, data: str) -> None:
        self.text += data


async def test_page_needs_nothing_else_and_escapes_what_people_wrote(database: Database) -> None:
    table = await promised(database)
    await table.deal("Qh Qd")
    await table.do(CorrectRound((("dealer_1", "8h"),), "<script>alert(1)</script>", "mia"))
    file = await file_of(database, "r1")
    page = Page()
    page.feed(round_page(file))
    assert not page.tags & {"script", "img", "link", "iframe", "b"}
    assert "<script>alert(1)</script>" in page.text
    assert file["signature"]["sha256"] in page.text
    assert "7h 7c 2s Jd 3c" in page.text
    kept = re.search(r"\{.*\}", page.text.rpartition("Content as JSON")[2], re.DOTALL)
    assert kept is not None
    assert json.loads(kept[0]) == json.loads(canonical(file["round"]))


async def test_every_kind_of_round_of_a_month_has_a_file(month: Database) -> None:
    async with month.reading() as connection:
        query = select(settlements.c.status, settlements.c.round_id, settlements.c.table_id)
        chosen = {(row.status, row.table_id): row.round_id for row in await connection.execute(query)}
    assert {status for status, _ in chosen} == {"settled", "cancelled", "reversal", "corrected"}
    for (status, _), round_id in chosen.items():
        file = await file_of(month, round_id)
        assert status in {one["status"] for one in file["round"]["settlements"]}
        assert round_id in round_page(file)


async def test_round_that_is_not_there_is_refused(database: Database) -> None:
    with pytest.raises(Refusal, match="There is no round 'nope'"):
        await file_of(database, "nope")


async def test_round_whose_journal_cannot_be_read_still_has_its_postings(database: Database) -> None:
    await promised(database)
    async with unguarded(database) as connection:
        await connection.execute(journal.update().where(journal.c.seq == 3).values(data='{"kind": "nothing"}'))
    told = (await file_of(database, "r1"))["round"]
    assert "cannot be replayed" in told["unreadable"]
    assert told["postings"]
