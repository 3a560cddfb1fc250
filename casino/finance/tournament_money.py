"""Money of tournaments in a period: entries, prizes, bounties and refunds, the fees earned, and what the house paid.

Each figure is a condition on postings. The rows behind a figure are the postings that fulfil it, so that they agree.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from sqlalchemy import ColumnElement, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.period import Period
from casino.poker_room.tournament.hexapro_store import CANCEL, REGISTER
from casino.poker_room.tournament.ticket_expiry import KIND as TICKET_EXPIRED
from casino.poker_room.tournament.tournament_money import KINDS
from casino.storage.schema import operations, postings
from casino.storage.tournament_schema import tournaments
from casino.users.promotion_tickets import KIND as TICKET_ISSUED
from casino.wire.common import Day, Minor

_kind, _from, _to = operations.c.kind, postings.c.source, postings.c.destination
_BY_PLAYER: Final = or_(_from.startswith("player:"), _from.startswith("tickets:"))
_TO_PLAYER: Final = or_(_to.startswith("player:"), _to.startswith("tickets:"))
_OF_TOURNAMENTS: Final = _kind.in_((*KINDS.values(), REGISTER, CANCEL))
FIGURES: Final[Mapping[str, ColumnElement[bool]]] = {
    "entries": _kind.in_(("mtt_register", "mtt_chips", REGISTER)) & _BY_PLAYER,
    "returned": _kind.in_(("mtt_unregister", CANCEL)) & _TO_PLAYER,
    "prizes": _kind == "mtt_prize",
    "bounties": _kind.in_(("mtt_bounty", "mtt_vip")),
    "held": _kind == "mtt_prize_held",
    "refunds": (_kind == "mtt_refund") & _TO_PLAYER,
    "fees": _OF_TOURNAMENTS & _to.startswith("fees:"),
    "paid_by_house": _OF_TOURNAMENTS & _from.startswith("promo:"),
    "kept_by_house": _OF_TOURNAMENTS & _to.startswith("promo:"),
    "tickets_issued": _kind == TICKET_ISSUED,
    "tickets_lapsed": (_kind == TICKET_EXPIRED) & _to.startswith("promo:"),
}
_ACCOUNT: Final = case((_to.startswith("mtt:"), _to), else_=_from)
_OF_ACCOUNT: Final = func.substr(_ACCOUNT, len("mtt:") + 1, func.length(_ACCOUNT) - len("mtt::pool:EUR"))
"""The line of a HexaPro entry that belongs to no tournament yet."""


def is_of_event(source: str) -> ColumnElement[bool]:
    """Whether a posting belongs to a tournament of this template or line, or to entries that wait in the line."""
    of_source = operations.c.actor.in_(select(tournaments.c.id).where(tournaments.c.source == source))
    waiting = _kind.in_((REGISTER, CANCEL)) & or_(_to.startswith(f"mtt:{source}:"), _from.startswith(f"mtt:{source}:"))
    return or_(of_source, waiting)


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
    tickets_issued: Minor
    """As promotions, paid for by the house."""
    tickets_lapsed: Minor
    """Of them, unused after their last day."""


class EventFigures(TournamentFigures):
    """All tournaments of one template or line."""

    source: str
    """Empty for tickets."""
    name: str


_Between = TypedDict("_Between", {"from": Day})  # `from` is a keyword


class TournamentMoney(_Between):
    to: Day
    rows: list[TournamentFigures]
    """By currency."""
    events: list[EventFigures]


async def tournament_money(connection: AsyncConnection, period: Period) -> TournamentMoney:
    sums = [func.coalesce(func.sum(case((fits, postings.c.amount), else_=0)), 0) for fits in FIGURES.values()]
    currency = postings.c.currency
    event = case((_OF_TOURNAMENTS, func.coalesce(tournaments.c.source, _OF_ACCOUNT)), else_="").label("event")
    query = (
        select(currency, event, func.max(tournaments.c.name), *sums)
        .select_from(operations)
        .join(postings, operations.c.id == postings.c.operation_id)
        .outerjoin(tournaments, tournaments.c.id == operations.c.actor)
        .where(or_(*FIGURES.values()), operations.c.at_ms >= period.from_ms, operations.c.at_ms < period.until_ms)
        .group_by(currency, event.name)  # by its name: PostgreSQL takes an expression with parameters for another one
        .order_by(currency, func.max(tournaments.c.name))
    )
    events = [
        {
            "currency": row[0],
            "source": row[1],
            "name": row[2] or row[1],
            **dict(zip(FIGURES, map(int, row[3:]), strict=True)),
        }
        for row in await connection.execute(query)
    ]
    rows: dict[str, dict[str, Any]] = {}
    for one in events:
        total = rows.setdefault(one["currency"], {"currency": one["currency"], **dict.fromkeys(FIGURES, 0)})
        for figure in FIGURES:
            total[figure] += one[figure]
    return {
        "from": f"{period.first}",
        "to": f"{period.last}",
        "rows": cast(list[TournamentFigures], [*rows.values()]),
        "events": cast(list[EventFigures], events),
    }
