"""Round file for one player: without other players' bets, decisions and money, and without the names of managers.

Cards are not redacted: all cards of a round were face up at the table.
"""

from collections.abc import Iterable
from typing import Any, Final

from casino.errors import Code, Refusal
from casino.finance.account_names import owner_id
from casino.finance.round_file_types import FiledAudit, FiledChatLine, FiledCorrection, FiledEvent, FiledRound

STAFF: Final = "the house"
_HIDDEN_EVENTS: Final = frozenset({"proposal_made", "proposal_approved", "proposal_rejected"})
_PEOPLE: Final = ("by", "proposed_by")
_DEALT: Final = "card_dealt"
_SYSTEM: Final = "system"


def for_player(filed: FiledRound, player_id: str) -> FiledRound:
    """Refuses with `not_found` if this player was not in the round."""
    seat = next((one for one in filed.get("seats", ()) if one["player_id"] == player_id), None)
    if seat is None:
        raise Refusal(Code.NOT_FOUND, "This player was not in this round.")
    redacted = FiledRound(**filed)  # a copy
    redacted["for_player"] = seat["name"] or player_id
    redacted["seats"] = [seat]
    redacted["settlements"] = [
        {**one, "seats": [each for each in one["seats"] if each["player_id"] == player_id]}
        for one in filed["settlements"]
    ]
    redacted["corrections"] = [_correction(one, player_id) for one in filed["corrections"]]
    redacted["journal"] = [*_events(filed["journal"], player_id)]
    own = {f"player:{player_id}:", f"receivable:{player_id}:"}
    redacted["postings"] = [
        {**one, "actor": one["actor"] if one["actor"] in (player_id, _SYSTEM) else STAFF}
        for one in filed["postings"]
        if any(account.startswith(tuple(own)) for account in (one["source"], one["destination"]))
        and {owner_id(one["source"]), owner_id(one["destination"])} <= {player_id, ""}
    ]
    redacted["audit"] = [_audit(one) for one in filed["audit"]]
    redacted["chat"] = [*_chat(filed["chat"], player_id)]
    return redacted


def _events(events: Iterable[FiledEvent], player_id: str) -> Iterable[FiledEvent]:
    for event in events:
        data: dict[str, Any] = dict(event["data"])
        if event["kind"] in _HIDDEN_EVENTS or data.get("player_id", player_id) != player_id:
            continue
        if "stakes" in data:
            data["stakes"] = [stake for stake in data["stakes"] if stake[0] == player_id]
        if "automatic" in data:
            data["automatic"] = [silent for silent in data["automatic"] if silent == player_id]
        for name in () if event["kind"] == _DEALT else _PEOPLE:  # the player knows the presenter
            if data.get(name) not in (None, _SYSTEM):
                data[name] = STAFF
        yield {**event, "data": data}


def _correction(filed: FiledCorrection, player_id: str) -> FiledCorrection:
    own = [one for one in filed["results"] if one["player_id"] == player_id]
    approved_by = None if filed["approved_by"] is None else "a second person of the house"
    return {**filed, "proposed_by": STAFF, "approved_by": approved_by, "results": own}


def _audit(row: FiledAudit) -> FiledAudit:
    return {**row, "actor": _SYSTEM if row["role"] == _SYSTEM else STAFF, "before": "", "after": ""}


def _chat(lines: Iterable[FiledChatLine], player_id: str) -> Iterable[FiledChatLine]:
    """Own lines, and what staff said to all."""
    for line in lines:
        is_said_to_all = line["role"] in ("presenter", "manager") and line["blocked"] is None
        if line["player_id"] == player_id:
            yield line
        elif is_said_to_all:  # the player knows the presenter
            yield line if line["role"] == "presenter" else {**line, "name": STAFF}
