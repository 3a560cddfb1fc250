"""Views of a hand for the command line; `casino/wire/poker_views.py` has those of players.

A hand holds no card that has not been shown, so a view cannot leak one.
"""

from typing import Any

from casino.poker.betting import Options
from casino.poker.pots import divide_during_street
from casino.poker.state import Award, Hand

View = dict[str, Any]


def options_view(offered: Options | None) -> View | None:
    if offered is None:
        return None
    sizes = offered.sizes
    return {
        "fold": True,
        "check": offered.check,
        "call": offered.call,
        "raise": {"min": sizes.smallest, "max": sizes.largest} if sizes else None,
    }


def pots_view(hand: Hand) -> list[View]:
    """The pots as they are now, street bets included."""
    return [{"amount": pot.amount, "contenders": sorted(pot.contenders)} for pot in divide_during_street(hand.seats)]


def award_view(award: Award) -> View:
    return {
        "amount": award.amount,
        "rake": award.rake,
        "contenders": sorted(award.contenders),
        "winners": {str(seat_no): amount for seat_no, amount in award.winners},
    }


def uncalled_view(hand: Hand) -> View | None:
    if hand.uncalled is None:
        return None
    seat_no, amount = hand.uncalled
    return {"seat": seat_no, "amount": amount}
