"""What a player has, as it stands in the books at this moment. Staff have no wallet."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.ledger.accounts import player_cash_id
from casino.ledger.book import Balance
from casino.people.users import User
from casino.storage.schema import accounts


async def wallet_of(connection: AsyncConnection, user: User) -> Balance | None:
    if not user.role.has_wallet:
        return None
    columns = (accounts.c.currency, accounts.c.balance, accounts.c.held)
    query = select(*columns).where(accounts.c.id == player_cash_id(user.id))
    return Balance(*(await connection.execute(query)).one())
