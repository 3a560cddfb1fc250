"""Money of tournaments in a period: entries, prizes, bounties and refunds, the fees earned, and what the house paid."""

from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.period import Period
from casino.poker_room.tournament.hexapro_store import CANCEL, REGISTER
from casino.poker_room.tournament.tournament_money import KINDS
from casino.storage.schema import operations, postings
from casino.wire.common import Day, Minor

_kind, _from, _to = operations.c.kind, postings.c.source, postings.c.destination
_ENTRIES: Final = ("mtt_register", "mtt_chips", REGISTER)
_RETURNED: Final = ("mtt_unregister", CANCEL)
_ALL: Final = (*KINDS.values(), REGISTER, CANCEL)


class TournamentFigures(TypedDict):
    currency: str
    entries: Minor
    """Paid by players for entries, rebuys and add-ons, in money or with tickets."""
    returned: Minor
    """Of them, given back before the start."""
    prizes: Minor
    """In money or tickets."""
    bounties: Minor
    held: Minor
    """Prizes of disqualified players."""
    refunds: Minor
    """Of cancelled tournaments."""
    fees: Minor
    """Earned, of finished and cancelled tournaments."""
    paid_by_house: Minor
    """Overlay, added money, prizes on VIPs' heads, and HexaPro pools above the buy-ins."""
    kept_by_house: Minor
    """HexaPro buy-ins above the drawn pools, and money of the house out of cancelled pools."""


_Between = TypedDict("_Between", {"from": Day})  # `from` is a keyword


class TournamentMoney(_Between):
    to: Day
    rows: list[TournamentFigures]


async def tournament_money(connection: AsyncConnection, period: Period) -> TournamentMoney:
    by_player = or_(_from.startswith("player:"), _from.startswith("tickets:"))
    to_player = or_(_to.startswith("player:"), _to.startswith("tickets:"))
    query = (
        select(
            postings.c.currency,
            _sum(_kind.in_(_ENTRIES) & by_player),
            _sum(_kind.in_(_RETURNED) & to_player),
            _sum(_kind == "mtt_prize"),
            _sum(_kind.in_(("mtt_bounty", "mtt_vip"))),
            _sum(_kind == "mtt_prize_held"),
            _sum((_kind == "mtt_refund") & to_player),
            _sum(_to.startswith("fees:")),
            _sum(_from.startswith("promo:")),
            _sum(_to.startswith("promo:")),
        )
        .join(operations, operations.c.id == postings.c.operation_id)
        .where(_kind.in_(_ALL), operations.c.at_ms >= period.from_ms, operations.c.at_ms < period.until_ms)
        .group_by(postings.c.currency)
        .order_by(postings.c.currency)
    )
    rows: list[TournamentFigures] = []
    for currency, *sums in await connection.execute(query):
        entries, returned, prizes, bounties, held, refunds, fees, paid, kept = map(int, sums)
        rows.append(
            {
                "currency": currency,
                "entries": entries,
                "returned": returned,
                "prizes": prizes,
                "bounties": bounties,
                "held": held,
                "refunds": refunds,
                "fees": fees,
                "paid_by_house": paid,
                "kept_by_house": kept,
            }
        )
    return {"from": f"{period.first}", "to": f"{period.last}", "rows": rows}


def _sum(condition: ColumnElement[bool]) -> Any:  # noqa: ANN401  an aggregate
    return func.coalesce(func.sum(case((condition, postings.c.amount), else_=0)), 0)
