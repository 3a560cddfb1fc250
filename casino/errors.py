"""Refusals and their codes: the closed list of reasons the service may refuse a request with.

Every game rule and every request check ends in one of these codes; clients see no other. The module knows neither the
rules nor the wire format.
"""

from collections.abc import Mapping
from enum import StrEnum

Param = int | str
"""A value that a sentence shows: an amount in minor units, a time in UTC milliseconds, a count or a name."""


class Code(StrEnum):
    """Closed list of refusal codes, as clients see them."""

    NOT_AUTHENTICATED = "not_authenticated"
    FORBIDDEN = "forbidden"
    BAD_REQUEST = "bad_request"
    NOT_FOUND = "not_found"
    NO_SUCH_TABLE = "no_such_table"
    TABLE_CLOSED = "table_closed"
    TABLE_FULL = "table_full"
    BETTING_CLOSED = "betting_closed"
    STALE_ROUND = "stale_round"
    TABLE_PAUSED = "table_paused"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_A_CHIP_MULTIPLE = "not_a_chip_multiple"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    SECOND_FACTOR_REQUIRED = "second_factor_required"
    WEAK_PASSWORD = "weak_password"  # noqa: S105  a code
    TRIPS_WITHOUT_ANTE = "trips_without_ante"
    NOT_IN_ROUND = "not_in_round"
    NOT_OFFERED = "not_offered"
    NOT_YOUR_TURN = "not_your_turn"
    ALREADY_DECIDED = "already_decided"
    TOO_LATE = "too_late"
    LIMIT_REACHED = "limit_reached"
    NO_PRESENTER = "no_presenter"
    NOT_PAUSED = "not_paused"
    KEY_REUSED = "key_reused"
    MUTED = "muted"
    RATE_LIMITED = "rate_limited"
    REGISTRATION_CLOSED = "registration_closed"
    ALREADY_REGISTERED = "already_registered"
    NOT_REGISTERED = "not_registered"
    REQUIREMENTS_NOT_MET = "requirements_not_met"
    TICKET_UNUSABLE = "ticket_unusable"
    TOO_MANY_TABLES = "too_many_tables"
    BLOCKED = "blocked"
    INTERNAL = "internal"
    # Sent to the host console only.
    DUPLICATE_CARD = "duplicate_card"
    BAD_CARD = "bad_card"
    NOT_EXPECTED = "not_expected"


class Refusal(Exception):
    """A refused request that changed nothing: a code, an English sentence, and the values the sentence needs.

    `casino/refusals.py` has the sentences for players. Refusals that only staff can meet bring their own.
    """

    def __init__(self, code: Code, message: str, params: Mapping[str, Param] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.params: Mapping[str, Param] = params or {}

    def __repr__(self) -> str:
        return f"Refusal({self.code}, {self.message!r})"
