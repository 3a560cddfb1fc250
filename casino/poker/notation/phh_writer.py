"""Export of a hand as PHH, the poker hand history format: TOML with one action per line."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from casino.poker.betting import Action
from casino.poker.events import Acted, BoardDealt, HandsShown
from casino.poker.notation.history import History, utc
from casino.poker.state import Hand
from casino.poker.terms import Game

VARIANTS: Final = {Game.NLHE: "NT", Game.PLO: "PO"}
RULES_VERSION: Final = "1"


def to_phh(history: History) -> str:
    """The hand as the text of a `.phh` file. Players are listed clockwise from left of the button."""
    hand = history.hand
    terms = hand.terms
    ante = [seat.dead or terms.ante for seat in hand.seats]
    blinds = _blinds(hand)
    if len(hand.seats) == 2:
        ante, blinds = ante[::-1], blinds[::-1]  # the format lists the button's blind and ante first
    year, month, day, hour, minute, second = utc(hand.started_ms)
    fields: list[tuple[str, str]] = [
        ("variant", _text(VARIANTS[terms.game])),
        ("ante_trimming_status", "true"),
        ("antes", _amounts(history, ante)),
        ("blinds_or_straddles", _amounts(history, blinds)),
        ("min_bet", str(history.amount(terms.big_blind))),
        ("starting_stacks", _amounts(history, [seat.start for seat in hand.seats])),
        ("actions", _lines(_actions(history, hand))),
        ("hand", str(hand.number)),
        ("table", _text(history.table_name or hand.table_id)),
        ("seats", _list([str(seat.seat_no) for seat in hand.seats])),
        ("players", _list([_text(history.name(seat.player_id)) for seat in hand.seats])),
        ("finishing_stacks", _amounts(history, [seat.stack for seat in hand.seats])),
        ("winnings", _amounts(history, _winnings(hand))),
        ("time", f"{hour:02}:{minute:02}:{second:02}"),
        ("time_zone", _text("UTC")),
        ("day", str(day)),
        ("month", str(month)),
        ("year", str(year)),
    ]
    if history.tournament is not None:
        fields.append(("event", _text(history.tournament.name)))
    if history.currency:
        fields.append(("currency", _text(history.currency)))
    fields += [
        ("_hand_id", _text(hand.hand_id)),
        ("_rules", _text(RULES_VERSION)),
        ("_unit", str(history.amount(1))),  # odd units and rake depend on it
    ]
    if terms.rake is not None:
        fields += [
            ("_rake", str(history.amount(hand.rake))),
            ("_rake_permille", str(terms.rake.permille)),
            ("_rake_cap", str(history.amount(terms.rake.cap))),
        ]
    return "".join(f"{name} = {value}\n" for name, value in fields)


def _blinds(hand: Hand) -> list[int]:
    """A post out of position is negative: it is no part of the order of action."""
    amounts = dict.fromkeys(hand.positions.posters, -hand.terms.big_blind)
    amounts[hand.positions.big_blind] = hand.terms.big_blind
    if hand.positions.small_blind is not None:
        amounts[hand.positions.small_blind] = hand.terms.small_blind
    return [amounts.get(seat.seat_no, 0) for seat in hand.seats]


def _winnings(hand: Hand) -> list[int]:
    won = dict.fromkeys((seat.seat_no for seat in hand.seats), 0)
    for award in hand.awards:
        for seat_no, amount in award.winners:
            won[seat_no] += amount
    return [*won.values()]


def _actions(history: History, hand: Hand) -> Iterator[str]:
    player = {seat.seat_no: f"p{place}" for place, seat in enumerate(hand.seats, start=1)}
    unknown = "??" * hand.terms.game.hole_cards
    live = [seat.seat_no for seat in hand.live]
    for seat_no, name in player.items():
        yield f"d dh {name} {''.join(history.hole.get(seat_no, ())) or unknown}"
    for event in history.events:
        match event:
            case Acted():
                yield f"{player[event.seat_no]} {_word(history, event)}"
            case BoardDealt():
                yield f"d db {''.join(event.cards)}"
            case HandsShown():
                yield from (f"{player[shown.seat_no]} sm {''.join(shown.cards)}" for shown in event.hands)
                mucked = [seat_no for seat_no in live if seat_no not in {shown.seat_no for shown in event.hands}]
                yield from (f"{player[seat_no]} sm" for seat_no in mucked)


def _word(history: History, event: Acted) -> str:
    match event.action:
        case Action.FOLD:
            return "f"
        case Action.RAISE_TO:
            return f"cbr {history.amount(event.to)}"
    return "cc"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(values)}]"


def _lines(values: Iterator[str]) -> str:
    return "[\n" + "".join(f"  {_text(value)},\n" for value in values) + "]"


def _amounts(history: History, values: Sequence[int]) -> str:
    return _list([str(history.amount(value)) for value in values])
