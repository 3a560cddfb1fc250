"""`casino poker icm | payouts | cancel | hexapro`, used by another program: exact output and exit codes."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.service import CASINO

TIMEOUT = 120
Plain = dict[str, Any]


def run(*arguments: str, given: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
    done = subprocess.run(
        [CASINO, "poker", *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        cwd=cwd,
    )
    return done.returncode, done.stdout, done.stderr


def answer(*arguments: str, cwd: Path | None = None) -> Plain:
    code, out, err = run(*arguments, "--json", cwd=cwd)
    assert (code, err) == (0, "")
    plain: Plain = json.loads(out)
    return plain


def test_icm() -> None:
    found = answer("icm", "--stacks", "5000,3000,2000", "--prizes", "5000,3000,2000")
    assert found == {"values": ["26875/7", "3275", "20200/7"], "minor": [3839, 3275, 2886]}
    assert "3839" in run("icm", "--stacks", "5000,3000,2000", "--prizes", "5000,3000,2000")[1]


@pytest.mark.parametrize(
    ("stacks", "prizes"), [("", "1"), ("1,x", "1"), ("1,0", "1"), ("1", "2,1"), ("-1", "1"), ("1" * 19, "1")]
)
def test_icm_of_nothing_possible(stacks: str, prizes: str) -> None:
    code, out, err = run("icm", f"--stacks={stacks}", f"--prizes={prizes}", "--json")
    assert (code, out) == (2, "")
    assert err[0] == "-" or err[0].isupper()  # a sentence, or the option at fault
    assert err.endswith(".\n")


def test_payouts() -> None:
    found = answer("payouts", "--entries", "100", "--seats", "6", "--pool", "90000")
    assert (found["places"], len(found["prizes"]), found["prizes"][0]) == (15, 15, 23037)
    assert sum(found["prizes"]) == 90_000
    assert "10-12:         2786" in run("payouts", "--entries", "100", "--seats", "6", "--pool", "90000")[1]
    assert run("payouts", "--entries", "0", "--pool", "1")[0] == 2
    assert run("payouts", "--entries", "5", "--pool", "1" + "0" * 17)[0] == 2


def test_hexapro_odds() -> None:
    assert answer("hexapro", "odds", "--product", "highroller") == {
        "product": "highroller",
        "odds": {"1000": 1, "100": 2, "10": 4000, "5": 2500, "4": 6000, "3": 29306, "2": 58191},
        "of": 100_000,
        "mean": "2.82000",
        "rake": "0.06000",
    }
    assert (answer("hexapro", "odds", "--product", "extreme")["mean"]) == "2.79441"
    assert "rake 6.853%" in run("hexapro", "odds", "--product", "classic")[1]
    assert run("hexapro", "odds", "--product", "banzai")[0] == 2


def test_hexapro_draw() -> None:
    draw = ("hexapro", "draw", "--product", "classic")
    assert answer(*draw, "--number", "3005") == {"multiplier": 10}
    assert run(*draw, "--number", "3006")[1] == '{"multiplier": 5}\n', "a pipe gets JSON"
    first, again = (answer(*draw, "--games", "1000", "--seed", "1") for _ in range(2))
    assert first == again
    assert (first["games"], sum(first["counts"].values())) == (1000, 1000)
    assert [*first["counts"]] == ["1000", "100", "10", "5", "4", "3", "2"]
    assert sum(answer(*draw, "--games", "50")["counts"].values()) == 50


@pytest.mark.parametrize("options", [(), ("--number", "1", "--games", "1"), ("--number", "100000"), ("--games", "0")])
def test_a_draw_is_of_one_number_or_of_some_games(options: tuple[str, ...]) -> None:
    assert run("hexapro", "draw", "--product", "classic", *options)[0] == 2


PLAYERS = [
    {"id": str(place), "chips": chips, "paid": 900, "fees": 100, "bounty": 0, "ticket": False}
    for place, chips in enumerate((60_000, 50_000, 45_000, 40_000, 35_000, 30_000, 25_000, 15_000))
]
IN_THE_MONEY: Plain = {
    "kind": "mtt",
    "freeroll": False,
    "started": True,
    "places_paid": 9,
    "tables": 2,
    "final_table": False,
    "player_pool": 54_000,
    "added": 0,
    "prizes_left": [16646, 9232, 6541, 5122, 4237, 3628, 3183, 2841],
    "players": PLAYERS,
}


def cancelled(*asked: Plain | str) -> list[Plain]:
    given = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in asked)
    code, out, err = run("cancel", given=given)
    assert (code, err) == (0, "")
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(asked)
    return answers


def test_cancel_of_the_contract() -> None:
    (found,) = cancelled(IN_THE_MONEY)
    assert (found["case"], found["to_house"]) == ("54a", 0)
    assert found["players"]["0"] == {"fees": 100, "share": 8581, "bounty": 0, "ticket": None, "total": 8681}


def test_every_case_by_its_number() -> None:
    entry = [{"id": "a", "paid": 900, "fees": 100, "ticket": True}]
    three = PLAYERS[:3]
    cases = cancelled(
        {"kind": "mtt", "started": False, "player_pool": 900, "players": entry},
        IN_THE_MONEY | {"places_paid": 3},
        IN_THE_MONEY,
        IN_THE_MONEY | {"final_table": True, "tables": 1},
        {"kind": "hexapro", "started": True, "prizes_left": [10_000], "players": three},
    )
    assert [found["case"] for found in cases] == ["52", "53", "54a", "54b", "55"]
    assert cases[0]["players"]["a"] == {"fees": 0, "share": 0, "bounty": 0, "ticket": 1000, "total": 0}


BAD_LINES: list[Plain | str] = [
    "x",
    "[]",
    IN_THE_MONEY | {"kind": "cash"},
    IN_THE_MONEY | {"players": []},
    IN_THE_MONEY | {"players": [PLAYERS[0], PLAYERS[0]]},
    IN_THE_MONEY | {"players": [PLAYERS[0] | {"chips": 0}], "prizes_left": [1]},
    IN_THE_MONEY | {"prizes_left": []},
    IN_THE_MONEY | {"unknown": 1},
]


def test_bad_lines_are_answered_and_skipped() -> None:
    *answers, last = cancelled(*BAD_LINES, IN_THE_MONEY)
    for asked, found in zip(BAD_LINES, answers, strict=True):
        assert set(found["error"]) == {"code", "message"}, asked
    assert last["case"] == "54a"


def test_ten_thousand_players_are_one_line() -> None:
    players = [{"id": f"player-{number}", "chips": number + 1, "paid": 900, "fees": 100} for number in range(10_000)]
    (found,) = cancelled(
        IN_THE_MONEY | {"players": players, "prizes_left": [], "places_paid": 1500, "player_pool": 9_000_001}
    )
    assert (found["case"], sum(refund["share"] for refund in found["players"].values())) == ("53", 9_000_001)


def test_without_a_configuration_the_published_rules_are_used(tmp_path: Path) -> None:
    assert answer("hexapro", "draw", "--product", "classic", "--number", "0", cwd=tmp_path) == {"multiplier": 1000}
    (tmp_path / "config" / "poker").mkdir(parents=True)
    code, _, err = run("hexapro", "odds", "--product", "classic", cwd=tmp_path)
    assert code == 2
    assert "stakes.toml: cannot be read" in err


def test_simulate_tournament() -> None:
    simulate = ("simulate", "tournament", "--players", "20", "--structure", "hyper", "--seed", "1")
    found = answer(*simulate)
    assert (found["players"], found["places_paid"], found["violations"]) == (20, 3, [])
    assert found["prizes"] == found["pool"] == 18_000
    again = json.loads(run(*simulate)[1])
    assert {**found, "hands_per_second": 0} == {**again, "hands_per_second": 0}, "a pipe gets JSON, a seed the same run"
    assert run("simulate", "tournament", "--structure", "slow")[0] == 2


COMMANDS = [
    ("icm",),
    ("payouts",),
    ("cancel",),
    ("hexapro", "odds"),
    ("hexapro", "draw"),
    ("simulate", "tournament"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_shows_an_example(command: tuple[str, ...]) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    assert "Example" in out
