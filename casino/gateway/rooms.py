"""The names of the namespaces, and of the rooms in them."""

from typing import Final

PLAYERS: Final = "/table"
HOSTS: Final = "/host"
LOBBY: Final = "lobby"


def room_of(table_id: str) -> str:
    return f"table:{table_id}"


def chat_room(table_id: str) -> str:
    """Those at the table who have not hidden the chat."""
    return f"chat:{table_id}"


def person_room(user_id: str) -> str:
    return f"person:{user_id}"
