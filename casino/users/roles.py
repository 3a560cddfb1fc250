"""Roles of users. Only players have a wallet, so staff who deal cannot play."""

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
    """Actor of a change, as the audit log names it."""

    name: str
    role: str


class Person(NamedTuple):
    """An actor with an account: two people are two accounts."""

    id: str
    name: str
    role: str
