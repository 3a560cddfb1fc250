"""Check of a load run: it tells late, missing and wrong results apart."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import orjson

from benchmarks.load.books import Account, compare
from benchmarks.load.client import Client, RoundResult
from benchmarks.load.crowd import HABITS, Crowd
from benchmarks.load.service import Guest
from casino.bots.core import BotCore

LATE_SECONDS = 1.2
WON, LOST = RoundResult(200, 400, 1_200), RoundResult(300, 0, 900)
STORED = {"ada": Account(900, {"r1": WON, "r2": LOST})}


def player(results: dict[str, RoundResult], balance: int) -> Client:
    client = Client("ada", "token", BotCore(HABITS, Random(7)))
    client.results, client.balance = results, balance
    return client


def test_player_with_all_results_has_no_difference() -> None:
    assert compare([player({"r1": WON, "r2": LOST}, 900)], STORED).is_right


def test_a_result_that_never_came_is_missing_and_not_wrong() -> None:
    compared = compare([player({"r1": WON}, 1_200)], STORED)
    assert (compared.wrong, compared.missing) == (0, 1)
    assert "r2" in str(compared)


def test_a_result_with_another_amount_or_balance_is_wrong() -> None:
    for result in (RoundResult(300, 100, 900), RoundResult(200, 0, 900), RoundResult(300, 0, 1_000)):
        compared = compare([player({"r1": WON, "r2": result}, 900)], STORED)
        assert (compared.wrong, compared.missing) == (1, 0)


def test_a_result_of_a_round_that_was_never_settled_is_wrong() -> None:
    compared = compare([player({"r1": WON, "r2": LOST, "r3": LOST}, 900)], STORED)
    assert (compared.wrong, compared.missing) == (1, 0)


def test_disconnected_player_needs_the_balance_but_no_result() -> None:
    back = player({"r1": WON}, 900)
    back.away.add("r2")
    assert compare([back], STORED).is_right
    back.balance = 1_200
    assert compare([back], STORED).wrong == 1


def test_a_late_result_is_waited_for() -> None:
    with _server_with_late_result() as port:
        crowd = Crowd(port, [Guest("ada", "token")], chat_rate=0, come_back_rate=0)
        crowd.come(crowd.clients)
        (client,) = crowd.clients
        assert client.bet_in == "r1"
        assert crowd.rest() == 0
        crowd.leave()
    assert compare(crowd.clients, {"ada": Account(1_200, {"r1": WON})}).is_right


def test_a_result_that_is_not_sent_is_missing_after_the_wait() -> None:
    with _server_with_late_result() as port:
        crowd = Crowd(port, [Guest("ada", "token")], chat_rate=0, come_back_rate=0)
        crowd.come(crowd.clients)
        crowd.rest(LATE_SECONDS / 4)
        crowd.leave()
    assert compare(crowd.clients, {"ada": Account(1_200, {"r1": WON})}).missing == 1


@contextmanager
def _server_with_late_result() -> Iterator[int]:
    """Serves one player: a snapshot of the last decision window, and long after it the result."""
    listener = socket.create_server(("127.0.0.1", 0))
    is_over = threading.Event()
    thread = threading.Thread(target=_serve, args=(listener, is_over))
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        is_over.set()
        thread.join()
        listener.close()


def _serve(listener: socket.socket, is_over: threading.Event) -> None:
    round_ = {"seq": 7, "phase": "deciding_river", "round_id": "r1", "deadline": None, "server_time": 0}
    seat = {"options": [], "bets": {"ante": 100, "blind": 100, "trips": 0, "play": 0}}
    result = {"round_id": "r1", "status": "settled", "staked": 200, "returned": 400, "balance": 1_200}
    connection, _ = listener.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\n\r\n" + _frame(b"0{}"))
        connection.recv(4096)
        connection.sendall(_frame(b'40/table,{"sid":"x"}'))
        connection.recv(4096)
        snapshot = {"ok": True, "round": round_, "seat": seat, "balance": 800}
        connection.sendall(_frame(b"43/table,1" + orjson.dumps([snapshot])))
        connection.sendall(_frame(b"42/table," + orjson.dumps(["round", round_ | {"seq": 8, "phase": "settled"}])))
        if not is_over.wait(LATE_SECONDS):
            connection.sendall(_frame(b"42/table," + orjson.dumps(["result", result])))
        is_over.wait()


def _frame(text: bytes) -> bytes:
    size = len(text)
    return bytes((0x81, size)) + text if size < 126 else b"\x81\x7e" + size.to_bytes(2, "big") + text
