"""Throughput of `casino settle` on one core, compared with reading and writing the same JSON."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import IO

from benchmarks.measurement import Row, Work, duration, race, times
from casino.cards.card import DECK

CASINO = Path(sys.executable).with_name("casino")
LINES = 20_000
PER_SECOND_MIN = 20_000
ACTIONS = ("play_4x", "play_3x", "play_2x", "play_1x", "fold")


def _line(chance: Random) -> str:
    cards = chance.sample(DECK, 9)
    wanted = {
        "player": cards[:2],
        "board": cards[2:7],
        "dealer": cards[7:],
        "ante": 100 * chance.randint(1, 500),
        "trips": 100 * chance.randint(0, 250),
        "action": chance.choice(ACTIONS),
    }
    return json.dumps(wanted)


def _settle(source: IO[bytes], out: IO[bytes]) -> None:
    source.seek(0)
    out.seek(0)
    subprocess.run([CASINO, "settle"], stdin=source, stdout=out, check=True)  # noqa: S603


def _read_and_write(lines: list[str], answers: list[object]) -> None:
    for line, answer in zip(lines, answers, strict=True):
        json.loads(line)
        json.dumps(answer)


def rows() -> list[Row]:
    chance = Random(1)  # noqa: S311
    lines = [_line(chance) for _ in range(LINES)]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as nothing, tempfile.TemporaryFile() as out:
        source.write("\n".join(lines).encode())
        source.flush()
        _settle(source, out)
        out.seek(0)
        answers = [json.loads(answer) for answer in out]
        if len(answers) != LINES or any("error" in answer for answer in answers):
            raise RuntimeError("casino settle refused a line")
        seconds = race(
            {
                "settle": Work(lambda: _settle(source, out)),
                "start": Work(lambda: _settle(nothing, out)),
                "json": Work(lambda: _read_and_write(lines, answers)),
            },
            repeats=5,
        )
    ours = (seconds["settle"] - seconds["start"]) / LINES
    theirs = seconds["json"] / LINES
    return [
        Row("start and end of the process", duration(seconds["start"])),
        Row(
            "a line, once started",
            duration(ours),
            f"{1 / ours:,.0f} a second",
            f"at least {PER_SECOND_MIN:,} a second",
            1 / ours >= PER_SECOND_MIN,
        ),
        Row("json.loads of the line, json.dumps of the answer", duration(theirs), f"{times(ours / theirs)} the time"),
    ]
