# ruff: noqa: T201
"""Mutation testing of the poker rules: `python -m tests.mutation [MODULE …]`.

Pytest collects the tests of a module once; then each mutant runs them in a forked process and stops at the first
failure. A mutant that survives must be in `reviewed.toml` with the reason why it changes nothing. The exit code is 1
if another one survives, or if a reviewed one no longer does.
"""

import argparse
import importlib
import math
import os
import resource
import sys
import time
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests.mutation.mutants import Mutant, mutants_of
from tests.mutation.patching import patch

TESTS: Final = Path(__file__).resolve().parents[1]
REVIEWED: Final = Path(__file__).with_name("reviewed.toml")
SLOWER_MAX: Final = 5
"""A mutant that takes this many times the processor time of the module itself loops, and counts as killed."""
MEMORY_MAX: Final = 2 * 1024**3

HANDS: Final = ("poker/test_betting.py", "poker/test_pots.py", "poker/test_hand.py", "poker/test_small_games.py")
ORACLE: Final = "poker/test_pokerkit.py"
SUITES: Final[dict[str, tuple[str, ...]]] = {
    "casino.poker.betting": (*HANDS, ORACLE),
    "casino.poker.acting": HANDS,
    "casino.poker.pots": (*HANDS, ORACLE),
    "casino.poker.results": ("poker/test_pots.py", "poker/test_hand.py", "poker/test_rake.py", ORACLE),
    "casino.poker.rake": ("poker/test_rake.py", "poker/test_pots.py", "poker/test_hand.py"),
    "casino.poker.shares": ("poker/test_rake.py", "poker/test_hand.py"),
    "casino.poker.positions": ("poker/test_positions.py",),
    "casino.poker.cash.buy_in": ("poker/cash/test_buy_in.py",),
    "casino.poker.cash.banzai": ("poker/cash/test_buy_in.py",),
    "casino.poker.cash.seating": ("poker/cash/test_seating.py",),
    "casino.poker.cash.sitting_out": ("poker/cash/test_sitting_out.py",),
    "casino.poker.tournament.prizes": ("poker/tournament/test_prizes.py",),
    "casino.poker.tournament.shares": ("poker/tournament/test_cancel.py", "poker/tournament/test_icm.py"),
}
"""The tests of each module, quick ones first."""


class Judge:
    """A pytest plugin: runs the collected tests once for each mutant."""

    def __init__(self, module: str) -> None:
        self.module = importlib.import_module(module)
        source = Path(str(self.module.__file__)).read_text(encoding="utf-8")
        self.lines = source.splitlines()
        self.mutants = list(mutants_of(source))
        self.verdicts: list[str] = []
        self.seconds_max = resource.RLIM_INFINITY

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        assert not session.testsfailed, "the tests must be collected without errors"
        assert self._verdict(session, None) == "survived", "the tests must pass without a mutant"
        for done, mutant in enumerate(self.mutants):
            if sys.stderr.isatty():
                print(f"\r{self.module.__name__} {done}/{len(self.mutants)}", end="", file=sys.stderr)
            verdict = self._verdict(session, mutant)
            self.verdicts.append(verdict)
            if verdict == "survived":
                print(f"{self.module.__name__}:{mutant.line} survived: {mutant.fault}", file=sys.stderr, flush=True)
        return True

    def _verdict(self, session: pytest.Session, mutant: Mutant | None) -> str:
        child = os.fork()
        if not child:
            self._run(session, mutant)
        _, status, used = os.wait4(child, 0)
        if mutant is None:
            self.seconds_max = 2 + math.ceil(SLOWER_MAX * (used.ru_utime + used.ru_stime))
        if os.WIFSIGNALED(status):
            return "timed out"
        return "survived" if os.WEXITSTATUS(status) == 0 else "killed"

    def _run(self, session: pytest.Session, mutant: Mutant | None) -> None:
        """In the child: patch, run until the first failure, and never return."""
        resource.setrlimit(resource.RLIMIT_CPU, (self.seconds_max, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        try:
            if mutant is not None:
                patch(self.module, mutant.tree)
            for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    break
        except BaseException:  # noqa: BLE001  a mutant may break anything, the test runner too
            os._exit(1)
        os._exit(1 if session.testsfailed else 0)


@dataclass(frozen=True)
class Survivor:
    """A mutant no test can tell from the original, named by its line of code; `reason` says why there is none."""

    line: str
    fault: str

    def __str__(self) -> str:
        return f"{self.fault}  in  {self.line}"


def judge(module: str, reviewed: Counter[Survivor]) -> tuple[Counter[str], list[str]]:
    """Counts of verdicts, and complaints about survivors and about reviews that are out of date."""
    plugin = Judge(module)
    started = time.monotonic()
    # Assertions need no rewriting: only the exit code of a run counts.
    options = ["-p", "no:cacheprovider", "-p", "no:terminal", "--noconftest", "--assert=plain"]
    pytest.main([*options, *(str(TESTS / path) for path in SUITES[module])], plugins=[plugin])
    assert len(plugin.verdicts) == len(plugin.mutants), "the tests could not be run"
    counts = Counter(plugin.verdicts)
    survivors = Counter(
        Survivor(plugin.lines[mutant.line - 1].strip(), mutant.fault)
        for mutant, verdict in zip(plugin.mutants, plugin.verdicts, strict=True)
        if verdict == "survived"
    )
    complaints = [f"{module}: survived: {survivor}" for survivor in survivors - reviewed]
    complaints += [f"{module}: reviewed, but killed or changed: {survivor}" for survivor in reviewed - survivors]
    seconds = time.monotonic() - started
    summary = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(
        f"{module}: {len(plugin.mutants)} mutants, {summary}, reviewed {reviewed.total()}, {seconds:.0f} s", flush=True
    )
    return counts, complaints


def reviewed_survivors() -> dict[str, Counter[Survivor]]:
    """The survivors of each module that were read and found to change nothing."""
    entries = tomllib.loads(REVIEWED.read_text(encoding="utf-8")).get("survivor", [])
    found: dict[str, Counter[Survivor]] = defaultdict(Counter)
    for entry in entries:
        assert entry["reason"], "a reviewed survivor needs a reason"
        found[entry["module"]][Survivor(entry["line"], entry["fault"])] += entry.get("count", 1)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Mutation testing of the poker rules.")
    parser.add_argument("modules", nargs="*", choices=[*SUITES, []], help="modules, or all of them")
    chosen = parser.parse_args().modules or [*SUITES]
    os.environ.setdefault("CASINO_TEST_HANDS", "300")  # side by side with PokerKit, for each mutant that gets so far
    settings.register_profile("mutation", database=None, derandomize=True, deadline=None)
    settings.load_profile("mutation")
    reviewed = reviewed_survivors()
    whole: Counter[str] = Counter()
    complaints: list[str] = []
    for module in chosen:
        counts, found = judge(module, reviewed[module])
        whole += counts
        complaints += found
    print(*complaints, sep="\n")
    print(f"{whole.total()} mutants: {', '.join(f'{name} {count}' for name, count in sorted(whole.items()))}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
