"""What finance is answered. The rows of exports are described by the layouts they are written with."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, create_model

from casino.api.openapi.shapes import LEFT_OUT, Day, GameNumber, Sha256
from casino.api.openapi.to_players import Decision
from casino.finance import postings, settlements, summary
from casino.finance.asking import Format, What
from casino.finance.columns import Kind, Layout
from casino.finance.overview import By
from casino.shapes import Bets, Card, Count, Hand, Minor, Moment, SeatNo, Shape, TableLimits
from casino.uth.events import Event
from casino.uth.settlement import Outcome, Result

Major = Annotated[str, Field(pattern=r"^-?[0-9]+(\.[0-9]+)?$")]
"""In major units with the currency's decimals."""


class House(Shape):
    tables: list[str]
    play_currency: str


class Figures(Shape):
    """What is null is not counted yet."""

    rounds: Count
    players: Count
    staked: int
    returned: int
    house_result: int
    expected_house_result: int | None
    standard_deviation: int | None
    sigmas: float | None
    is_outlier: bool
    tips: Minor
    cancelled: Count
    refunded: Minor
    corrected: Count
    rows_at: str


class Line(Figures):
    key: str
    name: str
    currency: str


class Overview(Shape):
    by: By
    from_: Annotated[Day, Field(alias="from")]
    to: Day
    table: str | None
    rows: list[Line]
    totals: dict[str, Figures]


class PresenterTips(Shape):
    presenter_id: str
    presenter: str
    currency: str
    tips: Count
    amount: Minor
    rows_at: str


class Tips(Shape):
    rows: list[PresenterTips]


class Refund(Shape):
    round_id: str
    table_id: str
    game_number: GameNumber
    at: Moment
    currency: str
    players: Count
    refunded: Minor
    by: str
    reason: str
    rows_at: str


class Refunds(Shape):
    rows: list[Refund]


class Flow(Shape):
    day: Day
    kind: str
    currency: str
    payments: Count
    amount: Minor
    rows_at: str


class PendingPayment(Shape):
    payment_id: str
    player_id: str
    kind: str
    currency: str
    amount: Minor
    asked_at: Moment
    tries: Count


class Flows(Shape):
    flows: list[Flow]
    pending: list[PendingPayment]


class UnresolvedStake(Shape):
    round_id: str
    table_id: str
    game_number: GameNumber
    status: str
    started_at: Moment
    age_ms: int
    currency: str
    amount: int
    rows_at: str


class Unresolved(Shape):
    rows: list[UnresolvedStake]


class Forfeit(Shape):
    round_id: str
    at: Moment
    currency: str
    amount: Minor
    reason: str


class Charity(Shape):
    balances: dict[str, int]
    rows: list[Forfeit]


class BalanceRow(Shape):
    currency: str
    kind: str
    accounts: Count
    balance: int
    held: Minor


class TrialBalance(Shape):
    rows: list[BalanceRow]
    totals: dict[str, int]
    """Zero for every currency, or the books are wrong."""


class AccountRow(Shape):
    account: str
    kind: str
    owner: str | None
    currency: str
    balance: int
    held: Minor


class Accounts(Shape):
    rows: list[AccountRow]
    next_page: Count | None


class ClosedExport(Shape):
    rows: Count
    sha256: Sha256
    totals: dict[str, dict[str, int | Major]]


class ClosedDay(Shape):
    day: Day
    closed_at: Moment
    by: str
    audit_row: Count
    exports: dict[What, ClosedExport]
    rows_at: str


class ClosedDays(Shape):
    rows: list[ClosedDay]


_TYPES: Final[dict[Kind, Any]] = {
    Kind.TEXT: str | None,
    Kind.FREE_TEXT: str | None,
    Kind.COUNT: Count,
    Kind.TIME: Moment,
    Kind.FLAG: bool | None,
}


def _row(name: str, layout: Layout, amount: Any) -> type[Shape]:  # noqa: ANN401  a type
    fields: dict[str, Any] = {column.name: _TYPES.get(column.kind, amount) for column in layout.columns}
    return create_model(name, __base__=Shape, **fields)


def _page(name: str, layout: Layout) -> type[Shape]:
    row = _row(f"{name}Row", layout, int)
    return create_model(f"{name}Page", __base__=Shape, rows=list[row], next_page=Count | None)  # type: ignore[valid-type]


def _export(name: str, layout: Layout, amount: Any) -> type[Shape]:  # noqa: ANN401  a type
    row = _row(f"{name}Line", layout, amount)
    totals = dict[str, dict[str, int | Major]]
    return create_model(f"{name}Export", __base__=Shape, rows=list[row], totals=totals)  # type: ignore[valid-type]


SettledPage: Final = _page("Settled", settlements.LAYOUT)
PostedPage: Final = _page("Posted", postings.LAYOUT)
EXPORTS: Final = {
    What.SETTLEMENTS: _export("Settlements", settlements.LAYOUT, Major),
    What.SUMMARY: _export("Summary", summary.LAYOUT, Major | None),  # the expected result may not be counted
    What.LEDGER: _export("Ledger", postings.LAYOUT, Major),
}


class ExportManifest(Shape):
    """Answered to `manifest=true`, instead of the export."""

    export: What
    format: Format
    from_: Annotated[Day, Field(alias="from")]
    to: Day
    table: str | None
    rows: Count
    bytes: Count
    sha256: Sha256
    totals: dict[str, dict[str, int | Major]]


class FiledLimits(TableLimits):
    smallest_chip: Minor


class FiledPaytable(Shape):
    from_: Annotated[str, Field(alias="from")]
    to: str
    blind: list[str]
    trips: list[str]


class FiledSeat(Shape):
    player_id: str
    name: str | None
    currency: str | None
    seat_no: SeatNo | None
    player_cards: list[Card]
    player_hand: Hand | None
    bets: Bets
    decisions: list[Decision]


class FiledShowdown(Shape):
    player_hand: Hand
    dealer_hand: Hand
    dealer_qualifies: bool
    result: Result


class FiledSpot(Shape):
    """Negative where a settlement is taken back."""

    bet: int
    outcome: Outcome
    returned: int
    why: str


class FiledSpots(Shape):
    ante: FiledSpot
    blind: FiledSpot
    trips: FiledSpot
    play: FiledSpot


class SettledSeat(Shape):
    player_id: str
    result: Result | None
    showdown: FiledShowdown | None
    rule: str | None
    spots: FiledSpots
    staked: int
    returned: int


class FiledSettlement(Shape):
    status: Literal["settled", "cancelled", "reversal", "corrected"]
    at: Moment
    rule: str = LEFT_OUT
    seats: list[SettledSeat]


class FiledIncident(Shape):
    incident_id: str
    reason: str
    at: Moment
    outcome: str | None
    resolution: str | None


class FiledFairness(Shape):
    commitment: Sha256 | None
    deck: list[Card] | None
    secret: str | None
    faults: list[str] | None


class FiledEvent(Shape):
    seq: Count
    at: Moment
    kind: str
    data: Event
    digest: Sha256


class FiledPosting(Shape):
    at: Moment
    id: Count
    line: Count
    kind: str
    key: str
    source: str
    destination: str
    amount: Minor
    currency: str
    actor: str
    reason: str
    digest: Sha256


class FiledAudit(Shape):
    """`before` and `after` are JSON as it was hashed."""

    at: Moment
    id: Count
    actor: str
    role: str
    action: str
    before: str
    after: str
    reason: str
    digest: Sha256


class FiledRound(Shape):
    """Everything the house knows about one round. Where the journal cannot be replayed, `unreadable` says so."""

    round_id: str
    table_id: str
    day: Day
    game_number: GameNumber
    status: str
    presenter: str | None
    started_at: Moment
    ended_at: Moment | None
    unreadable: str = LEFT_OUT
    layout: Literal["shared", "own"] = LEFT_OUT
    limits: FiledLimits = LEFT_OUT
    paytable: FiledPaytable = LEFT_OUT
    board: list[Card] = LEFT_OUT
    dealer_cards: list[Card] = LEFT_OUT
    dealer_hand: Hand | None = LEFT_OUT
    seats: list[FiledSeat] = LEFT_OUT
    settlements: list[FiledSettlement] = LEFT_OUT
    incidents: list[FiledIncident] = LEFT_OUT
    fairness: FiledFairness = LEFT_OUT
    journal: list[FiledEvent]
    journal_chain: str
    postings: list[FiledPosting]
    audit: list[FiledAudit]


class Signature(Shape):
    sha256: Sha256
    audit_row: Count
    audit_digest: Sha256
    at: Moment
    by: str


class RoundFile(Shape):
    round: FiledRound
    signature: Signature
