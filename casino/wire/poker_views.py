"""Views of a poker hand: what each audience may see. Every message about a hand is built here.

A hand holds no card that has not been shown, so a view of it cannot leak one. Own hole cards come as an argument.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from casino.cards.card import Card
from casino.cards.merkle import CardProof
from casino.poker import events
from casino.poker.betting import Action, Sizes, options
from casino.poker.clock import Stage, Timer
from casino.poker.pots import divide_during_street
from casino.poker.showdown import best_of
from casino.poker.state import Award, Hand, Seat
from casino.poker.streets import BOARD_CARDS, Street
from casino.poker.terms import Game
from casino.wire import common, poker_events, poker_hands

_NOTHING: Final[poker_hands.OptionFields] = {"fold": False, "check": False, "call": None, "raise": None}
_PREFLOP: Final[tuple[tuple[poker_hands.PresetName, int], ...]] = (("2.2x", 22), ("2.5x", 25), ("3x", 30))
"""Totals for the street in tenths of the price."""
_POSTFLOP: Final[tuple[tuple[poker_hands.PresetName, int, int], ...]] = (("1/3", 1, 3), ("1/2", 1, 2), ("2/3", 2, 3))
"""Parts of the pot after a call, added to the price."""


def hand_view(hand: Hand, names: Mapping[str, str]) -> poker_hands.PokerHandView:
    """Public view of the hand. `names` are those of the players, by id."""
    return {
        "table_id": hand.table_id,
        "hand_id": hand.hand_id,
        "number": hand.number,
        "game": hand.terms.game,
        "root": hand.root,
        "started_at": hand.started_ms,
        "positions": {
            "button": hand.positions.button,
            "sb": hand.positions.small_blind,
            "bb": hand.positions.big_blind,
            "posters": list(hand.positions.posters),
        },
        "posts": list(_posts(hand)),
        "status": hand.status,
        "street": hand.street,
        "board": list(hand.board),
        "price": hand.to,
        "pot": _middle(hand),
        "pots": pots_view(hand),
        "awards": [award_view(award, hand) for award in hand.awards],
        "uncalled": None if hand.uncalled is None else {"seat": hand.uncalled[0], "amount": hand.uncalled[1]},
        "rake": hand.rake,
        "seats": [_dealt_in(hand, seat, names) for seat in hand.seats],
    }


def steps_of(event: events.Event, hand: Hand) -> list[poker_hands.StepFields]:
    """Returns the public step of this event, with the hand after it. The end of a street shows in the next step."""
    match event:
        case events.Acted():
            return [_acted(event, hand)]
        case events.UncalledReturned():
            uncalled = _step("uncalled", hand, event.at_ms)
            return [{**uncalled, "seat": event.seat_no, "amount": event.amount, "stack": _stack(hand, event.seat_no)}]
        case events.BoardDealt():
            return [{**_step("board", hand, event.at_ms), "street": event.street, "cards": list(event.cards)}]
        case events.HandsShown():
            return [_shown(hand, shown.seat_no, shown.cards, event.at_ms) for shown in event.hands]
        case events.CardsShown():
            return [_shown(hand, event.seat_no, event.cards, event.at_ms)]
        case events.PotAwarded():
            return [{**_step("pot", hand, event.at_ms), "award": award_view(event.award, hand)}]
        case events.HandSettled():
            stacks: list[poker_hands.Won] = [{"seat": seat_no, "amount": stack} for seat_no, stack in event.stacks]
            return [{**_step("settled", hand, event.at_ms), "stacks": stacks, "rake": event.rake}]
        case events.HandVoided():
            return [{**_step("void", hand, event.at_ms), "reason": event.reason}]
        case events.HandOpened() | events.StreetEnded():
            return []


def clock_step(hand: Hand, at_ms: int) -> poker_hands.StepFields:
    """The times of the turn have changed, and nothing else."""
    return _step("clock", hand, at_ms)


def turn_view(hand: Hand, timer: Timer | None) -> poker_hands.Turn | None:
    """Who has to act and until when; None if no decision is being timed."""
    if timer is None or not hand.pending or timer.stage is Stage.OVER:
        return None
    deadline, bank_until, protection_until = _times(timer)
    return {
        "no": hand.turn,
        "seat": hand.seats[hand.pending[0]].seat_no,
        "deadline": deadline,
        "bank_until": bank_until,
        "protection_until": protection_until,
    }


def cards_view(hand: Hand, seat_no: int, hole: Sequence[Card]) -> poker_events.OwnCards:
    """Own hole cards and the best hand so far, for their player alone."""
    return {
        "table_id": hand.table_id,
        "hand_id": hand.hand_id,
        "seat_no": seat_no,
        "cards": list(hole),
        "hand": best_view(hand.terms.game, hole, hand.board),
    }


def player_options(
    hand: Hand, seat_no: int, timer: Timer | None, turn: poker_hands.Turn | None = None
) -> poker_events.PokerOptions:
    """The options of this seat, for its player alone; nothing when it is not the seat's turn.

    `turn` is the view of the turn, if the caller has it already.
    """
    offered = options(hand)
    turn = turn or turn_view(hand, timer)
    if offered is None or offered.seat_no != seat_no or turn is None:
        return no_options(hand.table_id, hand.hand_id)
    seat = hand.seats[hand.index_of(seat_no)]
    return {
        "table_id": hand.table_id,
        "hand_id": hand.hand_id,
        "turn": hand.turn,
        "fold": True,
        "check": offered.check,
        "call": {"amount": offered.call} if offered.call else None,
        "raise": _raise_range(hand, seat, offered.sizes),
        "deadline": turn["deadline"],
        "bank_until": turn["bank_until"],
        "protection_until": turn["protection_until"],
    }


def no_options(table_id: str, hand_id: str) -> poker_events.PokerOptions:
    """It is not the player's turn."""
    return {
        "table_id": table_id,
        "hand_id": hand_id,
        "turn": None,
        **_NOTHING,
        "deadline": None,
        "bank_until": None,
        "protection_until": None,
    }


def proof_views(proofs: Iterable[CardProof]) -> list[poker_hands.DeckProof]:
    return [
        {"index": proof.index, "card": proof.card, "salt": proof.salt, "path": list(proof.path)} for proof in proofs
    ]


def pots_view(hand: Hand) -> list[poker_hands.Pot]:
    """The pots as they are now, street bets included; none when the hand is over."""
    if hand.is_over:
        return []
    return [{"amount": pot.amount, "contenders": sorted(pot.contenders)} for pot in divide_during_street(hand.seats)]


def award_view(award: Award, hand: Hand) -> poker_hands.AwardedPot:
    return {
        "number": award.number,
        "amount": award.amount,
        "rake": award.rake,
        "contenders": sorted(award.contenders),
        "winners": [{"seat": seat_no, "amount": amount} for seat_no, amount in award.winners],
        "hand": _shown_hand(hand, hand.cards_of(award.winners[0][0])),
    }


def best_view(game: Game, hole: Sequence[Card], board: Sequence[Card]) -> common.Hand | None:
    best = best_of(game, hole, board)
    return {"category": best.category, "cards": list(best.cards)} if best else None


def _acted(event: events.Acted, hand: Hand) -> poker_hands.StepFields:
    stack = _stack(hand, event.seat_no)
    step: poker_hands.StepFields = {
        **_step("acted", hand, event.at_ms),
        "seat": event.seat_no,
        "action": event.action,
        "paid": event.paid,
        "to": event.to,
        "stack": stack,
        "all_in": stack == 0 and event.action is not Action.FOLD,
    }
    if event.automatic is not None:
        step["automatic"] = event.automatic
    return step


def _shown(hand: Hand, seat_no: int, cards: Sequence[Card], at_ms: int) -> poker_hands.StepFields:
    best = _shown_hand(hand, cards)
    return {**_step("shown", hand, at_ms), "seat": seat_no, "cards": list(cards), "hand": best}


def _shown_hand(hand: Hand, cards: Sequence[Card]) -> common.Hand | None:
    """Single cards are no hand; before the river the rest of the board is still to come."""
    is_hand = len(cards) == hand.terms.game.hole_cards and len(hand.board) == BOARD_CARDS
    return best_view(hand.terms.game, cards, hand.board) if is_hand else None


def _step(kind: poker_hands.StepKind, hand: Hand, at_ms: int) -> poker_hands.StepFields:
    return {"kind": kind, "pot": _middle(hand), "pots": pots_view(hand), "at": at_ms}


def _middle(hand: Hand) -> int:
    return 0 if hand.is_over else hand.middle


def _stack(hand: Hand, seat_no: int) -> int:
    return hand.seats[hand.index_of(seat_no)].stack


def _posts(hand: Hand) -> Iterator[poker_hands.Post]:
    """Returns payments before the cards, each at most the stack the seat had left."""
    positions, terms = hand.positions, hand.terms
    for seat in hand.seats:
        ante = min(terms.ante, seat.start)
        if ante:
            yield {"seat": seat.seat_no, "kind": "ante", "amount": ante}
        kind: poker_hands.PostKind
        if seat.seat_no == positions.big_blind:
            kind, amount = "bb", terms.big_blind
        elif seat.seat_no == positions.small_blind:
            kind, amount = "sb", terms.small_blind
        elif seat.seat_no in positions.posters:
            kind, amount = "post", terms.big_blind
        else:
            continue
        yield {"seat": seat.seat_no, "kind": kind, "amount": min(amount, seat.start - ante)}


def _dealt_in(hand: Hand, seat: Seat, names: Mapping[str, str]) -> poker_hands.DealtIn:
    return {
        "seat_no": seat.seat_no,
        "name": names.get(seat.player_id, ""),
        "start": seat.start,
        "stack": seat.stack,
        "bet": seat.bet,
        "folded": seat.folded is not None,
        "all_in": seat.is_live and not seat.stack and not hand.is_over,
        "cards": list(hand.cards_of(seat.seat_no)),
    }


def _times(timer: Timer) -> tuple[int, int | None, int | None]:
    """End of the decision time, of the bank, and of the protection, as they are if nothing changes any more."""
    match timer.stage:
        case Stage.BANK:
            return timer.since_ms, timer.ends_ms, None
        case Stage.PROTECTION:
            return timer.since_ms, None, timer.ends_ms
        case _ if timer.is_connected or timer.protection_ms is None:
            return timer.ends_ms, timer.due_ms, None
        case _:
            return timer.ends_ms, None, timer.due_ms


def _raise_range(hand: Hand, seat: Seat, sizes: Sizes | None) -> poker_hands.RaiseRange | None:
    if sizes is None:
        return None
    return {"min": sizes.smallest, "max": sizes.largest, "presets": _presets(hand, seat, sizes)}


def _presets(hand: Hand, seat: Seat, sizes: Sizes) -> list[poker_hands.RaisePreset]:
    """Usual sizes that are legal now; all-in only where it is."""
    after_call = hand.middle + hand.to - seat.bet
    wanted: list[tuple[poker_hands.PresetName, int]] = []
    if hand.street is Street.PREFLOP:
        wanted = [(name, hand.to * tenths // 10) for name, tenths in _PREFLOP]
    else:
        wanted = [(name, hand.to + after_call * part // whole) for name, part, whole in _POSTFLOP]
    wanted += [("pot", hand.to + after_call), ("all_in", seat.bet + seat.stack)]
    smallest, largest = sizes
    return [{"name": name, "amount": amount} for name, amount in wanted if smallest <= amount <= largest]
