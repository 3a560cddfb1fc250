"""Request rate limits of one account, and of costly requests: excess requests wait, or are refused.

The limit of an address is not enough. One account could send the most expensive requests, and many accounts behind one
address share its limit. One client may also have many guests, and requests with a session are the most expensive. So
players of one address share two fifths of its rate for them. Staff do not wait behind players. A player's round and the
public proof of a round replay it from the journal, so an address has a fifth of its rate for them.
"""

from functools import partial
from typing import Final

from aiohttp import web

from casino.http.client_address import address_in
from casino.http.errors import has_left, with_status
from casino.refusals import Reason
from casino.security.client_address import rate_limit_key
from casino.security.request_pacing import PacedQueue
from casino.settings.service import Rates
from casino.users.roles import Role
from casino.users.users import User

_WAIT_SECONDS_MAX: Final = 5
_SHARE_OF_ADDRESS: Final = 0.4
_SHARE_OF_REPLAYS: Final = 0.2


class AccountPace:
    def __init__(self, rates: Rates) -> None:
        self._of_account = _queue(rates.account_requests_per_second)
        self._of_address = _queue(max(1, round(_SHARE_OF_ADDRESS * rates.requests_per_second)))

    async def wait_for_turn(self, request: web.Request, user: User) -> None:
        await _wait(self._of_account, user.id, request)
        if user.role == Role.PLAYER:
            await _wait(self._of_address, rate_limit_key(address_in(request)), request)


class ReplayPace:
    """Pace of rounds that are replayed. Its queue is long: all players of a round may ask for it at once."""

    def __init__(self, rates: Rates) -> None:
        self._of_address = PacedQueue(max(1, round(_SHARE_OF_REPLAYS * rates.requests_per_second)))

    async def wait_for_turn(self, request: web.Request) -> None:
        await _wait(self._of_address, rate_limit_key(address_in(request)), request)


ACCOUNT_PACE: Final = web.AppKey("account_pace", AccountPace)


def _queue(per_second: int) -> PacedQueue:
    return PacedQueue(per_second, length_max=_WAIT_SECONDS_MAX * per_second)


async def _wait(queue: PacedQueue, key: str, request: web.Request) -> None:
    if not await queue.turn(key, partial(has_left, request)):
        headers = {"Retry-After": str(_WAIT_SECONDS_MAX)}
        raise with_status(Reason.RATE_LIMITED.refusal(), headers=headers)
