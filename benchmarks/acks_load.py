"""Load generator of the acknowledgement benchmark, in its own process: every client has one bet in flight.

The same for every server: it signs in, joins, and then sends the next bet as soon as the last one is acknowledged.
"""

import json
import select
import socket
import sys
import time
import urllib.request

from benchmarks.fanout_load import OPENING, read_until

_ACK = b"43/table,"
_ANTES = (500, 600)


def masked(text: bytes) -> bytes:
    """A text frame of a client, under a mask that changes nothing."""
    size = len(text)
    head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0xFE]) + size.to_bytes(2, "big")
    return head + b"\0\0\0\0" + text


class Bettors:
    def __init__(self, port: int, count: int) -> None:
        self._poll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self._frames: dict[int, tuple[bytes, bytes]] = {}  # the same bet never twice in a row
        self._turn: dict[int, int] = {}
        for _ in range(count):
            self._come_in(port)

    def _come_in(self, port: int) -> None:
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(OPENING)
        read_until(one, b'"maxPayload"')
        one.sendall(masked(b"40/table," + json.dumps({"token": _guest(port)}).encode()))
        read_until(one, b'{"sid"')
        one.sendall(masked(b'42/table,0["join",{"table_id":"uth-1"}]'))
        round_id = _joined(one)
        bets = (
            f'42/table,1["bet",{{"table_id":"uth-1","round_id":"{round_id}","ante":{ante},"trips":0}}]'
            for ante in _ANTES
        )
        first, second = (masked(bet.encode()) for bet in bets)
        one.setblocking(False)  # noqa: FBT003 - the name of the argument is positional
        number = one.fileno()
        self._sockets[number], self._frames[number], self._turn[number] = one, (first, second), 0
        self._poll.register(one, select.EPOLLIN)

    def acknowledged(self, count: int) -> float:
        """Returns the seconds until this number of bets was acknowledged; none is pending at its end."""
        began = time.perf_counter()
        for number in self._sockets:
            self._bet(number)
        sent, answered = len(self._sockets), 0
        while answered < sent:
            ready = self._poll.poll(20.0)
            if not ready:
                raise TimeoutError(f"{sent - answered} bets were never acknowledged")
            for number, _ in ready:
                got = self._sockets[number].recv(65_536)
                if not got:
                    raise ConnectionError("a client was cut off")
                if b'"ok":false' in got:
                    raise ValueError(got)
                for _ in range(got.count(_ACK)):
                    answered += 1
                    if sent < count:
                        sent += 1
                        self._bet(number)
        return time.perf_counter() - began

    def _bet(self, number: int) -> None:
        self._turn[number] ^= 1
        self._sockets[number].sendall(self._frames[number][self._turn[number]])


def _guest(port: int) -> str:
    """Somebody new."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/guest", b"{}", {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        token: str = json.load(answer)["token"]
        return token


def _joined(one: socket.socket) -> str:
    """Returns the open round: from the reply, or from an event soon after."""
    one.settimeout(30)
    got = b""
    while b'"phase":"betting"' not in got or b"43/table,0" not in got:
        more = one.recv(65_536)
        if not more:
            raise ConnectionError(got)
        got += more
    found = got.partition(b'"round_id":"')[2].partition(b'"')[0]
    return found.decode()


def main() -> None:
    bettors = Bettors(int(sys.argv[1]), int(sys.argv[2]))
    print("ready", flush=True)
    for line in sys.stdin:
        print(bettors.acknowledged(int(line)), flush=True)


if __name__ == "__main__":
    main()
