"""Stores cards that players have shown voluntarily after a hand."""

from casino.poker_room.effects import StoreShownCards
from casino.storage.database import Database
from casino.storage.poker_schema import poker_shown_cards


async def store_shown_cards(database: Database, shown: StoreShownCards) -> None:
    row = {
        "hand_id": shown.hand_id,
        "player_id": shown.player_id,
        "cards": "".join(shown.cards),
        "at_ms": shown.at_ms,
    }
    async with database.writing(for_table=True) as connection:
        await connection.execute(poker_shown_cards.insert().values(row))
