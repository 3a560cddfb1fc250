"""Connection floods: unauthenticated connections have a bounded pool, and a sign-in from the same address works."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.security.attacks import Target, closing, read_until
from tests.service import running_service
from tests.socketio.raw import masked

pytestmark = [pytest.mark.req("SEC-4"), pytest.mark.req("SEC-5")]

UNAUTHENTICATED_MAX = 1_000  # casino/security/unauthenticated_pool.py
FROM_LOOPBACK = 512
POLL = b"GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with running_service() as running:
        yield Target(running)
        assert running.process.poll() is None


@pytest.mark.parametrize("kind", ["silent", "half a request", "unauthenticated websocket"])
def test_an_address_that_used_up_its_budget_can_still_sign_in_and_play(target: Target, kind: str) -> None:
    opened: list[socket.socket] = []
    with closing(opened):
        for _ in range(FROM_LOOPBACK + 200):
            with suppress(ConnectionError, TimeoutError):
                if kind == "unauthenticated websocket":
                    opened.append(target.websocket())
                else:
                    opened.append(target.dial())
                    opened[-1].sendall(b"" if kind == "silent" else POLL[:30])
        assert target.sockets_open() <= FROM_LOOPBACK
        for _ in range(3):
            target.verify_served()


def test_two_addresses_cannot_fill_the_pool(target: Target) -> None:
    opened: list[socket.socket] = []
    with closing(opened):
        for number in range(1_400):
            with suppress(ConnectionError, TimeoutError):
                opened.append(target.websocket(source=f"127.0.0.{2 + number % 2}"))
        assert target.sockets_open() <= UNAUTHENTICATED_MAX
        target.verify_served()


def test_sessions_opened_by_polling_are_bounded_and_paced(target: Target) -> None:
    with target.dial() as one:
        opened = 0
        for _ in range(FROM_LOOPBACK + 100):
            one.sendall(POLL)
            answer = read_until(one, b"}")
            opened += b'"sid"' in answer
        assert 0 < target.sockets_open() <= FROM_LOOPBACK
        target.verify_served()


def test_a_signed_in_player_keeps_the_connection_in_a_flood(target: Target) -> None:
    player = target.member(target.guest())
    opened: list[socket.socket] = []
    with player, closing(opened):
        for _ in range(FROM_LOOPBACK * 2):
            with suppress(ConnectionError, TimeoutError):
                opened.append(target.dial())
        player.sendall(masked(b'42/table,9["join",{"table_id":"uth-1"}]'))
        read_until(player, b'43/table,9[{"ok":true')
        target.verify_served()
