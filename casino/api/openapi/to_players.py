"""What everybody and players are answered."""

from typing import Literal

from casino.api.openapi.shapes import LEFT_OUT, Fairness, GameNumber, Sha256
from casino.cards.ranking import Category
from casino.people.profile import PersonalSettings
from casino.people.roles import Role
from casino.shapes import Bets, Card, Count, Hand, LobbyTable, Minor, Moment, SeatNo, Shape, Spots
from casino.uth.bets import Action
from casino.uth.phases import Phase
from casino.uth.settlement import Result

Status = Literal["open", "settled", "cancelled", "corrected", "forfeited"]


class User(Shape):
    id: str
    name: str
    role: Role


class Welcome(Shape):
    """The token is the session; the cookie carries the same one."""

    token: str
    user: User


class SignedOut(Shape):
    ok: Literal[True]


class Me(User):
    """Staff have no wallet: for them the last three are null."""

    currency: str | None
    balance: Minor | None
    available: Minor | None
    """The balance less what is held by open bets."""


class Health(Shape):
    status: Literal["ok", "ready"]


class Lobby(Shape):
    tables: list[LobbyTable]


class Seconds(Shape):
    betting: float
    decide_preflop: float
    decide_flop: float
    decide_river: float
    between_rounds: float
    round_min: float
    card: float
    confirm: float
    resume_within: float


class Paytables(Shape):
    """Odds such as `3:2`, or `push` or `lose`, for each hand."""

    blind: dict[Category, str]
    trips: dict[Category, str]


class Returns(Shape):
    """As fractions of 1, unrounded."""

    house_edge: float
    rtp_initial: float
    rtp_total: float
    element_of_risk: float
    average_bet: float
    trips_rtp: float
    decision_frequency: dict[Action, float]
    raise_4x: list[str]


class TableDetails(LobbyTable):
    chips: list[Minor]
    seconds: Seconds
    paytables: Paytables
    returns: Returns | None
    """Null until they are counted."""


class PastRound(Shape):
    round_id: str
    game_number: GameNumber
    player_cards: list[Card]
    board: list[Card]
    dealer_cards: list[Card]
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    started_at: Moment
    status: Literal["settled", "cancelled"]
    winner: Literal["player", "dealer", "tie"] | None
    commitment: Sha256 | None


class PastRounds(Shape):
    table_id: str
    rounds: list[PastRound]


class PlayedRound(Shape):
    round_id: str
    table_id: str
    game_number: GameNumber
    started_at: Moment
    status: Status
    staked: Minor
    returned: Minor
    currency: str


class History(Shape):
    rounds: list[PlayedRound]
    next: str | None
    """For `before`, or null after the oldest round."""


class Decision(Shape):
    phase: Phase
    action: Action
    automatic: bool
    at: Moment


class SeatCards(Shape):
    seat_no: SeatNo
    player_cards: list[Card]


class Incident(Shape):
    incident_id: str
    reason: str
    at: Moment
    outcome: str | None
    resolution: str | None
    incident_class: str | None


class Step(Shape):
    """Which of the fields after `at` are there depends on the kind."""

    kind: str
    at: Moment
    slot: str = LEFT_OUT
    card: Card = LEFT_OUT
    was: Card = LEFT_OUT
    cards: list[Card] = LEFT_OUT
    phase: Phase | None = LEFT_OUT
    deadline: Moment | None = LEFT_OUT
    action: Action | None = LEFT_OUT
    automatic: bool = LEFT_OUT
    bets: Bets | None = LEFT_OUT
    reason: str = LEFT_OUT
    incident_id: str = LEFT_OUT
    result: Result | None = LEFT_OUT
    spots: Spots | None = LEFT_OUT
    staked: Minor = LEFT_OUT
    returned: Minor = LEFT_OUT


class Game(PlayedRound):
    """One round as this player lived it. Nobody else's bets are in it."""

    ended_at: Moment | None
    hands: Literal["shared", "own"]
    presenter: str | None
    seat_no: SeatNo | None
    player_cards: list[Card]
    board: list[Card]
    dealer_cards: list[Card]
    player_hand: Hand | None
    dealer_hand: Hand | None
    dealer_qualifies: bool | None
    seats: list[SeatCards]
    bets: Bets
    decisions: list[Decision]
    result: Result | None
    spots: Spots | None
    incidents: list[Incident]
    commitment: Sha256 | None
    fairness: Fairness | None
    """Null until the round is over, and where a person dealt."""
    steps: list[Step]


class Worth(Shape):
    """What the options of one decision were worth, in ANTEs."""

    phase: Phase
    action: Action
    automatic: bool
    best: Action | None
    given_up: float | None
    values: dict[Action, float] | None


class Advice(Shape):
    round_id: str
    decisions: list[Worth]


class Payment(Shape):
    id: str
    key: str
    kind: Literal["deposit", "withdrawal"]
    amount: Minor
    currency: str
    status: Literal["pending", "succeeded", "failed"]
    reason: str | None
    at: Moment
    ended_at: Moment | None


class Paid(Shape):
    payment: Payment
    balance: Minor
    available: Minor


class CashierPage(Shape):
    payments: list[Payment]
    next: str | None
    currency: str
    amount_min: Minor
    amount_max: Minor
    may_withdraw: bool


class ConfirmedPayment(Shape):
    id: str
    status: Literal["pending", "succeeded", "failed"]


class Confirmed(Shape):
    payment: ConfirmedPayment


class PendingLimit(Shape):
    amount: Minor | None
    at: Moment


class OwnLimit(Shape):
    """Amounts are minor units, of a session limit minutes."""

    kind: Literal["deposit", "loss", "session"]
    period: Literal["day", "week", "month"]
    amount: Minor | None
    used: int | None
    remaining: Minor | None
    starts_at: Moment
    ends_at: Moment
    pending: PendingLimit | None


class RealityCheckState(Shape):
    minutes: Count | None
    due: bool


class Exclusion(Shape):
    kind: Literal["time_out", "self_exclusion"]
    until: Moment | None
    """Null: for ever."""


class PlaySession(Shape):
    since: Moment
    elapsed: Count
    staked: Minor
    returned: Minor
    net: int


class ResponsiblePage(Shape):
    now: Moment
    currency: str
    limits: list[OwnLimit]
    reality_check: RealityCheckState
    exclusion: Exclusion | None
    session: PlaySession | None
    """Null for somebody who is not connected to a table."""


StoredSettings = PersonalSettings
