"""Reveals the server seed of a machine-dealt round in the transaction that ends the round.

The hash-chained journal stores the seed, so that the proof survives a change of the secret key. No crash can fall
between the end of a round and its reveal.
"""

from collections.abc import Iterable
from typing import Final

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.live_table.shoe import Seal
from casino.storage.schema import rounds
from casino.uth.events import BettingVoided, Event, RoundCancelled, RoundSettled, ShoeRevealed
from casino.uth.fairness import keeps_commitment
from casino.uth.state import Round

_ENDINGS: Final = (BettingVoided, RoundSettled, RoundCancelled)
_log = structlog.get_logger()


async def reveal(
    connection: AsyncConnection, round_: Round, events: Iterable[Event], seal: Seal | None
) -> list[ShoeRevealed]:
    """Returns the reveal event to append, if these events end a round that committed to a seed."""
    ending = next((event for event in events if isinstance(event, _ENDINGS)), None)
    if ending is None or not commits_to_seed(round_):
        return []
    return [ShoeRevealed(await open_server_seed(connection, round_, seal), ending.at_ms)]


async def open_server_seed(connection: AsyncConnection, round_: Round, seal: Seal | None) -> str | None:
    """Returns the committed server seed; None if this key cannot open it."""
    sealed: str | None = await connection.scalar(select(rounds.c.sealed_shoe).where(rounds.c.id == round_.round_id))
    server_seed = seal.open_seed(sealed) if seal and sealed else None
    if server_seed is None or not keeps_commitment(round_, server_seed):
        _log.error("server_seed_lost", table_id=round_.table_id, round_id=round_.round_id)
        return None
    return server_seed.hex


def commits_to_seed(round_: Round) -> bool:
    return round_.commitment is not None and round_.commitment_version == 2
