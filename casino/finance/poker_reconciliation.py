"""Reconciliation of poker for a day: what every hand says, compared with its operation in the ledger.

`reconciliation` has compared the operations with their own hashes. `casino verify` replays the hands.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from sqlalchemy import and_, exists, func, or_, select

from casino.finance.period import Period
from casino.ledger import accounts
from casino.ledger.posting import Posting, net_changes
from casino.money import NO_CURRENCY
from casino.poker_room.hand_record import OPERATION
from casino.storage.poker_schema import poker_hand_players, poker_hands
from casino.storage.schema import operations, postings
from casino.verify.snapshot import Snapshot

_HANDS_AT_ONCE: Final = 500
_SETTLE: Final = ":settle"

_hand, _player, _operation = poker_hands.c, poker_hand_players.c, operations.c


async def poker_differences(snapshot: Snapshot, period: Period) -> AsyncIterator[str]:
    """Yields nothing if hands and ledger agree to the minor unit."""
    async for hands in _pages(snapshot, period):
        for difference in await _of_hands(snapshot, hands):
            yield difference
    hand_id = func.substr(_operation.key, 1, func.length(_operation.key) - len(_SETTLE))
    of_day = and_(_operation.at_ms >= period.from_ms, _operation.at_ms < period.until_ms)
    strays = select(_operation.key).where(
        of_day, _operation.kind == OPERATION, ~exists().where(_hand.id == hand_id, _hand.ended_ms == _operation.at_ms)
    )
    for key in (await snapshot.connection.execute(strays.order_by(_operation.id))).scalars():
        yield f"operation {key}: the ledger has it, and no poker hand ended so at that time"


async def _pages(snapshot: Snapshot, period: Period) -> AsyncIterator[Sequence[Any]]:
    query = select(_hand.id, _hand.table_id, _hand.currency, _hand.rake, _hand.ended_ms)
    query = (
        query.where(_hand.ended_ms < period.until_ms, _hand.currency != NO_CURRENCY)
        .order_by(_hand.ended_ms, _hand.id)
        .limit(_HANDS_AT_ONCE)
    )
    last: tuple[int, str] = (period.from_ms - 1, "")
    while True:
        later = or_(_hand.ended_ms > last[0], and_(_hand.ended_ms == last[0], _hand.id > last[1]))
        rows = (await snapshot.connection.execute(query.where(later))).all()
        if not rows:
            return
        yield rows
        last = rows[-1].ended_ms, rows[-1].id


async def _of_hands(snapshot: Snapshot, hands: Sequence[Any]) -> list[str]:
    ids = [hand.id for hand in hands]
    stated: dict[str, dict[str, int]] = {hand.id: defaultdict(int) for hand in hands}
    tables = {hand.id: hand for hand in hands}
    for hand in hands:
        stated[hand.id][accounts.rake(hand.currency).id] += hand.rake
    players = select(_player.hand_id, _player.player_id, _player.returned - _player.staked)
    for hand_id, player_id, net in await snapshot.connection.execute(players.where(_player.hand_id.in_(ids))):
        stated[hand_id][accounts.seat_id(tables[hand_id].table_id, player_id)] += net
    posted: dict[str, list[Posting]] = defaultdict(list)
    moved = select(_operation.key, postings).join(postings, postings.c.operation_id == _operation.id)
    keys = [f"{id_}{_SETTLE}" for id_ in ids]
    for key, _, _, *posting in await snapshot.connection.execute(moved.where(_operation.key.in_(keys))):
        posted[key.removesuffix(_SETTLE)].append(Posting(*posting))
    found = []
    for id_ in ids:
        ledger = net_changes(posted[id_])
        for account in dict.fromkeys((*stated[id_], *ledger)):
            if stated[id_].get(account, 0) != ledger.get(account, 0):
                amounts = f"hand {stated[id_].get(account, 0):+}, ledger {ledger.get(account, 0):+}"
                found.append(f"poker hand {id_}, account {account}: {amounts}")
    return found
