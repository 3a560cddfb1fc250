"""Guests: visitors without a password, with a generated name and play money, separate from real money."""

import secrets
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from casino.refusals import Reason
from casino.settings.service import Guests
from casino.users.credit import Credit, give_credit, lock_credits
from casino.users.roles import Actor, Role
from casino.users.users import NameTaken, User, Users

GUESTS: Final = Actor("guests", "system")

_SIGNS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # without characters that look alike
_TRIES: Final = 5


async def add_guest(connection: AsyncConnection, guests: Guests, at_ms: int) -> User:
    """Adds a player who cannot sign in again once the session has ended: there is no password."""
    if not guests.enabled:
        raise Reason.NO_GUESTS.refusal()
    if guests.credit:
        await lock_credits(connection, guests.currency)
    user = await _enter(connection, guests.currency, at_ms)
    if guests.credit:
        await give_credit(connection, user, Credit(guests.credit, "Play money", f"guest:{user.id}"), GUESTS, at_ms)
    return user


async def _enter(connection: AsyncConnection, currency: str, at_ms: int) -> User:
    for _ in range(_TRIES):
        try:
            return await Users(connection).add(
                _made_up_name(),
                Role.PLAYER,
                currency,
                password_hash=None,
                by=GUESTS,
                at_ms=at_ms,
                is_play_money=True,
            )
        except NameTaken:  # probability 1 in 10^9 per existing guest
            continue
    raise Reason.NO_GUEST_NAME.refusal()


def _made_up_name() -> str:
    return "Guest " + "".join(secrets.choice(_SIGNS) for _ in range(6))
