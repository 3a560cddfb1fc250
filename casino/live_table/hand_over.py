"""Requests of presenters to take over a colleague's table, confirmed by that colleague or by a manager."""

import secrets
from typing import Final

from casino.audit.log import Entry
from casino.errors import Code, Refusal
from casino.live_table.messages import AnswerHandOver
from casino.live_table.shift import HandOver, Shift
from casino.wire import host_events

_PREFIX: Final = "h"
"""Distinguishes the id of a request from that of a proposal, which begins with the id of its round."""


def is_hand_over(proposal_id: str) -> bool:
    return proposal_id.startswith(_PREFIX) and "." not in proposal_id


def request(shift: Shift, by: str, now_ms: int) -> Shift:
    """A newer request replaces an older one; repeating a request changes nothing.

    Raises `no_presenter` if no presenter is on shift: the table can simply be opened.
    """
    if shift.presenter is None:
        raise Refusal(Code.NO_PRESENTER, "No presenter is on shift at this table. Open it instead.")
    if by == shift.presenter or (shift.hand_over and shift.hand_over.by == by):
        return shift
    return shift.with_hand_over(HandOver(_PREFIX + secrets.token_urlsafe(12), by, now_ms))


def answer(shift: Shift, message: AnswerHandOver) -> Shift:
    """Raises `too_late` for a replaced or answered request, `forbidden` if this person may not answer."""
    wanted = shift.hand_over
    if wanted is None or wanted.id != message.proposal_id:
        raise Refusal(Code.TOO_LATE, "This request to take over the table is no longer open.")
    is_withdrawn = not message.is_confirmed and message.by == wanted.by
    if message.role != "manager" and message.by != shift.presenter and not is_withdrawn:
        raise Refusal(Code.FORBIDDEN, f"Only {shift.presenter} or a manager can answer this request.")
    return shift.handed_over() if message.is_confirmed else shift.with_hand_over(None)


def entry(before: Shift, message: AnswerHandOver, target: str) -> Entry:
    """Audit entry of a confirmed or refused request."""
    assert before.hand_over is not None
    action = "table_handed_over" if message.is_confirmed else "hand_over_refused"
    return Entry(
        message.by,
        message.role,
        action,
        target,
        message.reason,
        before={"presenter": before.presenter},
        after={"requested_by": before.hand_over.by},
    )


def view(shift: Shift) -> host_events.HandOver | None:
    wanted = shift.hand_over
    return {"proposal_id": wanted.id, "by": wanted.by, "asked_at": wanted.at_ms} if wanted else None
