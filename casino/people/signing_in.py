"""Who somebody is, by name and password. Every way to be wrong looks the same and takes the same time."""

from casino.errors import Code, Refusal
from casino.people.passwords import Passwords
from casino.people.users import User, Users
from casino.storage.database import Database


async def authenticate(database: Database, passwords: Passwords, name: str, password: str) -> User:
    user, password_hash = await _look_up(database, name)
    fits = await passwords.fits(password, password_hash)
    if user is None or user.is_disabled or not fits:
        raise Refusal(Code.NOT_AUTHENTICATED, "The name or the password is wrong.")
    return user


async def _look_up(database: Database, name: str) -> tuple[User | None, str | None]:
    async with database.reading() as connection:
        users = Users(connection)
        try:
            user = await users.named(name)
        except Refusal:
            return None, None
        return user, await users.password_hash(user)
