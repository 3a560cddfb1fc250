"""Round file for disputes: every step of a round, and a hash recorded in the audit chain."""

import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from sqlalchemy import select

from casino.cards.card import DECK, parse_cards
from casino.cards.commitment import Shoe, commitment_of
from casino.chat.archive import ChatArchive
from casino.chat.message_log import Line
from casino.errors import Refusal
from casino.finance.round_file import canonical, signed_round_file
from casino.finance.round_file_html import round_page
from casino.finance.round_file_types import RoundFile
from casino.live_table.accounting import TableUnitOfWork
from casino.storage.database import Database
from casino.storage.schema import audit, journal, settlements
from casino.users.roles import Actor
from casino.uth import incidents
from casino.uth.bets import Action
from casino.uth.commands import (
    ApproveProposal,
    CorrectCard,
    CorrectRound,
    OpenBetting,
    ReportProblem,
    Resume,
    SwapCards,
)
from casino.uth.phases import Phase
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.tampering import unguarded
from tests.uth.tabletop import NOON_MS, SHARED

BOSS = Actor("Fin", "finance")
DEALT = parse_cards("As Kd 7h 7c 2s Jd 3c Qh Qd")


def shoe() -> Shoe:
    return Shoe((*DEALT, *(card for card in DECK if card not in DEALT)), "secret")


async def file_of(database: Database, round_id: str) -> RoundFile:
    return await signed_round_file(database, round_id, lambda _sealed: shoe(), by=BOSS, at_ms=NOON_MS)


async def promised(database: Database) -> BookedTable:
    """A round of a machine, dealt from a shoe it had promised."""
    await fill_purses(database)
    keeper = await TableUnitOfWork.of(database, "uth-1")
    opening = OpenBetting("r1", "uth-1", SHARED, commitment_of(shoe()), commitment_version=1)
    table = BookedTable(database, keeper, await keeper.open_round(opening, NOON_MS, sealed_shoe="sealed"))
    await table.play_to(Phase.SHOWDOWN)
    return table


@pytest.fixture
def _before_cards_were_final(monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier versions let two people correct a machine-dealt round; such rounds stay in the books."""
    monkeypatch.setattr(incidents, "verify_not_committed", lambda _round: None)


@pytest.mark.req("AUD")
@pytest.mark.usefixtures("_before_cards_were_final")
async def test_round_file_is_complete_and_its_hash_is_in_the_audit_chain(database: Database) -> None:
    table = await promised(database)
    assert (await file_of(database, "r1"))["round"]["fairness"]["proof"] is None, "nothing is shown too early"
    await table.deal("Qh Qd")
    await table.do(CorrectRound((("dealer_1", "8h"),), "<b>misread</b>", "mia"))
    file = await file_of(database, "r1")
    filed, signature = file["round"], file["signature"]
    assert signature["sha256"] == hashlib.sha256(canonical(filed)).hexdigest()
    async with database.reading() as connection:
        row = (await connection.execute(select(audit).where(audit.c.id == signature["audit_row"]))).one()
        digests = (await connection.execute(select(journal.c.digest).order_by(journal.c.seq))).scalars().all()
    assert (row.action, row.target, row.digest) == ("round_file", "round r1", signature["audit_digest"])
    assert json.loads(row.after) == {"sha256": signature["sha256"]}
    assert [event["digest"] for event in filed["journal"]] == digests
    assert [one["status"] for one in filed["settlements"]] == ["settled", "reversal", "corrected"]
    first, reversal, _ = ({seat["player_id"]: seat for seat in one["seats"]} for one in filed["settlements"])
    bob = first["bob"]
    assert bob["rule"] == "The player folded: ANTE loses, BLIND loses, PLAY was not made."
    assert bob["spots"]["trips"]["why"] == "loses"
    assert (bob["staked"], reversal["bob"]["staked"]) == (2300, -2300)
    assert [decision["action"] for decision in filed["seats"][1]["decisions"]] == ["check", "check", "fold"]
    assert all(decision["automatic"] for decision in filed["seats"][1]["decisions"])
    assert {one["kind"] for one in filed["postings"]} == {"capture", "settle", "reversal"}
    assert [one["action"] for one in filed["audit"]] == ["round_corrected"]
    proof = filed["fairness"]["proof"]
    assert proof is not None
    assert proof["deck"] == list(shoe().deck)
    assert filed["fairness"]["faults"] == ["The cards dealt are not the top of the revealed deck."], "corrected"
    again = await file_of(database, "r1")
    assert again["round"] == filed, "asking for it changes nothing in it"


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onload", "onerror"}

    def handle_data(self, data: str) -> None:
        if self.lasttag == "title" and not self.title:
            self.title = data
        elif self.lasttag != "style":
            self.text += data


@pytest.mark.usefixtures("_before_cards_were_final")
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
    assert "7♥7♣2♠J♦3♣" in page.text, "cards are drawn"
    assert page.title == "Game 12:00:00 of 14 November 2023, table uth-1"
    assert "r1" not in page.title
    shown = page.text.partition("Technical appendix")[0]
    assert "{" not in shown, "nothing of the page is JSON"
    for filed in (
        "Betting closed with the bets of 3 players.",
        "DEALER 1: Q♥ was dealt.",
        "gave no answer, which counts as FOLD.",
        "Correction, ",
        "Returned before",
    ):
        assert filed in shown, filed
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
    filed = (await file_of(database, "r1"))["round"]
    assert "cannot be replayed" in filed["unreadable"]
    assert filed["postings"]


@pytest.mark.usefixtures("_before_cards_were_final")
async def test_words_for_blind_agree_and_a_correction_shows_before_and_after(database: Database) -> None:
    table = await promised(database)
    await table.deal("Qh Qd")
    await table.do(CorrectRound((("dealer_1", "8h"),), "misread", "mia"))
    filed = (await file_of(database, "r1"))["round"]
    words = {"win": "BLIND wins", "push": "BLIND is returned", "lose": "BLIND loses"}
    for settled in filed["settlements"]:
        for seat in settled["seats"]:
            blind = seat["spots"]["blind"]
            assert seat["rule"] is not None
            assert words[blind["outcome"]] in seat["rule"], "the rule and the bet say the same"
    (correction,) = filed["corrections"]
    assert correction["cards"] == [{"slot": "dealer_1", "was": "Qh", "card": "8h"}]
    first, _, last = filed["settlements"]
    assert [(one["returned_before"], one["returned_after"]) for one in correction["results"]] == [
        (before["returned"], after["returned"]) for before, after in zip(first["seats"], last["seats"], strict=True)
    ]


async def test_swap_is_a_correction_with_both_cards_and_both_people(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DEALING_RIVER)
    await table.do(ReportProblem("wrong order", "pia"), SwapCards("r1", "flop_3", "player_2", "the video", "max"))
    await table.do(ApproveProposal("r1.1", "mona"))
    file = await file_of(database, "r1")
    (correction,) = file["round"]["corrections"]
    assert (correction["proposed_by"], correction["approved_by"], correction["results"]) == ("max", "mona", [])
    assert correction["cards"] == [
        {"slot": "player_2", "was": "Kd", "card": "2s"},
        {"slot": "flop_3", "was": "2s", "card": "Kd"},
    ]
    assert "<th>Approved by</th><td>mona</td>" in round_page(file)


async def test_void_decisions_are_in_the_journal_alone(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_FLOP)
    await table.do(table.answer("ann", Action.PLAY_2X))
    await table.do(ReportProblem("wrong card", "pia"), CorrectCard("r1", "flop_1", "8h", "misread", "max"))
    await table.do(ApproveProposal("r1.1", "mona"))
    await table.do(Resume("max", "decided on the wrong card", reopen=True))
    await table.do(table.answer("ann", Action.CHECK))
    filed = (await file_of(database, "r1"))["round"]
    (ann,) = (seat for seat in filed["seats"] if seat["player_id"] == "ann")
    assert [(one["phase"], one["action"]) for one in ann["decisions"]] == [
        ("deciding_preflop", "check"),
        ("deciding_flop", "check"),
    ]
    assert [one["data"]["action"] for one in filed["journal"] if one["kind"] == "decision_made"] == ["play_2x", "check"]


@pytest.mark.usefixtures("_before_cards_were_final")
async def test_copy_for_one_player_has_nothing_of_others_and_no_staff_names(database: Database) -> None:
    table = await promised(database)
    await table.deal("Qh Qd")
    await table.do(CorrectRound((("dealer_1", "8h"),), "misread", "mia"))
    archive = ChatArchive(database, 90, lambda: NOON_MS)
    for said, blocked in (
        (Line("uth-1", "bob", "player", "my own", NOON_MS, "bob"), None),
        (Line("uth-1", "bob", "player", "my blocked one", NOON_MS, "bob"), "chat_link"),
        (Line("uth-1", "ann", "player", "of another", NOON_MS, "ann"), None),
        (Line("uth-1", "Pia", "presenter", "to all", NOON_MS), None),
    ):
        archive.keep(said, blocked)
    await archive.flush()
    whole = await file_of(database, "r1")
    assert [line["text"] for line in whole["round"]["chat"]] == ["my own", "my blocked one", "of another", "to all"]
    file = await signed_round_file(database, "r1", lambda _sealed: shoe(), by=BOSS, at_ms=NOON_MS, player_id="bob")
    filed = file["round"]
    assert filed["for_player"] == "bob"
    assert [line["text"] for line in filed["chat"]] == ["my own", "my blocked one", "to all"]
    assert [one["player_id"] for one in filed["seats"]] == ["bob"]
    assert filed["postings"]
    for secret in ("ann", "mia"):
        assert not re.search(rf"\b{secret}\b", canonical(filed).decode()), secret
        assert not re.search(rf"\b{secret}\b", round_page(file)), secret
    assert "Copy for bob" in round_page(file)
    assert "<td>Betting closed.</td>" in round_page(file), "how many have bet is not in the copy"
    async with database.reading() as connection:
        row = (await connection.execute(select(audit).where(audit.c.id == file["signature"]["audit_row"]))).one()
    assert json.loads(row.after) == {"sha256": file["signature"]["sha256"], "player": "bob"}
    with pytest.raises(Refusal, match="was not in this round"):
        await signed_round_file(database, "r1", lambda _sealed: None, by=BOSS, at_ms=NOON_MS, player_id="zoe")
