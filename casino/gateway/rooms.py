"""Names of namespaces and rooms."""

from typing import Final

PLAYERS: Final = "/table"
HOSTS: Final = "/host"
POKER: Final = "/poker"
LOBBY: Final = "lobby"


def room_of(table_id: str) -> str:
    return f"table:{table_id}"


def chat_room(table_id: str) -> str:
    """Room of players who have not hidden the chat."""
    return f"chat:{table_id}"


def person_room(user_id: str) -> str:
    return f"person:{user_id}"


def pools_room(currency: str) -> str:
    """Room of players who follow the poker lobby in this currency."""
    return f"pools:{currency}"
