"""Response models of exports and of the rows behind them, derived from the layouts they are written with."""

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, create_model

from casino.finance import poker_exports, postings, settlements, summary
from casino.finance.columns import CurrencyTotals, Kind, Layout
from casino.finance.export_types import ExportKind
from casino.wire.common import (
    Count,
    Major,
    Moment,
)

_TYPES: Final[dict[Kind, Any]] = {
    Kind.TEXT: str | None,
    Kind.FREE_TEXT: str | None,
    Kind.MOMENT: str | None,
    Kind.COUNT: Count,
    Kind.TIME: Moment,
    Kind.FLAG: bool | None,
}


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")


def _row(name: str, layout: Layout, amount: Any) -> type[_Row]:  # noqa: ANN401  a type
    fields: dict[str, Any] = {column.name: _TYPES.get(column.kind, amount) for column in layout.columns}
    return create_model(name, __base__=_Row, **fields)


def _page(name: str, layout: Layout, **more: Any) -> type[_Row]:  # noqa: ANN401  fields
    """`totals` of all pages by currency: the number of rows, and the sum of each amount."""
    row: Any = create_model(f"{name}Row", __base__=_row(f"{name}Line", layout, int), **more)
    totals = dict[str, dict[str, int]]
    return create_model(f"{name}Page", __base__=_Row, rows=list[row], next_page=Count | None, totals=totals)


def _export(name: str, layout: Layout, amount: Any) -> type[_Row]:  # noqa: ANN401  a type
    row = _row(f"{name}Line", layout, amount)
    totals = CurrencyTotals
    return create_model(f"{name}Export", __base__=_Row, rows=list[row], totals=totals)  # type: ignore[valid-type]


def _without_default(schema: dict[str, Any]) -> None:
    del schema["default"]


_OPTIONAL: Any = Field(default=None, json_schema_extra=_without_default)


SettledPage: Final = _page("Settled", settlements.LAYOUT)
PostedPage: Final = _page(
    "Posted",
    postings.LAYOUT,
    source_owner=str | None,
    destination_owner=str | None,
    actor_name=str | None,  # of a player, who is recorded by id
    change=(int, _OPTIONAL),  # of the account that was asked for, like its balance
    balance=(int | None, _OPTIONAL),
)
EXPORTS: Final = {
    ExportKind.SETTLEMENTS: _export("Settlements", settlements.LAYOUT, Major),
    ExportKind.SUMMARY: _export("Summary", summary.LAYOUT, Major | None),  # the expected result may not be computed yet
    ExportKind.LEDGER: _export("Ledger", postings.LAYOUT, Major),
    ExportKind.POKER_HANDS: _export("PokerHands", poker_exports.HANDS, Major),
    ExportKind.POKER_PLAYERS: _export("PokerPlayers", poker_exports.PLAYERS, Major),
}
