"""Verifies that each currency of players' accounts holds one kind of money, and the kind the configuration says."""

from casino.settings import ServiceSettings
from casino.users.money_kinds import MoneyKinds
from casino.verify.findings import Check


def check_kinds_of_money(stored: MoneyKinds, check: Check) -> None:
    """Sums by currency would mix real money and play money."""
    check.counted = len(stored.real | stored.play)
    for currency in sorted(stored.real & stored.play):
        check.fault(f"currency {currency}: some accounts hold real money in it, others play money")


def check_configured_kinds(stored: MoneyKinds, settings: ServiceSettings, check: Check) -> None:
    """Reports what keeps the service from starting."""
    for fault in stored.contradictions(settings):
        check.fault(f"setting {fault}")
