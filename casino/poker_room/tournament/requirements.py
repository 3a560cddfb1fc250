"""Requirements of a tournament: what a player's account needs before an entry, apart from the price."""

from collections.abc import Iterable

from sqlalchemy import select

from casino.refusals import Reason
from casino.storage.database import Database
from casino.storage.schema import payments, users


async def verify_requirements(
    database: Database, player_id: str, requirements: Iterable[str], *, has_ticket: bool
) -> None:
    """Refuses `requirements_not_met`. `verified` is an account with a password, so that guests are not."""
    async with database.reading(for_table=True) as connection:
        for requirement in requirements:
            match requirement:
                case "verified":
                    query = select(users.c.id).where(users.c.id == player_id, users.c.password_hash.is_not(None))
                    is_met = await connection.scalar(query) is not None
                case "deposit":
                    mine = (payments.c.player_id == player_id, payments.c.kind == "deposit")
                    paid = select(payments.c.id).where(*mine, payments.c.status == "succeeded").limit(1)
                    is_met = await connection.scalar(paid) is not None
                case _:
                    is_met = has_ticket
            if not is_met:
                raise Reason.REQUIREMENTS_NOT_MET.refusal()
