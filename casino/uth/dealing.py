"""Deals cards one at a time, from a shoe or a scanner; a round does not know which."""

from casino.cards.card import Card, parse_card, written
from casino.errors import Code, Refusal
from casino.uth.commands import ConfirmCards, DealCard, UndoCard
from casino.uth.decisions import open_window
from casino.uth.events import CardDealt, CardUndone, Event, RoundSettled
from casino.uth.phases import AFTER, DEALING, Phase, cards_due
from casino.uth.state import Round


def verify_card(round_: Round, command: DealCard) -> Card:
    """The card to deal; anything but the next expected one is refused and changes nothing."""
    _verify_live(round_, command.round_id)
    if round_.expects is None:
        raise Refusal(Code.NOT_EXPECTED, "No card is expected now.")
    return verify_unseen(round_, command.card)


def verify_unseen(round_: Round, text: str) -> Card:
    card = parse_card(text)
    if card in round_.cards:
        raise Refusal(Code.DUPLICATE_CARD, f"{written(card)} is already on the table.")
    return card


def deal_card(round_: Round, command: DealCard, now_ms: int) -> list[Event]:
    card = verify_card(round_, command)
    assert round_.expects is not None
    is_last = len(round_.cards) + 1 == cards_due(round_.phase, len(round_.seat_numbers) or 1)
    due_ms = now_ms + round_.terms.windows.confirm_ms if is_last else None
    return [CardDealt(round_.expects, card, now_ms, due_ms, command.by)]


def undo_card(round_: Round, command: UndoCard, now_ms: int) -> list[Event]:
    """Only the street being dealt can be taken back: players have decided on earlier cards."""
    _verify_live(round_, command.round_id)
    in_street = round_.phase in DEALING and len(round_.cards) > _cards_before(round_)
    if not in_street or (round_.due_ms is not None and now_ms >= round_.due_ms):
        raise Refusal(Code.NOT_EXPECTED, "There is no card to undo now.")
    index = len(round_.cards) - 1
    return [CardUndone(round_.slots[index], round_.cards[index], now_ms)]


def confirm_cards(round_: Round, command: ConfirmCards, now_ms: int) -> list[Event]:
    """Ends the confirm time early. Repeated after the street has ended, it is refused and changes nothing."""
    _verify_live(round_, command.round_id)
    if not round_.is_street_complete:
        raise Refusal(Code.NOT_EXPECTED, "There are no cards to confirm now.")
    return finish_street(round_, now_ms)


def finish_street(round_: Round, now_ms: int) -> list[Event]:
    """All cards of the street are out and confirmed: players decide, or the round is settled."""
    if round_.phase is Phase.SHOWDOWN:
        return [RoundSettled(now_ms)]
    return open_window(round_, AFTER[round_.phase], now_ms)


def _cards_before(round_: Round) -> int:
    hands = len(round_.seat_numbers) or 1
    earlier = [cards_due(phase, hands) for phase in DEALING]
    return max((count for count in earlier if count < cards_due(round_.phase, hands)), default=0)


def _verify_live(round_: Round, round_id: str) -> None:
    if round_id != round_.round_id:
        raise Refusal(Code.STALE_ROUND, "That round is over. Reload the table.")
    if round_.paused:
        raise Refusal(Code.TABLE_PAUSED, "The round is paused. A manager has to resume it.")
