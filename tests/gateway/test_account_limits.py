"""Rate limits of an account: allowed rates, recovery after a pause, and abuse."""

import pytest

from casino.errors import Code, Refusal
from casino.gateway.account_limits import ACCOUNTS_MAX, REFUSALS_MAX, AccountLimits, account_limits
from casino.security.rate_limit import MINUTE_MS, PerKey


def refusals(askers: PerKey[AccountLimits], event: str, times: int, at_ms: int = 0) -> int:
    refused = 0
    for _ in range(times):
        try:
            askers.of("ann").verify(event, at_ms)
        except Refusal as refusal:
            assert refusal.code is Code.RATE_LIMITED
            refused += 1
    return refused


@pytest.mark.req("SEC-5")
def test_forty_bets_in_five_seconds_and_five_lines_in_thirty() -> None:
    askers = account_limits()
    assert refusals(askers, "bet", 41) == 1
    assert refusals(askers, "decide", 1, at_ms=4_999) == 1
    assert refusals(askers, "decide", 40, at_ms=5_000) == 0
    assert refusals(askers, "chat", 6) == 1
    assert refusals(askers, "say", 1, at_ms=29_999) == 1
    assert refusals(askers, "tip", 11, at_ms=29_999) == 1, "ten tips in thirty, whatever else is said"
    assert refusals(askers, "chat", 5, at_ms=30_000) == 0


@pytest.mark.req("SEC-5")
def test_other_messages_have_a_separate_rate_limit() -> None:
    askers = account_limits()
    assert refusals(askers, "join", 2) == 0
    assert refusals(askers, "bet", 40) == 0, "coming to the table costs no bet"
    assert refusals(askers, "bet", 1) == 1
    assert refusals(askers, "join", 38) == 0, "nor do bets keep anybody from coming back"
    assert refusals(askers, "leave", 1) == refusals(askers, "nonsense", 1) == 1


@pytest.mark.req("SEC-5")
def test_repeated_refusals_are_abuse() -> None:
    askers = account_limits(plays_per_5_seconds=1)
    refusals(askers, "bet", 1 + REFUSALS_MAX)
    assert not askers.of("ann").is_abuse
    refusals(askers, "bet", 1)
    assert askers.of("ann").is_abuse
    assert not askers.of("bob").is_abuse


def test_abuse_is_forgiven_after_a_quiet_minute() -> None:
    askers = account_limits(plays_per_5_seconds=1)
    refusals(askers, "bet", 2 + REFUSALS_MAX)
    assert askers.of("ann").is_abuse
    assert refusals(askers, "bet", 2, at_ms=MINUTE_MS) == 1
    assert not askers.of("ann").is_abuse


def test_remembered_accounts_are_bounded_and_the_least_active_is_dropped() -> None:
    askers = account_limits(plays_per_5_seconds=1)
    refusals(askers, "bet", 1)
    askers.of("bob").verify("bet", 0)
    for number in range(ACCOUNTS_MAX - 2):
        askers.of(f"player {number}")
    askers.of("ann")
    askers.of("one more")
    assert refusals(askers, "bet", 1) == 1, "ann asked a moment ago"
    askers.of("bob").verify("bet", 0)
