"""Decisions of two people, as `casino verify` finds them in the journal and in the audit log."""

from collections.abc import Sequence
from dataclasses import replace

import orjson
import pytest
from sqlalchemy import select

from casino.storage.database import Database
from casino.storage.schema import audit
from casino.uth.commands import ApproveProposal, CancelRound, CorrectCard, RejectProposal, ReportProblem
from casino.uth.events import Event, ProposalApproved, ProposalMade, RoundCancelled, dump_event
from casino.uth.phases import Phase
from casino.verify.round_replay import ReplayError, Row, replay
from casino.verify.verifier import verify
from tests.live_table.stored_rounds import BookedTable, fill_purses
from tests.uth.tabletop import Tabletop
from tests.uth.test_proposals import committed_in


def rows_of(table: Tabletop, journal: Sequence[Event]) -> list[Row]:
    events = [table.opened, *journal]
    return [
        ("r1", "uth-1", seq, event.kind, event.version, event.at_ms, orjson.dumps(dump_event(event)).decode())
        for seq, event in enumerate(events, 1)
    ]


def cancelled_by_two() -> Tabletop:
    table = committed_in(Phase.DECIDING_RIVER)
    table.do(CancelRound("no confidence", "max"))
    table.do(ApproveProposal("r1.1", "mona"))
    return table


def test_cancellation_by_two_people_is_in_order() -> None:
    table = cancelled_by_two()
    assert replay(rows_of(table, table.journal), lambda _: "EUR").status == "cancelled"


def test_machine_dealt_round_cancelled_by_one_person_is_found() -> None:
    table = cancelled_by_two()
    alone = [event for event in table.journal if not isinstance(event, ProposalMade | ProposalApproved)]
    with pytest.raises(ReplayError, match="max has cancelled a machine-dealt round alone"):
        replay(rows_of(table, alone), lambda _: "EUR")
    by_system = [
        RoundCancelled(event.incident_id, event.reason, "system", event.at_ms, event.phase)
        if isinstance(event, RoundCancelled)
        else event
        for event in alone
    ]
    assert replay(rows_of(table, by_system), lambda _: "EUR").status == "cancelled"


def test_cancellation_that_names_another_proposer_is_found() -> None:
    table = committed_in(Phase.DECIDING_RIVER)
    table.do(CancelRound("no confidence", "max"))
    table.do(CancelRound("nobody answered", "system", automatic=True))
    assert replay(rows_of(table, table.journal), lambda _: "EUR").status == "cancelled"
    forged = [
        replace(event, proposed_by="mona") if isinstance(event, RoundCancelled) else event for event in table.journal
    ]
    with pytest.raises(ReplayError, match="no proposal by mona was open when the round was cancelled"):
        replay(rows_of(table, forged), lambda _: "EUR")


def test_approval_by_the_proposer_is_found() -> None:
    table = cancelled_by_two()
    forged = [
        ProposalApproved(event.proposal_id, event.proposed_by, event.proposed_by, event.at_ms)
        if isinstance(event, ProposalApproved)
        else event
        for event in table.journal
    ]
    with pytest.raises(ReplayError, match="max has approved their own proposal"):
        replay(rows_of(table, forged), lambda _: "EUR")
    unasked = [event for event in table.journal if not isinstance(event, ProposalMade)]
    with pytest.raises(ReplayError, match="does not wait for it"):
        replay(rows_of(table, unasked), lambda _: "EUR")


async def test_proposals_and_their_audit_rows_agree(database: Database) -> None:
    await fill_purses(database)
    table = await BookedTable.open(database)
    await table.play_to(Phase.DECIDING_FLOP)
    correction = CorrectCard("r1", "player_2", "Ad", "misread", "max")
    await table.do(ReportProblem("misread", "pia"), correction)
    assert (await verify(database)).is_ok
    await table.do(RejectProposal("r1.1", "mona", "it is right"), correction)
    await table.do(ApproveProposal("r1.2", "mona"))
    assert table.round.hole_cards(None) == ("As", "Ad")
    findings = await verify(database)
    assert findings.is_ok, [check.faults for check in findings.checks]
    async with database.reading() as connection:
        rows = await connection.execute(select(audit.c.action, audit.c.actor).order_by(audit.c.id))
        assert [tuple(row) for row in rows] == [
            ("round_paused", "pia"),
            ("proposal_made", "max"),
            ("proposal_rejected", "mona"),
            ("proposal_made", "max"),
            ("proposal_approved", "mona"),
            ("card_corrected", "max"),
        ]
