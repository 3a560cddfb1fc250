"""`casino poker replay`: published hands in PHH files, replayed and compared with the stacks they ended with."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from casino.cli.context import stop
from casino.cli.progress import progress_bar
from casino.poker.notation.phh import PhhHand, hands_of, parse_hand
from casino.poker.notation.phh_amounts import BadHand, Unsupported
from casino.poker.notation.phh_replay import replay_phh

SUFFIXES: Final = (".phh", ".phhs")
FILE_BYTES_MAX: Final = 256 * 1024 * 1024
_SUMMARY: Final = {"equal": "equal", "different": "different", "unsupported": "unsupported", "error": "errors"}
Amounts = list[int | float]


@dataclass(frozen=True)
class Outcome:
    file: str
    hand: str
    status: str
    finishing_stacks: Amounts | None = None
    expected: Amounts | None = None
    reason: str | None = None

    def line(self) -> str:
        return json.dumps(vars(self))

    def sentence(self) -> str:
        said = [self.status]
        if self.reason:
            said.append(self.reason)
        if self.finishing_stacks is not None:
            said.append(f"finishing stacks {' '.join(map(str, self.finishing_stacks))}")
        if self.status == "different":
            said.append(f"expected {' '.join(map(str, self.expected or []))}")
        return f"{self.file}, hand {self.hand}: {', '.join(said)}"


def replay_files(path: Path, *, as_json: bool, with_oracle: bool) -> int:
    """Replay every hand of a file or folder; returns the exit code."""
    files = _files(path)
    counts: Counter[str] = Counter()
    with progress_bar("Replaying") as report:
        sizes = [file.stat().st_size for file in files]
        starts = [0, *accumulate(sizes)]
        for file, start, size in zip(files, starts, sizes, strict=False):
            for share, outcome in _outcomes(file, with_oracle=with_oracle):
                counts[outcome.status] += 1
                print(outcome.line() if as_json else outcome.sentence())
                report(start + int(size * share), starts[-1])
    summary = {"hands": counts.total()} | {name: counts[status] for status, name in _SUMMARY.items()}
    print(json.dumps(summary) if as_json else ", ".join(f"{name} {count}" for name, count in summary.items()))
    return 1 if counts["different"] or counts["error"] else 0


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
    if not path.is_file():
        stop(f"There is no file or folder {path}.")
    return [path]


def _outcomes(file: Path, *, with_oracle: bool) -> Iterator[tuple[float, Outcome]]:
    """The outcome of each hand of the file, and the share of the file's hands that are done by then."""
    try:
        if file.stat().st_size > FILE_BYTES_MAX:
            yield 1, Outcome(str(file), "", "error", reason="the file is too large")
            return
        hands = [*hands_of(file.read_text(encoding="utf-8-sig"), several=file.suffix == ".phhs")]
    except UnicodeDecodeError:
        yield 1, Outcome(str(file), "", "error", reason="the file is not text in UTF-8")
        return
    except (OSError, BadHand) as error:
        yield 1, Outcome(str(file), "", "error", reason=str(error))
        return
    for number, (name, fields) in enumerate(hands, start=1):
        yield number / len(hands), _outcome(str(file), name, fields, with_oracle=with_oracle)


def _outcome(file: str, name: str, fields: Mapping[str, Any], *, with_oracle: bool) -> Outcome:
    try:
        written = parse_hand(fields)
        hand = replay_phh(written)[2]
    except Unsupported as reason:
        return Outcome(file, name, "unsupported", reason=str(reason))
    except BadHand as reason:
        return Outcome(file, name, "error", reason=str(reason))
    stacks = [seat.stack for seat in hand.seats]
    found = _written(written, stacks)
    remark = None
    if with_oracle:
        theirs, remark = _pokerkit_stacks(fields, is_revealed=hand.is_revealed)
        if theirs not in (None, found):
            return Outcome(file, name, "different", found, theirs, "PokerKit ends with other stacks")
    if written.finishing_stacks is None:
        return Outcome(file, name, "unsupported", found, reason="the file names no finishing stacks")
    expected = _written(written, list(written.finishing_stacks))
    if stacks == list(written.finishing_stacks):
        return Outcome(file, name, "equal", found, expected, remark)
    return Outcome(file, name, "different", found, expected, "the finishing stacks differ")


def _written(hand: PhhHand, stacks: list[int]) -> Amounts:
    return [hand.amount(stack) for stack in stacks]


def _pokerkit_stacks(fields: Mapping[str, Any], *, is_revealed: bool) -> tuple[Amounts | None, str | None]:
    """The final stacks of PokerKit; or None, and why it cannot be asked about this hand."""
    import warnings

    try:
        from pokerkit import HandHistory
    except ImportError:
        stop("PokerKit is not installed: install it, or leave out --oracle.")
    if "_rake" in fields:
        return None, "not compared with PokerKit, which does not know the rake"
    if is_revealed and not any(" sm" in action for action in fields["actions"]):
        return None, "not compared with PokerKit, which needs the hands shown as actions (sm)"
    known = {name: value for name, value in fields.items() if not name.startswith("_")}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            state = [*HandHistory(**known)][-1]
    except (TypeError, ValueError) as error:
        return None, f"not compared with PokerKit, which refuses the hand: {error}"
    return [int(stack) if stack == int(stack) else float(stack) for stack in state.stacks], None
