"""Risk: what a buy-in, an entry or a rebuy may take from a player's account, by balance and by own limits."""

from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger import accounts
from casino.ledger.book import Book
from casino.refusals import Reason
from casino.responsible_gaming.allowance import may_risk
from casino.responsible_gaming.player_limits import player_limits_of


class Risk(NamedTuple):
    """An amount that a player wants to pay."""

    player_id: str
    amount: int
    currency: str


async def lock_available(connection: AsyncConnection, player_id: str, currency: str) -> int:
    """Locks the cash account and returns its available balance. Refuses `insufficient_funds` without one."""
    id_ = accounts.player_cash_id(player_id)
    cash = (await Book(connection).balances([id_])).get(id_)
    if cash is None or cash.currency != currency:
        raise Reason.INSUFFICIENT_FUNDS.refusal()
    return cash.available


async def verify_risk(connection: AsyncConnection, risk: Risk, available: int, now_ms: int) -> None:
    """Refuses an amount above the balance or the player's own limits. The account is locked."""
    if risk.amount > available:
        raise Reason.INSUFFICIENT_FUNDS.refusal()
    limits = await player_limits_of(connection, [risk.player_id], now_ms)
    allowance = may_risk(limits.get(risk.player_id, ()), risk.currency, now_ms, is_playing=False)
    if allowance is not None and risk.amount > allowance.minor:
        raise allowance.refusal
