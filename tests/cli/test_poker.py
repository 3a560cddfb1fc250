"""`casino poker …`, used by another program: exact output, bad lines reported and skipped, exit codes."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.service import CASINO

TIMEOUT = 60
Plain = dict[str, Any]

EXAMPLE: Plain = {
    "game": "nlhe",
    "sb": 1,
    "bb": 2,
    "ante": 0,
    "button": 4,
    "sb_seat": 1,
    "bb_seat": 2,
    "posters": [],
    "stacks": {"1": 202, "2": 202, "3": 20, "4": 27},
    "rake": {"permille": 60, "cap": 300},
    "hole": {"1": ["As", "Ah"]},
    "board": ["2c", "3d", "4h", "8s", "9c"],
    "actions": ["3 call", "4 call", "1 call", "2 check", "1 raise_to 10", "2 call", "3 raise_to 18", "4 raise_to 25"],
}
HEADS_UP: Plain = {"game": "nlhe", "sb": 1, "bb": 2, "button": 1, "sb_seat": 1, "bb_seat": 2}
ALL_HOLE = {"1": ["As", "Ah"], "2": ["Kc", "Kd"]}


def run(*arguments: str, given: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [CASINO, "poker", *arguments], input=given, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    return done.returncode, done.stdout, done.stderr


def lines(command: str, *asked: Plain | str) -> list[Plain]:
    given = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in asked)
    code, out, err = run(command, given=given)
    assert (code, err) == (0, "")
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(asked)
    return answers


def test_the_example_of_the_contract() -> None:
    (answer,) = lines("hand", EXAMPLE)
    assert answer["ok"] is True
    assert (answer["over"], answer["street"], answer["turn"]) == (False, "flop", 1)
    assert answer["options"] == {"fold": True, "check": False, "call": 15, "raise": {"min": 35, "max": 200}}
    assert answer["stacks"] == {"1": 190, "2": 190, "3": 0, "4": 0}
    assert answer["pots"] == [{"amount": 64, "contenders": [1, 2, 3, 4]}, {"amount": 7, "contenders": [1, 2, 4]}]


def test_blinds_make_one_pot() -> None:
    (answer,) = lines("hand", EXAMPLE | {"actions": []})
    assert answer["pots"] == [{"amount": 3, "contenders": [1, 2, 3, 4]}]


def test_an_illegal_action_names_its_place_and_the_options() -> None:
    wrong = EXAMPLE | {"actions": [*EXAMPLE["actions"][:7], "4 raise_to 26"]}
    (answer,) = lines("hand", wrong)
    assert (answer["ok"], answer["at"], answer["error"]["code"]) == (False, 7, "above_maximum")
    assert answer["options"] == {"fold": True, "check": False, "call": 18, "raise": {"min": 25, "max": 25}}


def test_limits_of_a_raise_are_told_in_the_units_of_the_line() -> None:
    below, above = lines("hand", *(EXAMPLE | {"actions": [f"3 raise_to {to}"]} for to in (3, 21)))
    assert below["error"]["message"] == "A bet or raise goes to at least 4."
    assert above["error"]["message"] == "A bet or raise goes to at most 20."


ILLEGAL: list[tuple[list[str], int, str]] = [
    (["3 check"], 0, "not_offered"),
    (["3 raise_to 3"], 0, "below_minimum"),
    (["4 call"], 0, "not_your_turn"),
    (["9 call"], 0, "not_in_round"),
    (["3 call", "4 jump"], 1, "bad_request"),
    (["3 call", ""], 1, "bad_request"),
    (["3 call 5"], 0, "bad_request"),
    (["3 raise_to"], 0, "bad_request"),
    (["3 raise_to -4"], 0, "bad_request"),
    (["3 fold", "4 fold", "1 fold", "2 check"], 3, "stale_round"),
]


def test_illegal_actions() -> None:
    answers = lines("hand", *(EXAMPLE | {"actions": actions} for actions, _, _ in ILLEGAL))
    for (_, place, code), answer in zip(ILLEGAL, answers, strict=True):
        assert (answer["ok"], answer["at"], answer["error"]["code"]) == (False, place, code)
        assert (answer["options"] is None) == (code == "stale_round")


def test_a_hand_that_is_over_has_a_result() -> None:
    hand = HEADS_UP | {"stacks": {"1": 300, "2": 200}, "rake": {"permille": 60, "cap": 300}}
    hand |= {"hole": ALL_HOLE, "board": EXAMPLE["board"], "actions": ["1 raise_to 300", "2 call"]}
    (answer,) = lines("hand", hand)
    assert answer["over"] is True
    assert answer["uncalled"] == {"seat": 1, "amount": 100}
    assert answer["pots"] == [{"amount": 400, "rake": 24, "contenders": [1, 2], "winners": {"1": 376}}]
    assert (answer["rake"], answer["net"]) == (24, {"1": 176, "2": -200})
    assert answer["final"] == {"1": 476, "2": 0}


def test_a_hand_without_a_showdown_needs_no_cards() -> None:
    (answer,) = lines("hand", HEADS_UP | {"stacks": {"1": 200, "2": 200}, "actions": ["1 fold"]})
    assert (answer["rake"], answer["final"]) == (0, {"1": 199, "2": 201})
    assert answer["pots"][0]["winners"] == {"2": 2}


def test_unknown_hands_have_no_winners() -> None:
    hand = EXAMPLE | {"actions": [*EXAMPLE["actions"], "1 raise_to 200", "2 fold"]}
    (answer,) = lines("hand", hand)
    assert answer["over"] is True
    assert "winners" not in answer["pots"][0]
    assert answer["final"] == {"1": None, "2": 190, "3": None, "4": None}
    assert answer["rake"] > 0


def test_betting_goes_on_without_a_board() -> None:
    hand = HEADS_UP | {"stacks": {"1": 200, "2": 200}, "actions": ["1 call", "2 check", "2 raise_to 5"]}
    (answer,) = lines("hand", hand)
    assert (answer["street"], answer["turn"], answer["options"]["call"]) == ("flop", 1, 5)


def test_omaha_without_a_small_blind_and_with_a_post() -> None:
    hand = {"game": "plo", "sb": 50, "bb": 2, "button": 4, "sb_seat": None, "bb_seat": 2, "posters": [4]}
    hand |= {"stacks": {"2": 200, "3": 200, "4": 200}}
    (answer,) = lines("hand", hand)
    assert (answer["turn"], answer["options"]["raise"]) == (3, {"min": 4, "max": 8})


BAD_LINES: list[Plain | str] = [
    "x",
    "",
    "[]",
    EXAMPLE | {"game": "stud"},
    EXAMPLE | {"unknown": 1},
    EXAMPLE | {"sb": 3},
    EXAMPLE | {"bb": 0},
    EXAMPLE | {"bb_seat": 9},
    EXAMPLE | {"stacks": {"1": 5}},
    EXAMPLE | {"stacks": {"one": 5}},
    EXAMPLE | {"hole": {"9": ["As", "Ah"]}},
    EXAMPLE | {"hole": {"1": ["As"]}},
    EXAMPLE | {"board": ["As", "2c", "3d", "4h", "8s"]},
    EXAMPLE | {"board": ["1s"]},
    "9" * 20_000,
    json.dumps(EXAMPLE).replace('"1": 202', '"1": 202, "1": 5'),
    json.dumps(EXAMPLE).replace('"1": 202', '"1": 202, "01": 5'),
    json.dumps(EXAMPLE).replace('"ante": 0', '"ante": 0, "ante": 1'),
    *(EXAMPLE | {"stacks": EXAMPLE["stacks"] | {seat: 5}} for seat in (" 3", "+3", "03", "3.0", "11", "\u0663")),
    EXAMPLE | {"hole": {"1": ["As", "Ah"], " 1": ["Ks", "Kh"]}},
    EXAMPLE | {"stacks": EXAMPLE["stacks"] | {"1": True}},
    EXAMPLE | {"stacks": EXAMPLE["stacks"] | {"1": 202.0}},
    EXAMPLE | {"stacks": EXAMPLE["stacks"] | {"1": 10**30}},
    EXAMPLE | {"actions": ["3 raise_to \u0661\u0662"]},
]


def test_a_bad_line_is_answered_and_the_next_one_is_read() -> None:
    *answers, last = lines("hand", *BAD_LINES, EXAMPLE)
    for asked, answer in zip(BAD_LINES, answers, strict=True):
        assert answer["ok"] is False, asked
        assert set(answer["error"]) == {"code", "message"}
    assert last["ok"] is True


def test_positions_of_the_contract() -> None:
    asked = {"seats": 6, "kind": "cash", "present": [1, 2, 4], "current": [1, 2, 4], "posting": []}
    asked |= {"sit_out_next_bb": [], "last": {"bb": 3, "dealt_in": [1, 2, 3, 4]}, "button": None}
    first, tournament, third, *outside = lines(
        "positions",
        asked,
        {"seats": 6, "kind": "tournament", "present": [2, 5, 6], "last": None},
        asked | {"present": [1]},
        asked | {"present": [1, 9]},
        *(asked | {"button": button} for button in (0, 7, 11)),
    )
    expected = {"button": 2, "sb": None, "bb": 4, "dealt_in": [1, 2, 4], "posters": [], "sat_out": [], "passed": [3]}
    assert expected.items() <= first.items()
    assert (tournament["button"], tournament["sb"], tournament["bb"]) == (6, 2, 5)
    assert third["error"]["code"] == "not_offered"
    assert {answer["error"]["code"] for answer in outside} == {"bad_request"}, "seats the table does not have"


@pytest.mark.parametrize("name", ["present", "current", "posting", "sit_out_next_bb"])
def test_a_list_of_seats_names_each_once(name: str) -> None:
    asked = {"seats": 6, "present": [1, 2, 4], "current": [1, 2, 4], "last": {"bb": 3, "dealt_in": [1, 2, 3, 4]}}
    (answer,) = lines("positions", asked | {name: [1, 1, 2]})
    assert answer["error"]["code"] == "bad_request"


def test_a_first_button_is_drawn_or_given() -> None:
    asked = {"seats": 6, "kind": "cash", "present": [1, 2, 4], "current": [], "last": None}
    sits_out = {"current": [1, 2], "sit_out_next_bb": [1], "last": {"bb": 6, "dealt_in": [1, 2, 6]}}
    drawn, given, nobody, *others = lines(
        "positions", asked, asked | {"button": 4}, asked | {"present": []}, *[asked | sits_out] * 20
    )
    assert drawn["button"] in (1, 2, 4)
    assert (given["button"], given["sb"], given["bb"]) == (4, 1, 2)
    assert nobody["error"]["code"] == "not_offered"
    assert [other["sat_out"] for other in others] == [[1]] * 20
    assert {other["button"] for other in others} <= {2, 4}, "who sits out now is not drawn"


def test_rake() -> None:
    asked = ("rake", "--stake", "nl100", "--pots", "300,1800", "--dealt", "6")
    code, out, _ = run(*asked, "--flop", "--json")
    assert (code, json.loads(out)) == (0, {"rake": 126, "by_pot": [18, 108]})
    assert json.loads(run(*asked, "--json")[1]) == {"rake": 0, "by_pot": [0, 0]}
    assert "pot 2: 1800, rake 108" in run(*asked, "--flop")[1]


@pytest.mark.parametrize(
    ("stake", "pots"), [("nl3", "100"), *(("nl10", pots) for pots in ("x", "0", "-1,5", "1_0", "+5", "1e3", "10,0"))]
)
def test_rake_of_nothing_known(stake: str, pots: str) -> None:
    code, out, err = run("rake", "--stake", stake, f"--pots={pots}", "--dealt", "6", "--json")
    assert (code, out) == (2, "")
    assert err


HAND = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsAh", "d dh p2 KsKh", "d dh p3 QsQh", "p3 f", "p1 f"]
"""


def test_replay_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.phh").write_text(HAND + "finishing_stacks = [99, 101, 100]\n", encoding="utf-8-sig")
    (tmp_path / "deep" / "b.phhs").write_text(
        f"[1]\n{HAND}finishing_stacks = [99, 101, 100]\n[2]\n{HAND.replace('NT', 'FT')}\n[3]\n{HAND}\n"
    )
    (tmp_path / "readme.txt").write_text("no hand")
    code, out, err = run("replay", str(tmp_path), "--json")
    *hands, summary = map(json.loads, out.splitlines())
    assert (code, err) == (0, "")
    assert summary == {"hands": 4, "equal": 2, "different": 0, "unsupported": 2, "errors": 0}
    assert hands[0] == {
        "file": str(tmp_path / "a.phh"),
        "hand": "1",
        "status": "equal",
        "finishing_stacks": [99, 101, 100],
        "expected": [99, 101, 100],
        "reason": None,
    }
    assert [hand["status"] for hand in hands[1:]] == ["equal", "unsupported", "unsupported"]
    assert hands[3]["finishing_stacks"] == [99, 101, 100]


def test_the_progress_bar_is_on_the_terminal_and_the_answers_in_the_pipe(tmp_path: Path) -> None:
    (tmp_path / "a.phh").write_text(HAND + "finishing_stacks = [99, 101, 100]\n")
    terminal, stderr = os.openpty()
    command = [str(CASINO), "poker", "replay", str(tmp_path), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as running:
        os.close(stderr)
        out, _ = running.communicate(timeout=TIMEOUT)
    hand, summary = map(json.loads, out.splitlines())
    assert (hand["status"], summary["hands"], running.returncode) == ("equal", 1, 0)
    shown = os.read(terminal, 64 * 1024)
    os.close(terminal)
    assert b"Replaying" in shown
    assert b"status" not in shown


def test_replay_tells_differences_and_errors(tmp_path: Path) -> None:
    (tmp_path / "a.phh").write_text(HAND + "finishing_stacks = [98, 102, 100]\n")
    (tmp_path / "b.phh").write_text(HAND.replace('"p1 f"', '"p2 f"'))
    (tmp_path / "c.phh").write_text("variant =")
    (tmp_path / "d.phh").write_bytes(b"\xff\xfe")
    code, out, _ = run("replay", str(tmp_path), "--json")
    *hands, summary = map(json.loads, out.splitlines())
    assert code == 1
    assert [hand["status"] for hand in hands] == ["different", "error", "error", "error"]
    assert summary == {"hands": 4, "equal": 0, "different": 1, "unsupported": 0, "errors": 3}
    assert "different" in run("replay", str(tmp_path))[1]
    assert run("replay", str(tmp_path / "none"))[0] == 2


def test_replay_with_pokerkit(tmp_path: Path) -> None:
    (tmp_path / "a.phh").write_text(HAND + "finishing_stacks = [99, 101, 100]\n")
    code, out, _ = run("replay", str(tmp_path), "--oracle", "pokerkit")
    assert code == 0
    assert out.splitlines() == [
        f"{tmp_path / 'a.phh'}, hand 1: equal, finishing stacks 99 101 100",
        "hands 1, equal 1, different 0, unsupported 0, errors 0",
    ]


def test_replay_says_why_pokerkit_was_not_asked(tmp_path: Path) -> None:
    stacks = "finishing_stacks = [99, 101, 100]\n"
    checked_down = ', "p1 cc", "p2 cc", "d db 2c3d4h", "p1 cc", "p2 cc", "d db 8s", "p1 cc", "p2 cc", "d db 9c"'
    shown_down = HAND.replace(', "p1 f"', checked_down + ', "p1 cc", "p2 cc"') + "finishing_stacks = [102, 98, 100]\n"
    (tmp_path / "a.phh").write_text(shown_down)
    (tmp_path / "b.phh").write_text(HAND + "surprise = 1\n" + stacks)
    (tmp_path / "c.phh").write_text(HAND + "_rake = 0\n" + stacks)
    code, out, _ = run("replay", str(tmp_path), "--oracle", "pokerkit", "--json")
    *hands, _summary = map(json.loads, out.splitlines())
    assert code == 0
    assert [hand["status"] for hand in hands] == ["equal"] * 3
    assert ["sm" in hands[0]["reason"], "surprise" in hands[1]["reason"], "rake" in hands[2]["reason"]] == [True] * 3


def test_published_hands_end_with_their_published_stacks() -> None:
    """Hands of 2009 and 2019 from public sources; one is of a game the house does not play."""
    folder = Path(__file__).parent.parent / "poker" / "published_hands"
    code, out, _ = run("replay", str(folder), "--oracle", "pokerkit", "--json")
    *hands, summary = map(json.loads, out.splitlines())
    assert code == 0
    assert summary == {"hands": 27, "equal": 26, "different": 0, "unsupported": 1, "errors": 0}
    assert [hand["reason"] for hand in hands if hand["status"] == "equal"] == [None] * 26
    assert {Path(hand["file"]).name for hand in hands if hand["status"] != "equal"} == {"phua-xuan-2019.phh"}
    reported = {f"{Path(hand['file']).stem}/{hand['hand']}": hand["finishing_stacks"] for hand in hands}
    assert reported["antonius-blom-2009/1"] == [1937923.75, 0]
    assert reported["dwan-ivey-2009/1"] == [572100, 1997500, 1109500]
    assert reported["pluribus-100/22"] == [9950, 10812, 10000, 9238, 10000, 10000]


@pytest.mark.parametrize("pool", ["nl10", "pl25", "banzai-nl5"])
def test_a_simulation_keeps_the_invariants_and_is_repeatable(pool: str) -> None:
    first, second = (
        json.loads(run("simulate", "cash", "--pool", pool, "--hands", "60", "--seed", "3", "--json")[1])
        for _ in range(2)
    )
    assert first["violations"] == []
    assert first["bought_in"] == first["on_the_table"] + first["rake"]
    assert (first["hands"], first["pool"], first["rake"] > 0) == (60, pool, True)
    assert {**first, "hands_per_second": 0} == {**second, "hands_per_second": 0}


def test_a_simulation_of_no_stake() -> None:
    assert run("simulate", "cash", "--pool", "nl3")[0] == 2
    one = json.loads(run("simulate", "cash", "--pool", "nl4", "--hands", "1", "--seed", "1")[1])
    assert (one["violations"], type(one["showdowns"]), type(one["flops"])) == ([], int, int)


COMMANDS = """
hand, positions, replay, rake, icm, payouts, cancel, hexapro odds, hexapro draw, simulate cash, simulate tournament
"""


@pytest.mark.parametrize("command", [name.strip() for name in COMMANDS.split(",")])
def test_examples_of_the_help_run_as_they_are(command: str) -> None:
    code, out, _ = run(*command.split(), "--help")
    assert code == 0
    _, found, examples = out.partition("Example")
    assert found
    script = examples.partition(":\n")[2].partition("\n\n")[0]
    assert f"casino poker {command}" in script
    folder = {**os.environ, "PATH": f"{Path(CASINO).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=Path(__file__).parents[2],
        env=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert '"ok":false' not in done.stdout
    assert '"error":{' not in done.stdout
