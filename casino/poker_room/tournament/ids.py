"""Ids of tournaments and entries. They have no colon, because names of accounts are put together with colons."""

import secrets

from casino.poker_room.tournament.spec import TournamentKind


def new_tournament_id(kind: TournamentKind) -> str:
    return f"{kind}-{secrets.token_hex(5)}"


def new_entry_id() -> str:
    return f"e-{secrets.token_hex(8)}"
