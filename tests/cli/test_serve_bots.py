"""`casino serve --bots`: a separate process fills a table, and ends with the service."""

import json
import signal
import time
import urllib.request
from pathlib import Path

from tests.live.poker_service import started_poker

SECONDS_MAX = 60


def players_at(address: str) -> int:
    with urllib.request.urlopen(f"{address}/api/poker/lobby?currency=FUN", timeout=60) as answer:  # noqa: S310  our own service
        return sum(pool["players"] for pool in json.load(answer)["pools"])


def bots_of(address: str) -> list[str]:
    """Command lines of bots that play at this address."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = file.read_bytes().split(b"\0")
        except OSError:  # the process has ended
            continue
        if b"--bots" in words and address.encode() in words:
            found.append(file.parent.name)
    return found


def test_bots_of_the_room_fill_a_table_and_end_with_the_service() -> None:
    """A service at any free port has no bots; at a known port those of room.toml come."""
    with started_poker(known=False, bots="4") as service:
        assert bots_of(service.address) == []
        service.signal(signal.SIGTERM)
        assert service.ended() == 0
        service.start()
        until = time.monotonic() + SECONDS_MAX
        while players_at(service.address) < 4:
            assert time.monotonic() < until, "the bots did not come"
            time.sleep(0.2)
        assert len(bots_of(service.address)) == 1
        service.signal(signal.SIGTERM)
        assert service.ended() == 0
        assert bots_of(service.address) == []
