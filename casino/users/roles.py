"""What a person is in the house. Only players have a wallet, so nobody who deals can play."""

from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    PLAYER = "player"
    PRESENTER = "presenter"
    MANAGER = "manager"
    FINANCE = "finance"
    ADMIN = "admin"

    @property
    def has_wallet(self) -> bool:
        return self is Role.PLAYER


class Actor(NamedTuple):
    """Who does something to somebody, as the audit log names them."""

    name: str
    role: str


class Person(NamedTuple):
    """The same where the account matters too: two people are two accounts."""

    id: str
    name: str
    role: str
