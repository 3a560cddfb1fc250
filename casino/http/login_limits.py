"""Rate limits of sign-in: attempts per address, wrong passwords per name, wrong codes per account.

Only wrong passwords count for a name, so frequent sign-ins lock no user out. Attempts of strangers never use up the
owner's: a device that has signed in to the name before (by its cookie) has its own count, and so has an address from
which the name has signed in. Strangers share one count per name. Each address block may make two attempts an hour
beyond it, within an hourly reserve of the name, so that one attacker does not keep the owner's new device out.
Names are counted whether they exist or not.
"""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

from casino.clock import Clock
from casino.errors import Refusal
from casino.http.errors import with_status
from casino.refusals import Reason
from casino.security.client_address import address_block, rate_limit_key
from casino.security.device_cookies import Device
from casino.security.rate_limit import MINUTE_MS, Rate, RateLimiter, steady_clock
from casino.settings.service import Rates
from casino.users.names import clean_name, folded

_NOTED: Final = Rate(10, MINUTE_MS)  # failures written to the audit log, per address
_NOTED_IN_ALL: Final = Rate(120, MINUTE_MS)
_KNOWN_MAX: Final = 10_000
_HOUR_MS: Final = 60 * MINUTE_MS
_FIRST_ATTEMPTS: Final = Rate(2, _HOUR_MS)
"""Per name and address block of strangers: room for one slip of the finger."""
_RESERVE: Final = Rate(60, _HOUR_MS)
"""First attempts per name while its count is used up. An attacker needs thirty address blocks an hour to use it up."""
_WRONG_CODES: Final = Rate(10, _HOUR_MS)
"""Three of all six-digit codes are valid at a time: ten guesses an hour succeed once in four years on average."""

_NameKey = tuple[str, str]

Attempt = list[tuple[RateLimiter, Hashable]]
"""The counts that a wrong password was entered into."""


class LoginLimits:
    def __init__(self, rates: Rates, clock: Clock = steady_clock) -> None:
        self._clock = clock
        self._guests = RateLimiter(Rate(rates.guests_per_minute, MINUTE_MS))
        self._registrations = RateLimiter(Rate(rates.registrations_per_minute, MINUTE_MS))
        self._sign_ins = RateLimiter(Rate(rates.sign_ins_per_minute, MINUTE_MS))
        self._wrong_passwords = RateLimiter(Rate(rates.wrong_passwords_per_minute, MINUTE_MS))
        self._first_attempts = RateLimiter(_FIRST_ATTEMPTS)
        self._reserve = RateLimiter(_RESERVE)
        self._wrong_codes = RateLimiter(_WRONG_CODES)
        self._noted = RateLimiter(_NOTED)
        self._noted_in_all = RateLimiter(_NOTED_IN_ALL)
        self._known: OrderedDict[_NameKey, str] = OrderedDict()

    def verify_guest(self, address: str) -> None:
        self._take(self._guests, rate_limit_key(address))

    def verify_registration(self, address: str) -> None:
        self._take(self._registrations, rate_limit_key(address))

    def verify_sign_in(self, name: str, address: str, device: Device | None = None) -> Attempt:
        """Counts as a wrong password until `password_was_right`, so that parallel attempts count too.

        A known device has a count separate from its address, so that others behind the address cannot use it up, and
        separate from other devices, so that a copy of one device's cookie cannot lock them out.
        """
        origin = f"device {device.id}" if device else rate_limit_key(address)
        self._take(self._sign_ins, origin)
        own = (name_key(name), origin)
        if device or own in self._known:
            self._take(self._wrong_passwords, own)
            return [(self._wrong_passwords, own)]
        return self._take_as_stranger(name_key(name), address)

    def password_was_right(self, attempt: Attempt) -> None:
        for limiter, key in attempt:
            limiter.refund(key)

    def verify_code(self, user_id: str, counted_by: str = "") -> None:
        """Counts as a wrong code until `code_was_right`. `counted_by` is a device or session that passed the factor."""
        self._take(self._wrong_codes, (user_id, counted_by))

    def code_was_right(self, user_id: str, counted_by: str = "") -> None:
        self._wrong_codes.refund((user_id, counted_by))

    def registered(self, name: str, address: str, password_version: str) -> None:
        """Remembers the address of the owner, who can then sign in despite guesses from elsewhere."""
        self._known[name_key(name), rate_limit_key(address)] = password_version
        if len(self._known) > _KNOWN_MAX:
            self._known.popitem(last=False)

    def known_version(self, name: str, address: str) -> str | None:
        """Returns the version of the password with which the name signed in from this address."""
        return self._known.get((name_key(name), rate_limit_key(address)))

    def forget(self, name: str, address: str) -> None:
        self._known.pop((name_key(name), rate_limit_key(address)), None)

    def may_note_failure(self, address: str) -> bool:
        """Keeps a flood of wrong passwords out of the audit log."""
        now = self._clock()
        return self._noted.acquire(rate_limit_key(address), now) == 0 and self._noted_in_all.acquire("", now) == 0

    def _take_as_stranger(self, name: str, address: str) -> Attempt:
        now, block = self._clock(), (name, address_block(address))
        is_first = self._first_attempts.acquire(block, now) == 0
        attempt: Attempt = [(self._first_attempts, block)] if is_first else []
        wait_ms = self._wrong_passwords.acquire((name, ""), now)
        if wait_ms == 0:
            return [*attempt, (self._wrong_passwords, (name, ""))]
        if is_first and self._reserve.acquire(name, now) == 0:
            return [*attempt, (self._reserve, name)]
        self.password_was_right(attempt)  # refused attempts do not count
        raise _try_again(wait_ms)

    def _take(self, limiter: RateLimiter, key: Hashable) -> None:
        wait_ms = limiter.acquire(key, self._clock())
        if wait_ms:
            raise _try_again(wait_ms)


def _try_again(wait_ms: int) -> Refusal:
    seconds = -(-wait_ms // 1000)
    return with_status(Reason.TRY_AGAIN_LATER.refusal(seconds=seconds), headers={"Retry-After": str(seconds)})


def name_key(name: str) -> str:
    """Returns the same key for all spellings of a name, and one key for all impossible names."""
    try:
        return folded(clean_name(name))
    except Refusal:
        return ""
