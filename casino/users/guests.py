"""Visitors without an account: a name made up for them, and play money that is never mixed with real money."""

import secrets
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.errors import Code, Refusal
from casino.people.credit import Credit, give_credit, lock_cashier
from casino.people.roles import Actor, Role
from casino.people.users import NameTaken, User, Users
from casino.settings.house import Guests

GUESTS: Final = Actor("guests", "system")

_SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # nothing that looks like something else
_TRIES: Final = 5


async def add_guest(connection: AsyncConnection, guests: Guests, at_ms: int) -> User:
    """A player who can never sign in again once the session has ended: there is no password."""
    if not guests.enabled:
        raise Refusal(Code.FORBIDDEN, "This house has no guests: please register.")
    if guests.credit:
        await lock_cashier(connection, guests.currency)
    user = await _enter(connection, guests.currency, at_ms)
    if guests.credit:
        await give_credit(connection, user, Credit(guests.credit, "Play money", f"guest:{user.id}"), GUESTS, at_ms)
    return user


async def _enter(connection: AsyncConnection, currency: str, at_ms: int) -> User:
    for _ in range(_TRIES):
        try:
            return await Users(connection).add(
                _made_up_name(), Role.PLAYER, currency, password_hash=None, by=GUESTS, at_ms=at_ms
            )
        except NameTaken:  # one in a thousand million for each guest there is
            continue
    raise Refusal(Code.INTERNAL, "No free name was found. Please try again.")


def _made_up_name() -> str:
    return "Guest " + "".join(secrets.choice(_SIGNS) for _ in range(6))
