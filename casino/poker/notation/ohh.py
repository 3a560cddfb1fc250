"""Export of a hand as OHH, the Open Hand History format 1.4.7: one JSON object per hand."""

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from casino.poker.betting import Action
from casino.poker.events import Acted, BoardDealt, HandsShown
from casino.poker.notation.history import History, TournamentInfo, in_major, utc
from casino.poker.replay import begin, evolve
from casino.poker.state import Hand, Seat
from casino.poker.streets import BOARD_CARDS
from casino.poker.terms import Game

SPEC_VERSION: Final = "1.4.7"
_GAMES: Final = {Game.NLHE: ("Holdem", "NL"), Game.PLO: ("Omaha", "PL")}
Plain = dict[str, Any]


def to_ohh(history: History) -> str:
    """The hand as one line of an `.ohh` file; hands are separated by a blank line."""
    return json.dumps({"ohh": _hand(history)}, ensure_ascii=False) + "\n"


def _hand(history: History) -> Plain:
    hand = history.hand
    terms = hand.terms
    game_type, bet_type = _GAMES[terms.game]
    reader = hand.seat_of(history.reader) if history.reader else None
    plain: Plain = {
        "spec_version": SPEC_VERSION,
        "site_name": history.site,
        "network_name": history.site,
        "internal_version": "1",
        "tournament": history.tournament is not None,
        "game_number": hand.hand_id,
        "start_date_utc": _time(hand.started_ms),
        "table_name": history.table_name or hand.table_id,
        "table_size": max(history.seats or 0, *(seat.seat_no for seat in hand.seats)),
        "game_type": game_type,
        "bet_limit": {"bet_type": bet_type, "bet_cap": 0},
        "currency": history.currency or "",
        "dealer_seat": hand.positions.button,
        "small_blind_amount": _amount(history, terms.small_blind),
        "big_blind_amount": _amount(history, terms.big_blind),
        "ante_amount": _amount(history, terms.ante),
        "players": [
            {
                "id": seat.seat_no,
                "seat": seat.seat_no,
                "name": history.name(seat.player_id),
                "display": history.name(seat.player_id),
                "starting_stack": _amount(history, seat.start),
            }
            for seat in hand.seats
        ],
        "rounds": _rounds(history),
        "pots": [_pot(history, hand, number) for number in range(len(hand.awards))],
    }
    if reader is not None:
        plain["hero_player_id"] = reader.seat_no
    if history.tournament is not None:
        plain["tournament_info"] = _tournament(history.tournament)
    return plain


def _tournament(info: TournamentInfo) -> Plain:
    price = info.price
    amounts = {"buyin_amount": price.pool, "fee_amount": price.fee, "bounty_fee_amount": price.bounty}
    return {
        "tournament_number": info.tournament_id,
        "name": info.name,
        "start_date_utc": _time(info.starts_ms),
        "currency": info.currency,
        **{name: _plain(in_major(minor, info.currency)) for name, minor in amounts.items()},
        "initial_stack": info.stack,
        "type": info.kind,
        "flags": list(info.flags),
    }


def _time(at_ms: int) -> str:
    year, month, day, hour, minute, second = utc(at_ms)
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"


def _pot(history: History, hand: Hand, number: int) -> Plain:
    award = hand.awards[number]
    return {
        "number": number,
        "amount": _amount(history, award.amount),
        "rake": _amount(history, award.rake),
        "player_wins": [
            {"player_id": seat_no, "win_amount": _amount(history, amount)} for seat_no, amount in award.winners
        ],
    }


def _rounds(history: History) -> list[Plain]:
    """Streets with their actions, numbered from 1 through the hand."""
    hand = begin(history.opened)
    rounds: list[Plain] = [{"id": 0, "street": "Preflop", "actions": [*_opening(history, hand)]}]
    for event in history.events:
        match event:
            case Acted():
                seat = hand.seats[hand.pending[0]]
                rounds[-1]["actions"].append(_acted(history, hand, seat, event))
            case BoardDealt():
                street = {"id": len(rounds), "street": event.street.capitalize(), "cards": [*event.cards]}
                rounds.append(street | {"actions": []})
            case HandsShown():
                if len(hand.board) == BOARD_CARDS:
                    rounds.append({"id": len(rounds), "street": "Showdown", "actions": []})
                shown: list[Plain] = [
                    {"player_id": cards.seat_no, "action": "Shows Cards", "cards": [*cards.cards]}
                    for cards in event.hands
                ]
                seen = {cards.seat_no for cards in event.hands}
                mucked = [seat.seat_no for seat in hand.live if seat.seat_no not in seen]
                shown += [{"player_id": seat_no, "action": "Mucks Cards"} for seat_no in mucked]
                rounds[-1]["actions"] += shown
        hand = evolve(hand, event)
    actions = [action for round_ in rounds for action in round_["actions"]]
    for number, action in enumerate(actions, start=1):
        action["action_number"] = number
    return rounds


def _opening(history: History, hand: Hand) -> Iterator[Plain]:
    """Antes, blinds, posts and dealt cards."""
    positions = hand.positions
    names = {positions.small_blind: "Post SB", positions.big_blind: "Post BB"}
    for seat in hand.seats:
        if ante := seat.total - seat.bet:
            yield _paid(history, seat, "Post Ante", ante, is_all_in=not seat.stack and not seat.bet)
    for seat in hand.seats:
        if seat.bet:
            name = names.get(seat.seat_no, "Post Extra Blind")
            yield _paid(history, seat, name, seat.bet, is_all_in=not seat.stack)
    for seat in hand.seats:
        unknown = ["??"] * hand.terms.game.hole_cards
        cards = [*history.hole[seat.seat_no]] if seat.seat_no in history.hole else unknown
        yield {"player_id": seat.seat_no, "action": "Dealt Cards", "cards": cards}


def _acted(history: History, hand: Hand, seat: Seat, event: Acted) -> Plain:
    """`amount` is what this action has put in."""
    if event.action is Action.RAISE_TO:
        name = "Raise" if hand.to else "Bet"
        return _paid(history, seat, name, event.paid, is_all_in=event.paid == seat.stack)
    if event.action is Action.CALL:
        return _paid(history, seat, "Call", event.paid, is_all_in=event.paid == seat.stack)
    return {"player_id": seat.seat_no, "action": event.action.capitalize()}


def _paid(history: History, seat: Seat, action: str, amount: int, *, is_all_in: bool) -> Plain:
    paid: Plain = {"player_id": seat.seat_no, "action": action, "amount": _amount(history, amount)}
    return paid | {"is_allin": is_all_in}


def _amount(history: History, minor: int) -> int | float:
    return _plain(history.amount(minor))


def _plain(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)
