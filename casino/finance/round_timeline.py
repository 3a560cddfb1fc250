"""Timeline of a round in plain English: a sentence per stored event."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from casino.wire.card_text import card_text, slot_text

Data = Mapping[str, Any]

ACTIONS: Final = {
    "check": "CHECK",
    "fold": "FOLD",
    "play_1x": "PLAY 1×",
    "play_2x": "PLAY 2×",
    "play_3x": "PLAY 3×",
    "play_4x": "PLAY 4×",
}
WINDOWS: Final = {
    "deciding_preflop": "the first decision",
    "deciding_flop": "the second decision",
    "deciding_river": "the third decision",
}
PHASES: Final = {
    **WINDOWS,
    "betting": "betting",
    "dealing_hole": "dealing the hole cards",
    "dealing_flop": "dealing the flop",
    "dealing_river": "dealing turn and river",
    "showdown": "the showdown",
}
_SYSTEM: Final = "system"


def sentence(data: Data, names: Mapping[str, str], *, is_copy: bool = False) -> str:
    """`data` is an event as the journal holds it; `names` are those of the players, by id.

    A copy for one player does not know how many players have bet.
    """
    kind = data["kind"]
    match kind:
        case "betting_opened":
            return "Betting opened."
        case "betting_closed":
            return "Betting closed." if is_copy else f"Betting closed with {_count(len(data['stakes']))}."
        case "betting_voided":
            return f"Betting ended without a round: {data['reason']}"
        case "window_opened":
            return f"Time for {WINDOWS.get(data['phase'], data['phase'])} began."
        case "window_closed":
            return _window_closed(data, names)
        case "decision_made":
            return f"{_name(data['player_id'], names)} chose {ACTIONS.get(data['action'], data['action'])}."
        case "round_settled":
            return "The round was settled."
        case "round_continued":
            return "The round went on after an interruption of the service."
        case "shoe_revealed":
            return "The server seed of the shuffle was revealed."
    return _about_cards(data) or _about_problems(data)


def _about_cards(data: Data) -> str:
    match data["kind"]:
        case "card_dealt":
            return f"{slot_text(data['slot'])}: {card_text(data['card'])} was dealt{_by(data)}."
        case "card_undone":
            return f"{slot_text(data['slot'])}: {card_text(data['card'])} was taken back by the presenter."
        case "card_corrected":
            was, card = card_text(data["was"]), card_text(data["card"])
            changed = f"{slot_text(data['slot'])} was corrected from {was} to {card}"
            return f"{changed}{_by(data)}{_because(data)}"
        case "cards_swapped":
            one = f"{slot_text(data['slot'])} is now {card_text(data['card'])}"
            other = f"{slot_text(data['other_slot'])} is now {card_text(data['other_card'])}"
            return f"Two cards were swapped: {one}, {other}{_by(data)}{_because(data)}"
        case "decisions_reopened":
            what = f"{WINDOWS.get(data['phase'], data['phase'])} was opened again after a correction"
            return f"{what[0].upper()}{what[1:]}{_by(data)}; PLAY bets of it went back{_because(data)}"
        case "round_corrected":
            return f"The settled round was settled again with corrected cards{_by(data)}{_because(data)}"
    return ""


def _about_problems(data: Data) -> str:
    match data["kind"]:
        case "round_paused":
            return f"The round was stopped{_by(data)}, incident {data['incident_id']}{_because(data)}"
        case "incident_classified":
            class_ = data["incident_class"].replace("_", " ")
            return f"The incident was classified as “{class_}”{_by(data)}{_because(data)}"
        case "round_resumed":
            return f"The round was resumed{_by(data)}{_because(data)}"
        case "round_cancelled":
            during = f" during {PHASES.get(data['phase'], data['phase'])}" if data.get("phase") else ""
            return f"The round was cancelled{during}{_by(data)}; every bet was refunded{_because(data)}"
        case "proposal_made":
            return f"{_proposed(data)} was proposed{_by(data)}{_because(data)}"
        case "proposal_approved":
            return f"The proposal of {data['proposed_by']} was approved{_by(data)}{_because(data)}"
        case "proposal_rejected":
            return f"The proposal of {data['proposed_by']} was rejected{_by(data)}{_because(data)}"
    return f"{data['kind'].replace('_', ' ').capitalize()}."


def _window_closed(data: Data, names: Mapping[str, str]) -> str:
    ended = f"Time for {WINDOWS.get(data['phase'], data['phase'])} ended"
    silent: Sequence[str] = data["automatic"]
    if not silent:
        return f"{ended}."
    taken = "FOLD" if data["phase"] == "deciding_river" else "CHECK"
    who = " and ".join(
        [", ".join(_name(one, names) for one in silent[:-1]), _name(silent[-1], names)][len(silent) < 2 :]
    )
    return f"{ended}. {who} gave no answer, which counts as {taken}."


def _proposed(data: Data) -> str:
    if data["proposes"] == "cancel_round":
        return "Cancelling the round"
    if data["proposes"] == "swap_cards":
        return f"Swapping {slot_text(data['slot'])} and {slot_text(data['other_slot'])}"
    return f"Correcting {slot_text(data['slot'])} to {card_text(data['card'])}"


def _count(players: int) -> str:
    return "1 bet" if players == 1 else f"the bets of {players} players"


def _name(player_id: str, names: Mapping[str, str]) -> str:
    return names.get(player_id) or "A player"


def _by(data: Data) -> str:
    by = data.get("by")
    return f" by {'the service' if by == _SYSTEM else by}" if by else ""


def _because(data: Data) -> str:
    reason = (data.get("reason") or "").strip()
    return f": {reason}" if reason else "."
