"""What a player may still risk under the own safeguards, and in words why no more.

The smallest limit counts. A limit is asked before a round begins and for all that round can cost; what is asked of a
player in the middle of a hand is never refused for it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from casino.errors import Code, Refusal
from casino.money import format_amount
from casino.people.protection.periods import Period, in_words
from casino.people.protection.safeguards import EXCLUSIONS, FOR_EVER_MS, Kind, Safeguard


class Allowance(NamedTuple):
    """The most that may be risked now, and the sentence for whoever wants more."""

    minor: int
    reason: str


def may_risk(safeguards: Iterable[Safeguard], currency: str, now_ms: int, *, is_playing: bool) -> Allowance | None:
    """For a round at this moment; None if nothing limits it. Who is playing it is not asked for a reality check."""
    hindrances = [
        Allowance(_left(safeguard, now_ms), _reason(safeguard, currency, now_ms))
        for safeguard in safeguards
        if _limits_bets(safeguard, now_ms, is_playing=is_playing)
    ]
    return min(hindrances, default=None)


def verify_deposit(safeguards: Iterable[Safeguard], amount: int, currency: str, now_ms: int) -> None:
    hindrances = []
    for safeguard in safeguards:
        if safeguard.kind is Kind.DEPOSIT and safeguard.in_force(now_ms) is not None:
            hindrances.append(Allowance(_left(safeguard, now_ms), _reason(safeguard, currency, now_ms)))
        elif safeguard.kind in EXCLUSIONS and safeguard.is_used_up(now_ms):
            hindrances.append(Allowance(0, _reason(safeguard, currency, now_ms)))
    least = min(hindrances, default=None)
    if least is not None and amount > least.minor:
        raise Refusal(Code.LIMIT_REACHED, least.reason)


def verify_not_excluded(safeguards: Iterable[Safeguard], currency: str, now_ms: int) -> None:
    for safeguard in safeguards:
        if safeguard.kind in EXCLUSIONS and safeguard.is_used_up(now_ms):
            raise Refusal(Code.LIMIT_REACHED, _reason(safeguard, currency, now_ms))


def _limits_bets(safeguard: Safeguard, now_ms: int, *, is_playing: bool) -> bool:
    if safeguard.kind is Kind.LOSS:
        return safeguard.in_force(now_ms) is not None
    if safeguard.kind is Kind.DEPOSIT or (safeguard.kind is Kind.REALITY_CHECK and is_playing):
        return False
    return safeguard.is_used_up(now_ms)


def _left(safeguard: Safeguard, now_ms: int) -> int:
    """All or nothing, but for limits on money."""
    if safeguard.kind not in (Kind.LOSS, Kind.DEPOSIT):
        return 0
    return max(0, (safeguard.in_force(now_ms) or 0) - safeguard.used)


def _reason(safeguard: Safeguard, currency: str, now_ms: int) -> str:
    value = safeguard.in_force(now_ms) or 0
    match safeguard.kind:
        case Kind.REALITY_CHECK:
            return "It is time for your reality check. Confirm that you have seen it, then you can bet again."
        case Kind.TIME_OUT:
            return f"You are taking a break until {in_words(value)}."
        case Kind.SELF_EXCLUSION if value == FOR_EVER_MS:
            return "You have excluded yourself for good."
        case Kind.SELF_EXCLUSION:
            return f"You have excluded yourself until {in_words(value)}."
    period = Period(safeguard.period)
    until = in_words(period.end_ms(now_ms))
    if safeguard.kind is Kind.SESSION:
        return f"Your time limit of {value} minutes a {period} is used up until {until}."
    limit = f"{format_amount(value, currency)} {currency} a {period}"
    left = f"{format_amount(_left(safeguard, now_ms), currency)} {currency} is left until {until}"
    if safeguard.kind is Kind.DEPOSIT:
        return f"Your deposit limit is {limit}: {left}."
    return f"This round could cost more than your loss limit of {limit} leaves you: {left}."
