"""Allowance: the amount a player may still risk under their own limits, and the refusal that names that bound.

The smallest limit applies. It is checked before a round, for the maximum loss of that round. Limits never refuse a
decision in the middle of a hand.
"""

from collections.abc import Iterable
from typing import NamedTuple

from casino.clock import NO_END_MS
from casino.errors import Refusal
from casino.refusals import Reason
from casino.responsible_gaming.player_limits import EXCLUSIONS, Kind, Period, PlayerLimit, in_words


class Allowance(NamedTuple):
    """Maximum risk allowed now, and the refusal of a higher one."""

    minor: int
    refusal: Refusal


def may_risk(limits: Iterable[PlayerLimit], currency: str, now_ms: int, *, is_playing: bool) -> Allowance | None:
    """Returns the allowance for a round now; None without limits. A player in the round needs no reality check."""
    bounds = [
        Allowance(_left(limit, now_ms), _refusal(limit, currency, now_ms))
        for limit in limits
        if _limits_bets(limit, now_ms, is_playing=is_playing)
    ]
    return min(bounds, key=_minor, default=None)


def verify_deposit(limits: Iterable[PlayerLimit], amount: int, currency: str, now_ms: int) -> None:
    bounds = []
    for limit in limits:
        if limit.kind is Kind.DEPOSIT and limit.in_force(now_ms) is not None:
            bounds.append(Allowance(_left(limit, now_ms), _refusal(limit, currency, now_ms)))
        elif limit.kind in EXCLUSIONS and limit.is_used_up(now_ms):
            bounds.append(Allowance(0, _refusal(limit, currency, now_ms)))
    least = min(bounds, key=_minor, default=None)
    if least is not None and amount > least.minor:
        raise least.refusal


def verify_not_excluded(limits: Iterable[PlayerLimit], currency: str, now_ms: int) -> None:
    for limit in limits:
        if limit.kind in EXCLUSIONS and limit.is_used_up(now_ms):
            raise _refusal(limit, currency, now_ms)


def _minor(allowance: Allowance) -> int:
    return allowance.minor


def _limits_bets(limit: PlayerLimit, now_ms: int, *, is_playing: bool) -> bool:
    if limit.kind is Kind.LOSS:
        return limit.in_force(now_ms) is not None
    if limit.kind is Kind.DEPOSIT or (limit.kind is Kind.REALITY_CHECK and is_playing):
        return False
    return limit.is_used_up(now_ms)


def _left(limit: PlayerLimit, now_ms: int) -> int:
    """All or nothing, except for money limits."""
    if limit.kind not in (Kind.LOSS, Kind.DEPOSIT):
        return 0
    return max(0, (limit.in_force(now_ms) or 0) - limit.used)


def _refusal(limit: PlayerLimit, currency: str, now_ms: int) -> Refusal:
    value = limit.in_force(now_ms) or 0
    match limit.kind:
        case Kind.REALITY_CHECK:
            return Reason.REALITY_CHECK_DUE.refusal()
        case Kind.TIME_OUT:
            return Reason.BREAK.refusal(until=value, shown={"until": in_words(value)})
        case Kind.SELF_EXCLUSION if value == NO_END_MS:
            return Reason.EXCLUDED_FOR_GOOD.refusal()
        case Kind.SELF_EXCLUSION:
            return Reason.EXCLUDED.refusal(until=value, shown={"until": in_words(value)})
    until = Period(limit.period).end_ms(now_ms)
    shown = {"until": in_words(until)}
    if limit.kind is Kind.SESSION:
        return Reason.TIME_LIMIT.refusal(minutes=value, until=until, shown=shown)
    reason = Reason.DEPOSIT_LIMIT if limit.kind is Kind.DEPOSIT else Reason.LOSS_LIMIT
    return reason.refusal(limit=value, left=_left(limit, now_ms), currency=currency, until=until, shown=shown)
