"""Audit log in plain English: labels of actions, and what changed with amounts in major units."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from casino.clock import NO_END_MS
from casino.money import format_amount
from casino.wire.card_text import card_text, slot_text

ACTIONS: Final = {
    "anchor_accepted": "Restored books accepted",
    "betting_voided": "Betting ended without a round",
    "card_corrected": "Card corrected",
    "cards_swapped": "Cards swapped",
    "chat_muted": "Player muted",
    "chat_unmuted": "Player unmuted",
    "configuration_in_force": "Configuration in force",
    "correction_approved": "Correction approved",
    "correction_proposed": "Correction proposed",
    "correction_rejected": "Correction rejected",
    "credit": "Credit given",
    "day_closed": "Day closed",
    "decisions_reopened": "Decisions opened again",
    "deck_counted": "Deck counted",
    "deck_not_whole": "Deck incomplete",
    "export": "Export downloaded",
    "audit_export": "Audit log downloaded",
    "finance_request": "Second person requested",
    "finance_request_rejected": "Request rejected",
    "guests_archived": "Guests archived",
    "hand_over_refused": "Hand-over refused",
    "hand_over_requested": "Hand-over requested",
    "incident_classified": "Incident classified",
    "limit_changed": "Own limit changed",
    "limits_changed": "Table limits changed",
    "month_locked": "Month locked",
    "password_changed": "Password changed",
    "payment_contradicted": "Payment contradicted by the provider",
    "player_disqualified": "Player disqualified",
    "poker_chips_forfeited": "Chips of a poker table given to charity",
    "poker_chips_returned": "Chips of a poker table returned",
    "poker_hand_not_voided": "Poker hand ended before it could be voided",
    "poker_hand_voided": "Poker hand voided",
    "poker_report": "Player reported",
    "poker_table_paused": "Poker table paused",
    "poker_table_resumed": "Poker table resumed",
    "prize_charity": "Held prize given to charity",
    "prize_release": "Held prize paid",
    "proposal_approved": "Proposal approved",
    "proposal_made": "Proposal made",
    "proposal_rejected": "Proposal rejected",
    "receivable": "Owed after a correction",
    "recovery": "Debt netted",
    "round_cancelled": "Round cancelled",
    "round_corrected": "Round re-settled with corrected cards",
    "round_file": "Round file downloaded",
    "round_forfeited": "Stakes given to charity",
    "round_paused": "Round stopped",
    "round_resumed": "Round resumed",
    "role_changed": "Role changed",
    "second_factor_removed": "Second factor removed",
    "second_factor_reset": "Second factor reset",
    "self_exclusion": "Self-exclusion",
    "sessions_ended": "Sessions ended",
    "signed_in": "Signed in",
    "signed_out": "Signed out",
    "table_closed": "Table closed",
    "table_handed_over": "Table handed over",
    "table_opened": "Table opened",
    "ticket": "Ticket issued",
    "time_out": "Break from playing",
    "tournament_cancelled": "Tournament cancelled",
    "tournament_changed": "Tournament changed",
    "tournament_created": "Tournament created",
    "tournament_forfeited": "Money of a tournament given to charity",
    "tournament_paused": "Tournament paused",
    "tournament_refund_approved": "Refund of a tournament approved",
    "tournament_refund_proposed": "Refund of a tournament proposed",
    "tournament_refund_rejected": "Refund of a tournament rejected",
    "tournament_resumed": "Tournament resumed",
    "user_added": "User added",
    "user_disabled": "User disabled",
    "user_enabled": "User enabled",
    "write_off": "Debt written off",
}
_LIMITS: Final = {
    "ante_min": "ANTE minimum",
    "ante_max": "ANTE maximum",
    "trips_min": "TRIPS minimum",
    "trips_max": "TRIPS maximum",
    "smallest_chip": "smallest chip",
}
_PEOPLE: Final = frozenset({"proposed_by", "requested_by", "confirmed_by"})
_CARDS: Final = frozenset({"card", "was", "missing", "duplicates"})
_SLOTS: Final = frozenset({"slot", "other_slot"})
_SLOT: Final = re.compile(r"(player|flop|dealer)_[123]|turn|river|seat_[1-7]_card_[12]")
_IDENTIFIERS: Final = frozenset({"phase", "incident_class", "proposes", "kind", "purpose"})
_HIDDEN: Final = frozenset({"currency", "key", "correction", "request", "proposal", "terms"})
"""Amounts have their currency; identifiers and terms as JSON say nothing to a reader."""


def action_text(action: str) -> str:
    return ACTIONS.get(action) or action.replace("_", " ").capitalize()


def actions_with(word: str) -> list[str]:
    """Returns the actions whose label contains the word."""
    return [action for action, label in ACTIONS.items() if word.lower() in label.lower()]


def values_text(action: str, values: Mapping[str, Any], currency: str) -> str:
    """Says recorded values; `currency` is that of amounts without one of their own."""
    return ", ".join(_said(action, values, currency))


def _said(action: str, values: Mapping[str, Any], currency: str) -> Iterator[str]:
    own = str(values.get("currency") or currency)
    if action == "proposal_made":
        yield _proposed(values)
        return
    for name, value in values.items():
        if name == "amount_minor":
            yield f"amount {_money(value, own)}"
        elif name in _LIMITS:
            yield f"{_LIMITS[name]} {_money(value, own)}"
        elif action == "limit_changed" and name in ("value", "next_value"):
            yield f"{_name(name)} {_limit_text(values, value, own)}"
        elif name.endswith("_ms"):
            yield f"{_name(name.removesuffix('_ms'))} {_moment(value)}"
        elif _SLOT.fullmatch(name) and isinstance(value, str):
            yield f"{slot_text(name)} {card_text(value)}"
        elif (name, value) == ("proposal", "lapsed"):
            yield "no answer to the proposal"
        elif name not in _HIDDEN and name not in _PEOPLE:
            yield f"{_name(name)} {_plain(action, name, value, own)}"


def _proposed(values: Mapping[str, Any]) -> str:
    slot, other, card = (str(values.get(name) or "") for name in ("slot", "other_slot", "card"))
    if other:
        return f"swap {slot_text(slot)} and {slot_text(other)}"
    return f"correct {slot_text(slot)} to {card_text(card)}" if slot else "cancel the round"


def _plain(action: str, name: str, value: object, currency: str) -> str:
    if isinstance(value, Mapping):
        if name == "cards":
            return ", ".join(f"{slot_text(slot)} {card_text(card)}" for slot, card in value.items())
        return f"({values_text(action, value, currency)})"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(_plain(action, name, one, currency) for one in value) or "none"
    if name in _CARDS and isinstance(value, str):
        return card_text(value)
    if name in _SLOTS and isinstance(value, str):
        return slot_text(value)
    if name in _IDENTIFIERS and isinstance(value, str):
        return value.replace("_", " ")
    words = {None: "none", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _limit_text(values: Mapping[str, Any], value: int | None, currency: str) -> str:
    if value is None:
        return "none"
    is_time = str(values.get("limit", "")).startswith("session")
    return f"{value} minutes" if is_time else _money(value, currency)


def _name(name: str) -> str:
    return name.replace("_", " ")


def _money(minor: object, currency: str) -> str:
    return f"{format_amount(minor, currency)} {currency}" if isinstance(minor, int) else "none"


def _moment(at_ms: object) -> str:
    if not isinstance(at_ms, int):
        return "none"
    if at_ms >= NO_END_MS:
        return "no end"
    try:
        return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (ValueError, OverflowError):  # a forged entry
        return str(at_ms)
