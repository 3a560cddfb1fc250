"""How often an address may come in, and how many wrong passwords a name takes.

Only wrong passwords count for a name, so nobody is kept out for coming often. Somebody who guesses at a name from
elsewhere does not lock its owner out either: an address from which the name has signed in has a count of its own.
Names are counted whether anybody has them or not.
"""

from collections import OrderedDict
from typing import Final

from casino.api.answers import Answered
from casino.clock import Clock
from casino.door.addresses import household
from casino.door.rates import MINUTE_MS, Limiter, Rate, steady_clock
from casino.errors import Code, Refusal
from casino.people.names import clean_name, folded
from casino.settings.house import Rates

_NOTED: Final = Rate(10, MINUTE_MS)  # failures written to the audit log, for each address
_NOTED_IN_ALL: Final = Rate(120, MINUTE_MS)
_KNOWN_MAX: Final = 10_000

_NameKey = tuple[str, str]


class Limits:
    def __init__(self, rates: Rates, clock: Clock = steady_clock) -> None:
        self._clock = clock
        self._guests = Limiter(Rate(rates.guests_per_minute, MINUTE_MS))
        self._registrations = Limiter(Rate(rates.registrations_per_minute, MINUTE_MS))
        self._sign_ins = Limiter(Rate(rates.sign_ins_per_minute, MINUTE_MS))
        self._wrong_passwords = Limiter(Rate(rates.wrong_passwords_per_minute, MINUTE_MS))
        self._noted = Limiter(_NOTED)
        self._noted_in_all = Limiter(_NOTED_IN_ALL)
        self._known: OrderedDict[_NameKey, None] = OrderedDict()

    def verify_guest(self, address: str) -> None:
        self._take(self._guests, household(address))

    def verify_registration(self, address: str) -> None:
        self._take(self._registrations, household(address))

    def verify_sign_in(self, name: str, address: str) -> None:
        """Counts as a wrong password until `signed_in` says otherwise, so that many at once count too."""
        self._take(self._sign_ins, household(address))
        self._take(self._wrong_passwords, self._key(name, address))

    def signed_in(self, name: str, address: str) -> None:
        self._wrong_passwords.give_back(self._key(name, address))
        self.registered(name, address)

    def registered(self, name: str, address: str) -> None:
        """From here the owner comes in, whoever guesses elsewhere."""
        self._known[_folded(name), household(address)] = None
        if len(self._known) > _KNOWN_MAX:
            self._known.popitem(last=False)

    def may_note_failure(self, address: str) -> bool:
        """A flood of wrong passwords does not flood the audit log."""
        now = self._clock()
        return self._noted.take(household(address), now) == 0 and self._noted_in_all.take("", now) == 0

    def _key(self, name: str, address: str) -> _NameKey:
        own = (_folded(name), household(address))
        return own if own in self._known else (own[0], "")

    def _take(self, limiter: Limiter, key: object) -> None:
        wait_ms = limiter.take(key, self._clock())
        if wait_ms:
            seconds = -(-wait_ms // 1000)
            headers = {"Retry-After": str(seconds)}
            raise Answered(Code.RATE_LIMITED, f"Too often. Please try again in {seconds} s.", headers=headers)


def _folded(name: str) -> str:
    """Equal for all spellings of a name; what can be nobody's name is one name."""
    try:
        return folded(clean_name(name))
    except Refusal:
        return ""
