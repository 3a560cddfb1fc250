"""Types of the finance reports, as the back office receives them."""

from typing_extensions import TypedDict

from casino.uth.phases import Phase
from casino.wire.common import Count, Day, GameNumber, Minor, Moment
from casino.wire.past_rounds import Cancellations


class PresenterTips(TypedDict):
    presenter_id: str
    presenter: str
    currency: str
    tips: Count
    amount: Minor
    rows_at: str


class Tips(TypedDict):
    rows: list[PresenterTips]


class Refund(TypedDict):
    round_id: str
    table_id: str
    game_number: GameNumber
    at: Moment
    currency: str
    players: Count
    refunded: Minor
    by: str
    proposed_by: str | None
    """Null if one person was enough, or if the service alone could not continue the round."""
    approved_by: str | None
    """Null if one person was enough, or if the proposal was not answered."""
    lapsed: bool
    """True if the proposal was not answered within `resume_within`, so that the service cancelled the round."""
    phase: Phase | None
    """Null for rounds stored before it was recorded."""
    reason: str
    rows_at: str


class Refunds(TypedDict):
    rows: list[Refund]
    cancellations: list[Cancellations]


class Flow(TypedDict):
    day: Day
    kind: str
    currency: str
    payments: Count
    amount: Minor
    rows_at: str


class PendingPayment(TypedDict):
    payment_id: str
    player_id: str
    player: str
    kind: str
    currency: str
    amount: Minor
    asked_at: Moment
    tries: Count


class Flows(TypedDict):
    flows: list[Flow]
    pending: list[PendingPayment]


class UnresolvedStake(TypedDict):
    round_id: str
    table_id: str
    game_number: GameNumber
    status: str
    started_at: Moment
    age_ms: int
    currency: str
    amount: int
    rows_at: str


class Unresolved(TypedDict):
    rows: list[UnresolvedStake]


class Forfeit(TypedDict):
    round_id: str | None
    """Null for chips of a poker table."""
    at: Moment
    currency: str
    amount: Minor
    reason: str


class Charity(TypedDict):
    balances: dict[str, int]
    rows: list[Forfeit]


class BalanceRow(TypedDict):
    currency: str
    kind: str
    accounts: Count
    balance: int
    held: Minor


class TrialBalance(TypedDict):
    rows: list[BalanceRow]
    totals: dict[str, int]
    """Zero for every currency, or the books are wrong."""
