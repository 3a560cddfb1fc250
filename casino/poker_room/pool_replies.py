"""Replies to players who ask for a seat."""

from casino.poker_room.pool import Reserved
from casino.wire.poker_events import PoolJoined, SatDown


def reserved_reply(pool_id: str, joined: Reserved) -> PoolJoined:
    """The seat is kept for a player who has to choose a buy-in of the offer."""
    reply: PoolJoined = {
        "status": "reserved",
        "pool": pool_id,
        "table_id": joined.table_id,
        "seat_no": joined.seat_no,
        "min": joined.offer.smallest,
        "max": joined.offer.largest,
        "reserved_until": joined.until_ms,
    }
    if joined.offer.exactly:
        reply["amounts"] = [*joined.offer.exactly]
    return reply


def repeated_seat(joined: PoolJoined) -> SatDown:
    return {"seat_no": joined["seat_no"], "stack": joined["stack"], "available": joined["available"]}
