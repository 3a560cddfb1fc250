"""What the house may refuse, and the code each refusal carries.

Every rule of the game and every check at the door ends in one of these codes; nothing else ever reaches a
client. The module knows neither the rules nor the wire.
"""

from enum import StrEnum


class Code(StrEnum):
    """The closed list of reasons for a refusal, as clients see them."""

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
    TRIPS_WITHOUT_ANTE = "trips_without_ante"
    NOT_IN_ROUND = "not_in_round"
    NOT_OFFERED = "not_offered"
    ALREADY_DECIDED = "already_decided"
    TOO_LATE = "too_late"
    LIMIT_REACHED = "limit_reached"
    NO_PRESENTER = "no_presenter"
    NOT_PAUSED = "not_paused"
    KEY_REUSED = "key_reused"
    MUTED = "muted"
    RATE_LIMITED = "rate_limited"
    INTERNAL = "internal"
    # At the host console only.
    DUPLICATE_CARD = "duplicate_card"
    BAD_CARD = "bad_card"
    NOT_EXPECTED = "not_expected"


class Refusal(Exception):
    """A request that changes nothing, with the reason as a code and as a sentence."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __repr__(self) -> str:
        return f"Refusal({self.code}, {self.message!r})"
