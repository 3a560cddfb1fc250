"""Allowance: the amount a player may still risk under their own limits, and the refusal that names that bound.

The smallest limit applies. It is checked before a round, for the maximum loss of that round. Limits never refuse a
decision in the middle of a hand.
"""

from collections.abc import Iterable
from typing import NamedTuple

from casino.errors import Refusal
from casino.refusals import Reason
from casino.responsible_gaming.player_limits import EXCLUSIONS, FOR_EVER_MS, Kind, Period, PlayerLimit, in_words


class Allowance(NamedTuple):
    """Maximum risk allowed now, and the refusal of a higher one."""

    minor: int
    refusal: Refusal


def may_risk(safeguards: Iterable[PlayerLimit], currency: str, now_ms: int, *, is_playing: bool) -> Allowance | None:
    """Returns the allowance for a round now; None without limits. A player in the round needs no reality check."""
    hindrances = [
        Allowance(_left(safeguard, now_ms), _refusal(safeguard, currency, now_ms))
        for safeguard in safeguards
        if _limits_bets(safeguard, now_ms, is_playing=is_playing)
    ]
    return min(hindrances, key=_minor, default=None)


def verify_deposit(safeguards: Iterable[PlayerLimit], amount: int, currency: str, now_ms: int) -> None:
    hindrances = []
    for safeguard in safeguards:
        if safeguard.kind is Kind.DEPOSIT and safeguard.in_force(now_ms) is not None:
            hindrances.append(Allowance(_left(safeguard, now_ms), _refusal(safeguard, currency, now_ms)))
        elif safeguard.kind in EXCLUSIONS and safeguard.is_used_up(now_ms):
            hindrances.append(Allowance(0, _refusal(safeguard, currency, now_ms)))
    least = min(hindrances, key=_minor, default=None)
    if least is not None and amount > least.minor:
        raise least.refusal


def verify_not_excluded(safeguards: Iterable[PlayerLimit], currency: str, now_ms: int) -> None:
    for safeguard in safeguards:
        if safeguard.kind in EXCLUSIONS and safeguard.is_used_up(now_ms):
            raise _refusal(safeguard, currency, now_ms)


def _minor(allowance: Allowance) -> int:
    return allowance.minor


def _limits_bets(safeguard: PlayerLimit, now_ms: int, *, is_playing: bool) -> bool:
    if safeguard.kind is Kind.LOSS:
        return safeguard.in_force(now_ms) is not None
    if safeguard.kind is Kind.DEPOSIT or (safeguard.kind is Kind.REALITY_CHECK and is_playing):
        return False
    return safeguard.is_used_up(now_ms)


def _left(safeguard: PlayerLimit, now_ms: int) -> int:
    """All or nothing, except for money limits."""
    if safeguard.kind not in (Kind.LOSS, Kind.DEPOSIT):
        return 0
    return max(0, (safeguard.in_force(now_ms) or 0) - safeguard.used)


def _refusal(safeguard: PlayerLimit, currency: str, now_ms: int) -> Refusal:
    value = safeguard.in_force(now_ms) or 0
    match safeguard.kind:
        case Kind.REALITY_CHECK:
            return Reason.REALITY_CHECK_DUE.refusal()
        case Kind.TIME_OUT:
            return Reason.BREAK.refusal(until=value, shown={"until": in_words(value)})
        case Kind.SELF_EXCLUSION if value == FOR_EVER_MS:
            return Reason.EXCLUDED_FOR_GOOD.refusal()
        case Kind.SELF_EXCLUSION:
            return Reason.EXCLUDED.refusal(until=value, shown={"until": in_words(value)})
    until = Period(safeguard.period).end_ms(now_ms)
    shown = {"until": in_words(until)}
    if safeguard.kind is Kind.SESSION:
        return Reason.TIME_LIMIT.refusal(minutes=value, until=until, shown=shown)
    reason = Reason.DEPOSIT_LIMIT if safeguard.kind is Kind.DEPOSIT else Reason.LOSS_LIMIT
    return reason.refusal(limit=value, left=_left(safeguard, now_ms), currency=currency, until=until, shown=shown)
