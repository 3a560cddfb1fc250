"""Texts for cards, hands, bets and acknowledgements."""

from collections.abc import Callable, Sequence
from typing import Any, Final

Payload = dict[str, Any]

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_RED: Final = "\x1b[31m"
_BOLD: Final = "\x1b[1m"
_PLAIN: Final = "\x1b[0m"
_ONE: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}
_MANY: Final = {rank: f"{one}es" if one == "six" else f"{one}s" for rank, one in _ONE.items()}

ACTION_OF_KEY: Final = {
    "4": "play_4x",
    "3": "play_3x",
    "2": "play_2x",
    "1": "play_1x",
    "c": "check",
    "f": "fold",
}
KEY_OF_ACTION: Final = {action: key for key, action in ACTION_OF_KEY.items()}
SPOTS: Final = ("trips", "ante", "blind", "play")

Amount = Callable[[int], str]


def cards(names: Sequence[str], *, symbols: bool = True, colours: bool = False) -> str:
    """`A♠ K♦`; red suits red where there are colours; `As Kd` where there are no such signs."""
    return " ".join(_card(name, symbols=symbols, colours=colours) for name in names)


def _card(name: str, *, symbols: bool, colours: bool) -> str:
    text = f"{name[0].replace('T', '10')}{_SUITS[name[1]]}" if symbols else name
    if not colours:
        return text
    return f"{_BOLD}{_RED if name[1] in 'dh' else ''}{text}{_PLAIN}"


def hand(shown: Payload) -> str:
    """`a pair of nines`, `kings full of fours`: from the category and the cards, strongest group first."""
    ranks = [card[0] for card in shown["cards"]]
    first = ranks[0]
    match shown["category"]:
        case "pair":
            return f"a pair of {_MANY[first]}"
        case "two_pair":
            return f"two pair, {_MANY[first]} and {_MANY[ranks[2]]}"
        case "three_of_a_kind":
            return f"three {_MANY[first]}"
        case "straight":
            return f"{_a(_ONE[first])}-high straight"
        case "flush":
            return f"{_a(_ONE[first])}-high flush"
        case "full_house":
            return f"a full house, {_MANY[first]} full of {_MANY[ranks[3]]}"
        case "four_of_a_kind":
            return f"four {_MANY[first]}"
        case "straight_flush":
            return f"{_a(_ONE[first])}-high straight flush"
        case "royal_flush":
            return "a royal flush"
    return f"{_ONE[first]} high"


def _a(noun: str) -> str:
    return f"{'an' if noun in ('ace', 'eight') else 'a'} {noun}"


def dealer(round_: Payload) -> str:
    qualifies = "qualifies" if round_["dealer_qualifies"] else "does not qualify"
    return f"Dealer has {hand(round_['dealer_hand'])}: {qualifies}"


def option(action: str, ante: int, amount: Amount) -> str:
    """`4 = PLAY 4x — 20.00`, with its cost."""
    key = KEY_OF_ACTION[action]
    if not action.startswith("play_"):
        return f"{key} = {action.upper()}"
    multiple = int(action[5])
    return f"{key} = PLAY {multiple}x — {amount(multiple * ante)}"


def answered(action: str) -> str:
    if action.startswith("play_"):
        return f"You played {action[5]}x"
    return {"check": "You checked", "fold": "You folded"}[action]


AUTOMATIC: Final = {
    "auto_checked": "Auto checked: time ran out",
    "auto_folded": "Auto folded: time ran out",
}

_RESULTS: Final = {
    "win": "You win",
    "lose": "The dealer wins",
    "tie": "A tie",
    "fold": "You folded",
}


def spot(name: str, shown: Payload, amount: Amount) -> str | None:
    """`ANTE 5.00 wins, 10.00 back`, for a spot with a bet."""
    bet = f"{name.upper()} {amount(shown['bet'])}"
    match shown["outcome"]:
        case "win":
            return f"{bet} wins, {amount(shown['returned'])} back"
        case "push":
            return f"{bet} pushes"
        case "lose":
            return f"{bet} loses"
    return None


def result(payload: Payload, amount: Amount) -> list[str]:
    if payload["status"] == "cancelled":
        return [f"Round cancelled, {amount(payload['returned'])} refunded", f"Balance {amount(payload['balance'])}"]
    spots = [spot(name, payload["spots"][name], amount) for name in SPOTS]
    staked, returned, balance = (amount(payload[name]) for name in ("staked", "returned", "balance"))
    return [
        f"{_RESULTS[payload['result']]}: " + "; ".join(line for line in spots if line),
        f"Staked {staked}, returned {returned}, balance {balance}",
    ]
