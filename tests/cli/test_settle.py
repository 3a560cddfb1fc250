"""`casino settle`, used by another program: one output line per input line, whatever the input."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from casino.errors import Code
from tests.service import CASINO

TIMEOUT = 30
Answer = dict[str, Any]


def line(deal: str, *, ante: int = 500, trips: int = 100, action: str = "play_4x") -> bytes:
    player, board, dealer = (part.split() for part in deal.split("|"))
    wanted = {"player": player, "board": board, "dealer": dealer, "ante": ante, "trips": trips, "action": action}
    return json.dumps(wanted).encode()


GOOD = line("As Kd | 7h 7c 2s Jd 3c | Qh Qd")


class Conversation:
    """A running `casino settle`, asked one line at a time."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [CASINO, "settle", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  a shell may ignore it
        )

    def ask(self, text: bytes) -> Answer:
        """The answer to one line; it must come before anything more is sent."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(text + b"\n")
        self.process.stdin.flush()
        return cast("Answer", json.loads(self.process.stdout.readline()))

    def end(self) -> tuple[int, bytes, bytes]:
        out, err = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, out, err


@pytest.fixture(scope="module")
def settle() -> Iterator[Conversation]:
    """One process for all questions: whatever the one before was, the next is answered."""
    conversation = Conversation()
    yield conversation
    assert conversation.end() == (0, b"", b"")


def settled(text: bytes, *arguments: str) -> tuple[int, list[Answer], str]:
    """All answers to a whole input, the exit code and what was complained about."""
    done = subprocess.run([CASINO, "settle", *arguments], input=text, capture_output=True, timeout=TIMEOUT, check=False)
    assert not done.stdout or done.stdout.endswith(b"\n")
    return done.returncode, [json.loads(answer) for answer in done.stdout.splitlines()], done.stderr.decode()


def test_an_answer_has_exactly_the_promised_shape(settle: Conversation) -> None:
    answer = settle.ask(line("As Kd | 7h 7c 2s Jd 3c | Qh 9d"))
    assert answer == {
        "player_hand": {"category": "pair", "cards": ["7h", "7c", "As", "Kd", "Jd"]},
        "dealer_hand": {"category": "pair", "cards": ["7h", "7c", "Qh", "Jd", "9d"]},
        "dealer_qualifies": True,
        "result": "win",
        "spots": {
            "ante": {"bet": 500, "outcome": "win", "returned": 1000},
            "blind": {"bet": 500, "outcome": "push", "returned": 500},
            "trips": {"bet": 100, "outcome": "lose", "returned": 0},
            "play": {"bet": 2000, "outcome": "win", "returned": 4000},
        },
        "staked": 3100,
        "returned": 5500,
    }


OUTCOMES = [
    # the row of the rules | deal | action | result, qualifies | ANTE, BLIND, PLAY
    ("unqualified win", "As Kd | 9h 7c 5s 3d 2c | Qh Jd", "play_1x", "win", False, "push push win"),
    ("unqualified lose", "Qh Jd | 9h 7c 5s 3d 2c | As Kd", "play_2x", "lose", False, "push lose lose"),
    ("unqualified tie", "Ah Kh | 9h 7c 5s 3d 2c | As Kd", "play_3x", "tie", False, "push push push"),
    ("qualified win", "As Ad | 9h 7c 5s 3d 2c | Kh Kd", "play_4x", "win", True, "win push win"),
    ("qualified win, BLIND paid", "8s 6d | 9h 7c 5s 3d 2c | Kh Kd", "play_4x", "win", True, "win win win"),
    ("qualified lose", "Kh Kd | 9h 7c 5s 3d 2c | As Ad", "play_4x", "lose", True, "lose lose lose"),
    ("qualified tie", "Kh Ad | 9h 9c 5s 3d 2c | Kd As", "play_4x", "tie", True, "push push push"),
    ("fold", "As Ad | 9h 7c 5s 3d 2c | Kh Kd", "fold", "fold", True, "lose lose none"),
    ("fold before a dealer without a pair", "As Ad | 9h 7c 5s 3d 2c | Kh Qd", "fold", "fold", False, "lose lose none"),
]


@pytest.mark.req("RND-10")
@pytest.mark.parametrize(
    ("deal", "action", "result", "qualifies", "outcomes"),
    [row[1:] for row in OUTCOMES],
    ids=[row[0] for row in OUTCOMES],
)
def test_outcome(settle: Conversation, deal: str, action: str, result: str, *, qualifies: bool, outcomes: str) -> None:
    answer = settle.ask(line(deal, action=action))
    assert (answer["result"], answer["dealer_qualifies"]) == (result, qualifies)
    assert " ".join(answer["spots"][spot]["outcome"] for spot in ("ante", "blind", "play")) == outcomes
    assert answer["spots"]["play"]["bet"] == 500 * (0 if action == "fold" else int(action[5]))
    assert answer["staked"] == sum(spot["bet"] for spot in answer["spots"].values())
    assert answer["returned"] == sum(spot["returned"] for spot in answer["spots"].values())


PAID = [
    # player and board | category | BLIND returned for 500 | TRIPS returned for 100
    ("As Ks | Qs Js Ts 2d 3c", "royal_flush", 250_500, 5_100),
    ("9s 8s | 7s 6s 5s 2d 3c", "straight_flush", 25_500, 4_100),
    ("9s 9d | 9h 9c 5s 2d 3c", "four_of_a_kind", 5_500, 3_100),
    ("9s 9d | 9h 5c 5s 2d 3c", "full_house", 2_000, 900),
    ("As 9s | 7s 5s 4s 2d 3c", "flush", 1_250, 800),
    ("9s 8d | 7h 6c 5s 2d 2c", "straight", 1_000, 500),
    ("9s 9d | 9h 7c 5s 2d 3c", "three_of_a_kind", 500, 400),
    ("9s 9d | 7h 7c 5s 2d 3c", "two_pair", 500, 0),
    ("As Ad | 7h 8c 5s 2d 3c", "pair", 500, 0),
    ("As Kd | 7h 8c 5s 2d 3c", "high_card", 500, 0),
]


@pytest.mark.req("RND-10")
@pytest.mark.parametrize(("cards", "category", "blind", "trips"), PAID, ids=[row[1] for row in PAID])
def test_blind_and_trips_pay_by_their_tables(
    settle: Conversation, cards: str, category: str, blind: int, trips: int
) -> None:
    won = settle.ask(line(f"{cards} | Qh Jd"))
    assert (won["player_hand"]["category"], won["result"]) == (category, "win")
    assert (won["spots"]["blind"]["returned"], won["spots"]["trips"]["returned"]) == (blind, trips)
    folded = settle.ask(line(f"{cards} | Qh Jd", action="fold"))
    assert (folded["spots"]["blind"]["returned"], folded["spots"]["trips"]["returned"]) == (0, trips)


def test_trips_may_be_left_out(settle: Conversation) -> None:
    wanted = json.loads(GOOD)
    del wanted["trips"]
    answer = settle.ask(json.dumps(wanted).encode())
    assert answer["spots"]["trips"] == {"bet": 0, "outcome": "none", "returned": 0}


def test_limits_and_chips_of_the_table_are_not_applied(settle: Conversation) -> None:
    assert settle.ask(line("As Kd | 7h 7c 2s Jd 3c | Qh 9d", ante=1, trips=3))["returned"] == 2 + 1 + 8
    assert settle.ask(line("As Kd | 7h 7c 2s Jd 3c | Qh 9d", ante=10**12))["staked"] == 6 * 10**12 + 100


def test_a_payout_with_a_fraction_is_refused(settle: Conversation) -> None:
    assert settle.ask(line("As 9s | 7s 5s 4s 2d 3c | Qh Jd", ante=501))["error"]["code"] == "not_a_chip_multiple"


@pytest.mark.parametrize("space", [b"  ", b"\t", b"\r"])
def test_white_space_around_a_line_is_ignored(settle: Conversation, space: bytes) -> None:
    assert settle.ask(space + GOOD + space) == settle.ask(GOOD)


def changed(**parts: object) -> bytes:
    return json.dumps(json.loads(GOOD) | parts).encode()


def with_amount(amount: str) -> bytes:
    return GOOD.replace(b'"ante": 500', f'"ante": {amount}'.encode())


def with_card(card: str) -> bytes:
    return changed(player=["As", card])


AMOUNTS = ["-1", "1.5", '"5"', "true", "null", "1e3", "500.0", "NaN", "Infinity", str(2**53), str(2**63), str(10**30)]
AMOUNTS += ["５", '"５"', "05", "+5", "0x5", "[500]", "{}", str(10**12 + 1), "1" * 5_000, "1e400", "-0.0"]
CARDS = ["1s", "AS ", "as", "10h", "", "\0", "Ks\n", "K\u200bd", "\u202eKd", "Kd" * 5_000, "<img onerror>", "../Kd"]

BAD_LINES: list[tuple[str, bytes, Code]] = [
    *((f"ante {amount[:20]}", with_amount(amount), Code.BAD_REQUEST) for amount in AMOUNTS),
    *(
        (f"trips {amount[:20]}", GOOD.replace(b'"trips": 100', f'"trips": {amount}'.encode()), Code.BAD_REQUEST)
        for amount in AMOUNTS
    ),
    *((f"card {card[:12]!a}", with_card(card), Code.BAD_CARD) for card in CARDS),
    ("card as a lone surrogate", GOOD.replace(b"Kd", b"\\ud800"), Code.BAD_REQUEST),
    ("card as a number", changed(player=["As", 5]), Code.BAD_REQUEST),
    ("card twice in a hand", changed(player=["As", "As"]), Code.DUPLICATE_CARD),
    ("card in both hands", changed(dealer=["As", "Qd"]), Code.DUPLICATE_CARD),
    ("card on the board again", changed(board=["Kd", "7c", "2s", "Jd", "3c"]), Code.DUPLICATE_CARD),
    ("one card", changed(player=["As"]), Code.BAD_REQUEST),
    ("three cards", changed(player=["As", "Kd", "Qd"]), Code.BAD_REQUEST),
    ("no board", changed(board=[]), Code.BAD_REQUEST),
    ("board of four", changed(board=["7h", "7c", "2s", "Jd"]), Code.BAD_REQUEST),
    ("board of 10,000", changed(board=["7h"] * 10_000), Code.BAD_REQUEST),
    ("cards as a text", changed(player="AsKd"), Code.BAD_REQUEST),
    ("cards as an object", changed(player={"0": "As", "1": "Kd"}), Code.BAD_REQUEST),
    ("ante 0", changed(ante=0, trips=0), Code.BELOW_MINIMUM),
    ("trips without ante", changed(ante=0), Code.TRIPS_WITHOUT_ANTE),
    *(
        (f"action {action!a}", changed(action=action), Code.BAD_REQUEST)
        for action in ("check", "play_5x", "PLAY_4X", "", None, 4)
    ),
    ("action as a list", changed(action=["play_4x"]), Code.BAD_REQUEST),
    *(
        (
            f"missing {key}",
            json.dumps({k: v for k, v in json.loads(GOOD).items() if k != key}).encode(),
            Code.BAD_REQUEST,
        )
        for key in ("player", "board", "dealer", "ante", "action")
    ),
    ("extra key", changed(balance=1), Code.BAD_REQUEST),
    ("extra blind", changed(blind=500), Code.BAD_REQUEST),
    ("__proto__", changed(__proto__={"ante": 1}), Code.BAD_REQUEST),
    ("10,000 keys", changed(**{f"k{i}": i for i in range(10_000)}), Code.BAD_REQUEST),
    ("a long key", changed(**{"k" * 10_000: 1}), Code.BAD_REQUEST),
    ("blank line", b"", Code.BAD_REQUEST),
    ("only blanks", b"   ", Code.BAD_REQUEST),
    ("only a carriage return", b"\r", Code.BAD_REQUEST),
    ("NUL", b"\0", Code.BAD_REQUEST),
    ("NUL behind a line", GOOD + b"\0", Code.BAD_REQUEST),
    ("array", b"[" + GOOD + b"]", Code.BAD_REQUEST),
    ("null", b"null", Code.BAD_REQUEST),
    ("text", b'"play_4x"', Code.BAD_REQUEST),
    ("number", b"5", Code.BAD_REQUEST),
    ("half a line", GOOD[:60], Code.BAD_REQUEST),
    ("two in a line", GOOD + GOOD, Code.BAD_REQUEST),
    ("not JSON", b"player=As", Code.BAD_REQUEST),
    ("single quotes", GOOD.replace(b'"', b"'"), Code.BAD_REQUEST),
    ("byte order mark", b"\xef\xbb\xbf" + GOOD, Code.BAD_REQUEST),
    ("invalid UTF-8", b"\xff\xfe", Code.BAD_REQUEST),
    ("invalid UTF-8 in a card", GOOD.replace(b"Kd", b"\xc3\x28"), Code.BAD_REQUEST),
    ("UTF-16", GOOD.decode().encode("utf-16-be"), Code.BAD_REQUEST),
    ("depth 1000", b"[" * 1_000 + b"]" * 1_000, Code.BAD_REQUEST),
    ("depth 1000 in a card", GOOD.replace(b'"Kd"', b"[" * 1_000 + b"]" * 1_000), Code.BAD_REQUEST),
    ("depth 1000 of objects", b'{"a":' * 1_000 + b"1" + b"}" * 1_000, Code.BAD_REQUEST),
    ("10 MB", b"x" * 10_000_000, Code.BAD_REQUEST),
    ("10 MB of a card", GOOD.replace(b"Kd", b"K" * 10_000_000), Code.BAD_REQUEST),
    ("10 MB of blanks behind a line", GOOD + b" " * 10_000_000, Code.BAD_REQUEST),
    ("10 MB of zeros in a number", with_amount("5" + "0" * 10_000_000), Code.BAD_REQUEST),
]


@pytest.mark.req("SEC-6")
@pytest.mark.parametrize(("text", "code"), [row[1:] for row in BAD_LINES], ids=[row[0] for row in BAD_LINES])
def test_a_bad_line_gets_an_error_and_the_next_line_its_answer(settle: Conversation, text: bytes, code: Code) -> None:
    answer = settle.ask(text)
    assert answer.keys() == {"error"}
    assert answer["error"].keys() == {"code", "message"}
    assert answer["error"]["code"] == code
    assert 0 < len(answer["error"]["message"]) < 300
    assert settle.ask(GOOD)["result"] == "lose"


def test_there_is_exactly_one_answer_for_each_line_in_their_order() -> None:
    antes = list(range(2, 4_002, 2))
    text = b"\n".join(line("As 9s | 7s 5s 4s 2d 3c | Qh Jd", ante=ante) if ante % 10 else b"bad" for ante in antes)
    code, answers, complaints = settled(text + b"\n")
    assert (code, complaints, len(answers)) == (0, "", len(antes))
    assert [answer["spots"]["ante"]["bet"] if "spots" in answer else None for answer in answers] == [
        ante if ante % 10 else None for ante in antes
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (b"", 0),
        (b"\n\n\n", 3),
        (GOOD, 1),
        (GOOD + b"\r\n" + GOOD + b"\r\n", 2),
        (GOOD + b"\n\n" + GOOD, 3),
        (b"x" * 10_000_000, 1),
    ],
)
def test_the_last_line_may_lack_its_end_and_lines_may_end_as_on_windows(text: bytes, count: int) -> None:
    code, answers, complaints = settled(text)
    assert (code, complaints) == (0, "")
    assert len(answers) == count
    assert sum("result" in answer for answer in answers) == text.count(GOOD)


def write_table(folder: Path, table_id: str, paytable: str = "") -> None:
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "tables" / f"{table_id}.toml").write_text(f'id = "{table_id}"\nname = "Table"\n{paytable}')


def test_a_table_may_be_chosen_and_its_paytables_are_used(tmp_path: Path) -> None:
    write_table(tmp_path, "uth-1")
    write_table(tmp_path, "uth-2", "[paytable]\nblind = { flush = '2:1' }\ntrips = { flush = '6:1' }")
    flush = line("As 9s | 7s 5s 4s 2d 3c | Qh Jd")
    for arguments, blind, trips in (
        ([], 1_250, 800),
        (["--table", "uth-1"], 1_250, 800),
        (["--table", "uth-2"], 1_500, 700),
    ):
        _, [answer], _ = settled(flush, "--config", str(tmp_path), *arguments)
        assert (answer["spots"]["blind"]["returned"], answer["spots"]["trips"]["returned"]) == (blind, trips)


def test_settle_without_tables_uses_the_standard_paytables(tmp_path: Path) -> None:
    _, [answer], _ = settled(line("As 9s | 7s 5s 4s 2d 3c | Qh Jd"), "--config", str(tmp_path))
    assert answer["spots"]["blind"]["returned"] == 1_250


def test_an_unknown_table_ends_with_2_and_the_tables_there_are(tmp_path: Path) -> None:
    write_table(tmp_path, "uth-1")
    write_table(tmp_path, "uth-2")
    code, answers, complaints = settled(GOOD, "--config", str(tmp_path), "--table", "uth-3")
    assert (code, answers) == (2, [])
    assert complaints == "There is no table 'uth-3'. Configured: uth-1, uth-2.\n"


def test_unknown_table_without_configuration_exits_with_2(tmp_path: Path) -> None:
    code, _, complaints = settled(GOOD, "--config", str(tmp_path), "--table", "uth-1")
    assert (code, complaints) == (2, "There is no table 'uth-1'. Configured: none.\n")


@pytest.mark.parametrize("text", [GOOD, GOOD + b"\n", (GOOD + b"\n") * 10_000], ids=["half", "one", "many"])
def test_a_reader_that_goes_away_ends_it_without_a_word(text: bytes) -> None:
    process = Conversation().process
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(text, timeout=TIMEOUT)
    assert err == b""


def test_head_reads_one_line_without_an_error_message(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.write_bytes((GOOD + b"\n") * 20_000)
    done = subprocess.run(
        ["bash", "-c", '"$0" settle < "$1" | head -1', CASINO, lines],
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert json.loads(done.stdout)["result"] == "lose"
    assert done.stderr == b""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_traceback(how: signal.Signals) -> None:
    conversation = Conversation()
    assert conversation.ask(GOOD)["result"] == "lose"
    conversation.process.send_signal(how)
    code, out, err = conversation.end()
    assert code in (128 + how, -how)
    assert (out, err) == (b"", b"")


def test_without_a_configuration_folder_it_ends_with_2(tmp_path: Path) -> None:
    code, answers, complaints = settled(GOOD, "--config", os.fspath(tmp_path / "nowhere"))
    assert (code, answers) == (2, [])
    assert complaints.endswith("there is no such folder\n")
