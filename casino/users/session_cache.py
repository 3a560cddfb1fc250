"""Session cache: sessions looked up within the last second, so that one page's requests share a lookup.

A sign-out in this process takes effect at once. A session that ends elsewhere, such as by `casino user disable`, is
noticed within a second, as it is for sockets.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from casino.users.sessions import Session, Sessions, id_of

KEEP_SECONDS: Final = 1.0
_KEPT_MAX: Final = 10_000


class _Found(NamedTuple):
    session: Session
    until: float


class SessionCache:
    def __init__(self, sessions: Sessions, seconds: Callable[[], float] = time.monotonic) -> None:
        self._sessions = sessions
        self._seconds = seconds
        self._found: OrderedDict[str, _Found] = OrderedDict()
        self._sign_outs = 0
        sessions.on_signed_out.append(self._forget)

    def __len__(self) -> int:
        return len(self._found)

    async def find(self, token: str) -> Session | None:
        session_id, now = id_of(token), self._seconds()
        found = self._found.get(session_id)
        if found is not None and now < found.until:
            return found.session
        sign_outs = self._sign_outs
        session = await self._sessions.find(token)
        if session is None:
            self._found.pop(session_id, None)
        elif sign_outs == self._sign_outs:  # otherwise it may have ended during the lookup
            self._keep(session_id, _Found(session, now + KEEP_SECONDS))
        return session

    def _keep(self, session_id: str, found: _Found) -> None:
        self._found[session_id] = found
        self._found.move_to_end(session_id)
        if len(self._found) > _KEPT_MAX:
            self._found.popitem(last=False)

    def forget(self, session_id: str) -> None:
        """Drops a session that has ended or changed, so that the next request looks it up."""
        self._sign_outs += 1
        self._found.pop(session_id, None)

    async def _forget(self, session_id: str) -> None:
        self.forget(session_id)
