"""Load generator of the fan-out benchmark, in its own process: thousands of Socket.IO clients on one selector.

The same for every server. It connects, counts bytes and tells when the last client had its message.
"""

import select
import socket
import sys
import time

_BATCH = 100
OPENING = (
    b"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
_CONNECT = b"\x81\x89\0\0\0\0" + b"40/table,"


class Clients:
    def __init__(self, port: int) -> None:
        self._port = port
        self._sockets: dict[int, socket.socket] = {}
        self._poll = select.epoll()

    def connect(self, count: int) -> None:
        while count:
            batch = [socket.create_connection(("127.0.0.1", self._port)) for _ in range(min(count, _BATCH))]
            for one in batch:
                one.sendall(OPENING)
            for one in batch:
                read_until(one, b'"maxPayload"')
                one.sendall(_CONNECT)
            for one in batch:
                read_until(one, b'{"sid"')
                one.setblocking(False)  # noqa: FBT003 - the name of the argument is positional
                self._sockets[one.fileno()] = one
                self._poll.register(one, select.EPOLLIN | select.EPOLLET)
            count -= len(batch)

    def last_message_at(self, message_bytes: int) -> int:
        """Waits until every client has one message more; returns the time of the last one."""
        missing = len(self._sockets) * message_bytes
        sockets = self._sockets
        while missing > 0:
            ready = self._poll.poll(20.0)
            if not ready:
                raise TimeoutError(f"{missing} bytes never came")
            for number, _ in ready:
                missing -= len(sockets[number].recv(65_536))
        return time.monotonic_ns()


def read_until(one: socket.socket, mark: bytes) -> None:
    one.settimeout(30)
    got = b""
    while mark not in got:
        more = one.recv(4096)
        if not more:
            raise ConnectionError(got)
        got += more


def main() -> None:
    clients = Clients(int(sys.argv[1]))
    for line in sys.stdin:
        verb, number = line.split()
        answer: object = "done"
        if verb == "connect":
            clients.connect(int(number))
        elif verb == "await":
            answer = clients.last_message_at(int(number))
        print(answer, flush=True)


if __name__ == "__main__":
    main()
