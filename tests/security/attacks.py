"""Raw clients for attacks on a real server process, and measurements of that process."""

import json
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.service import Service
from tests.socketio.raw import handshake, masked

OPENED = b'"maxPayload"'


@dataclass(frozen=True)
class Target:
    """A running server, as an attacker and as its operator see it."""

    service: Service

    @property
    def port(self) -> int:
        return int(self.service.address.rpartition(":")[2])

    def dial(self, source: str = "127.0.0.1", seconds: float = 30.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), seconds, source_address=(source, 0))

    def exchange(self, sent: bytes) -> bytes:
        """Everything the server says until it closes the connection."""
        with self.dial() as one:
            one.sendall(sent)
            return read_all(one)

    def websocket(self, headers: str = "", source: str = "127.0.0.1") -> socket.socket:
        one = self.dial(source)
        one.sendall(handshake(self.port, headers=headers))
        read_until(one, OPENED)
        return one

    def guest(self) -> str:
        """Signs in as a new guest."""
        url, headers = f"{self.service.address}/api/guest", {"Content-Type": "application/json"}
        request = urllib.request.Request(url, b"{}", headers)  # noqa: S310
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            token: str = json.load(answer)["token"]
            return token

    def member(self, token: str) -> socket.socket:
        """A socket that has been let into the players' namespace."""
        one = self.websocket()
        one.sendall(masked(b'40/table,{"token":"' + token.encode() + b'"}'))
        read_until(one, b'40/table,{"sid"')
        return one

    def verify_served(self) -> None:
        """A person can sign in and sit down."""
        with self.member(self.guest()) as one:
            one.sendall(masked(b'42/table,7["join",{"table_id":"uth-1"}]'))
            read_until(one, b'43/table,7[{"ok":true')

    def memory_bytes(self) -> int:
        for line in Path(f"/proc/{self.service.process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        raise ValueError("the kernel does not tell a process's memory")

    def sockets_open(self) -> int:
        with urllib.request.urlopen(f"{self.service.address}/metrics", timeout=30) as answer:  # noqa: S310
            lines = answer.read().decode().splitlines()
        return int(float(next(line for line in lines if line.startswith("casino_sockets ")).rpartition(" ")[2]))


def read_until(one: socket.socket, what: bytes) -> bytes:
    got = b""
    while what not in got:
        more = one.recv(65_536)
        if not more:
            raise ConnectionError(got)
        got += more
    return got


def read_all(one: socket.socket) -> bytes:
    got = b""
    try:
        while more := one.recv(65_536):
            got += more
    except ConnectionResetError:
        pass
    return got


@contextmanager
def closing(opened: list[socket.socket]) -> Iterator[list[socket.socket]]:
    try:
        yield opened
    finally:
        for one in opened:
            one.close()
