"""HexaPro games as drawn against the published odds: multipliers, prize pools, z and chi-square.

The drawn multiplier of a game follows from what the ledger moved between the house and its pool.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, and_, case, func, select
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from casino.finance.period import Period
from casino.poker.tournament.hexapro import DRAW_OF, PLAYERS, Product
from casino.poker_room.tournament.spec import TournamentKind, source_of
from casino.storage.schema import operations, postings
from casino.storage.tournament_schema import tournaments
from casino.wire.common import Count, Day, Minor, Moment

EXPECTED_MIN: Final = 5
"""The least expected count of a class of chi-square; the rarest multipliers are one class."""
PAGE: Final = 200
_game = tournaments.c
_Lines = Mapping[str, Product]


class DrawnMultiplier(TypedDict):
    multiplier: Count
    drawn: Count
    expected: float | None
    """Null for a product that is not configured any more."""


class HexaProduct(TypedDict):
    product: str
    name: str
    currency: str
    games: Count
    entries: Minor
    """Three buy-ins of each game."""
    pools: Minor
    """As drawn."""
    expected: Minor | None
    deviation: Minor | None
    """Standard deviation of the pools."""
    z: float | None
    chi_square: float | None
    """Null with too few games for two classes."""
    degrees: Count | None
    p: float | None
    """The chance of a chi-square at least this large."""
    multipliers: list[DrawnMultiplier]


_Between = TypedDict("_Between", {"from": Day})  # `from` is a keyword


class HexaDraws(_Between):
    to: Day
    rows: list[HexaProduct]


class HexaGame(TypedDict):
    tournament_id: str
    started_at: Moment
    name: str
    currency: str
    buy_in: Minor
    multiplier: Count
    pool: Minor
    status: str
    account: str
    """Of the prize pool, in the ledger."""


class HexaGames(TypedDict):
    rows: list[HexaGame]
    next_page: Count | None
    totals: dict[str, dict[str, int]]


def lines_of(products: Iterable[Product], currencies: Sequence[str]) -> dict[str, Product]:
    """Products by the lines of their games."""
    return {
        source_of(product.product_id, currency, buy_in): product
        for product in products
        for buy_in in (*product.buy_ins, *product.off)
        for currency in currencies
    }


@dataclass(slots=True)
class _Drawn:
    """Games of one product in one currency."""

    name: str
    product: Product | None
    counts: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    entries: int = 0
    pools: int = 0
    weights: list[tuple[int, int]] = field(default_factory=list)  # buy-in and games

    def view(self, product_id: str, currency: str) -> HexaProduct:
        games, product = sum(self.counts.values()), self.product
        view: HexaProduct = {
            "product": product_id,
            "name": self.name,
            "currency": currency,
            "games": games,
            "entries": self.entries,
            "pools": self.pools,
            "expected": None,
            "deviation": None,
            "z": None,
            "chi_square": None,
            "degrees": None,
            "p": None,
            "multipliers": [
                {"multiplier": one, "drawn": count, "expected": None}
                for one, count in sorted(self.counts.items(), reverse=True)
            ],
        }
        if product is None:
            return view
        odds = product.odds
        expected = {one: games * chances / DRAW_OF for one, chances in odds.items()}
        mean = float(product.mean)
        variance = sum(chances * (one - mean) ** 2 for one, chances in odds.items()) / DRAW_OF
        deviation = math.sqrt(variance * sum(count * buy_in**2 for buy_in, count in self.weights))
        exact = product.mean * sum(count * buy_in for buy_in, count in self.weights)
        view["expected"], view["deviation"] = round(exact), round(deviation)
        view["z"] = round((self.pools - float(exact)) / deviation, 2) if deviation else None
        found = chi_square(self.counts, expected)
        if found is not None:
            view["chi_square"], view["degrees"], view["p"] = round(found[0], 2), found[1], round(found[2], 4)
        view["multipliers"] = [
            {"multiplier": one, "drawn": self.counts.get(one, 0), "expected": round(count, 1)}
            for one, count in expected.items()
        ]
        return view


def chi_square(counts: Mapping[int, int], expected: Mapping[int, float]) -> tuple[float, int, float] | None:
    """Returns chi-square, degrees of freedom and p; None if there are not two classes with enough expected games."""
    classes: list[tuple[float, float]] = []
    drawn = count = 0.0
    for one in sorted(expected, key=lambda one: expected[one]):  # the rarest first
        drawn, count = drawn + counts.get(one, 0), count + expected[one]
        if count >= EXPECTED_MIN:
            classes.append((drawn, count))
            drawn = count = 0.0
    if classes and count:
        classes[-1] = (classes[-1][0] + drawn, classes[-1][1] + count)
    if len(classes) <= 1:
        return None
    value = sum((drawn - count) ** 2 / count for drawn, count in classes)
    return value, len(classes) - 1, chance_beyond(value, len(classes) - 1)


def chance_beyond(value: float, degrees: int) -> float:
    """The chance of a chi-square at least this large, by its closed form for whole degrees of freedom."""
    half = value / 2
    if degrees % 2 == 0:
        head: float = sum(half**k / math.factorial(k) for k in range(degrees // 2))
        return math.exp(-half) * head
    tail: float = sum(half ** (k - 0.5) / math.gamma(k + 0.5) for k in range(1, degrees // 2 + 1))
    return math.erfc(math.sqrt(half)) + math.exp(-half) * tail


async def hexapro_draws(connection: AsyncConnection, period: Period, lines: _Lines) -> HexaDraws:
    games = _games(period).subquery()
    columns = games.c
    grouped = (columns.source, columns.currency, columns.buy_in, columns.multiplier)
    query = select(*grouped, func.max(columns.name), func.count()).group_by(*grouped)
    found: dict[tuple[str, str], _Drawn] = {}
    for source, currency, buy_in, multiplier, name, count in await connection.execute(query.order_by(*grouped)):
        product = lines.get(source)
        product_id = product.product_id if product else source
        drawn = found.setdefault((product_id, currency), _Drawn(product.name if product else name, product))
        drawn.counts[int(multiplier)] += count
        drawn.entries += PLAYERS * buy_in * count
        drawn.pools += int(multiplier) * buy_in * count
        drawn.weights.append((buy_in, count))
    rows = [drawn.view(product_id, currency) for (product_id, currency), drawn in found.items()]
    return {"from": f"{period.first}", "to": f"{period.last}", "rows": rows}


async def hexapro_games(
    connection: AsyncConnection, period: Period, lines: _Lines, filters: Mapping[str, str], page: int
) -> HexaGames:
    """`product`, `currency` and `multiplier` filter the games."""
    games = _games(period).subquery()
    columns = games.c
    query = select(games)
    wanted = filters.get("product")
    if wanted:
        sources = [source for source, product in lines.items() if product.product_id == wanted] or [wanted]
        query = query.where(columns.source.in_(sources))
    if filters.get("currency"):
        query = query.where(columns.currency == filters["currency"])
    if (filters.get("multiplier") or "").isdecimal():
        query = query.where(columns.multiplier == int(filters["multiplier"]))
    chosen = query.subquery()
    pools = func.sum(chosen.c.multiplier * chosen.c.buy_in)
    sums = select(chosen.c.currency, func.count(), func.sum(chosen.c.buy_in), pools).group_by(chosen.c.currency)
    totals = {
        row[0]: {"rows": row[1], "buy_in": int(row[2]), "pool": int(row[3])} for row in await connection.execute(sums)
    }
    paged = query.order_by(columns.starts_ms, columns.id).limit(PAGE + 1).offset(page * PAGE)
    rows = (await connection.execute(paged)).all()
    return {
        "rows": [_view(row) for row in rows[:PAGE]],
        "next_page": page + 1 if len(rows) > PAGE else None,
        "totals": totals,
    }


def _games(period: Period) -> Select[Any]:
    """Started games with their multipliers. Three times the buy-in moves nothing between house and pool."""
    is_of_game = and_(
        operations.c.actor == _game.id,
        operations.c.kind == "mtt_overlay",
        operations.c.at_ms >= period.from_ms,
        operations.c.at_ms < period.until_ms,
    )
    paid: ColumnElement[int] = case(
        (postings.c.source.startswith("promo:"), postings.c.amount), else_=-postings.c.amount
    )
    multiplier = PLAYERS + func.coalesce(paid, 0) // _game.buy_in
    return (
        select(
            *(_game.id, _game.source, _game.name, _game.currency, _game.buy_in, _game.starts_ms, _game.status),
            multiplier.label("multiplier"),
        )
        .outerjoin(operations, is_of_game)
        .outerjoin(postings, postings.c.operation_id == operations.c.id)
        .where(
            _game.kind == TournamentKind.HEXAPRO.value,
            _game.starts_ms >= period.from_ms,
            _game.starts_ms < period.until_ms,
        )
    )


def _view(row: Any) -> HexaGame:  # noqa: ANN401  a row of the games
    return {
        "tournament_id": row.id,
        "started_at": row.starts_ms,
        "name": row.name,
        "currency": row.currency,
        "buy_in": row.buy_in,
        "multiplier": int(row.multiplier),
        "pool": int(row.multiplier) * row.buy_in,
        "status": row.status,
        "account": f"mtt:{row.id}:pool:{row.currency}",
    }
