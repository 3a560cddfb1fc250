"""Wallet of a player: the current balance in the ledger. Staff have no wallet."""

from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Balance
from casino.storage.schema import accounts
from casino.users.users import User

_WALLET: Final = select(accounts.c.currency, accounts.c.balance, accounts.c.held).where(
    accounts.c.id == bindparam("account_id")
)


async def wallet_of(connection: AsyncConnection, user: User) -> Balance | None:
    if not user.role.has_wallet:
        return None
    return Balance(*(await connection.execute(_WALLET, {"account_id": player_cash_id(user.id)})).one())
