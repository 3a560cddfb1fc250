"""Retry of `make test`: at most two tests, and only with their names at the end of the run."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
FLAKY = """
from pathlib import Path

def test_{name}():
    seen = Path(__file__).with_suffix(".{name}")
    was_there = seen.exists()
    seen.touch()
    assert was_there
"""
BROKEN = "\ndef test_{name}():\n    assert False\n"
PASSING = "\ndef test_{name}():\n    pass\n"


def run(folder: Path, *tests: str) -> "subprocess.CompletedProcess[str]":
    (folder / "pytest.ini").write_text("[pytest]\n")
    written = "".join(test.format(name=number) for number, test in enumerate(tests))
    (folder / "test_sample.py").write_text(written)
    command = [sys.executable, "-m", "tests.retry", "flaky", "-q"]
    environment = {"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_flaky_tests_are_named_at_the_end(tmp_path: Path, count: int) -> None:
    done = run(tmp_path, PASSING, *[FLAKY] * count)
    assert done.returncode == 0, done.stdout + done.stderr
    named = [f"FLAKY test_sample.py::test_{number}" for number in range(1, count + 1)]
    assert done.stdout.splitlines()[-count:] == named == (tmp_path / "flaky").read_text().splitlines()


def test_more_than_two_flaky_tests_fail_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, *[FLAKY] * 3)
    assert (done.returncode, "FLAKY" in done.stdout) == (1, False)


def test_a_test_that_fails_again_fails_the_run(tmp_path: Path) -> None:
    done = run(tmp_path, BROKEN, FLAKY)
    assert (done.returncode, "FLAKY" in done.stdout) == (1, False)


def test_a_run_without_failures_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "flaky").write_text("FLAKY of the run before\n")
    done = run(tmp_path, PASSING)
    assert (done.returncode, (tmp_path / "flaky").exists()) == (0, False), done.stdout


def test_a_file_that_cannot_be_collected_is_not_retried(tmp_path: Path) -> None:
    done = run(tmp_path, "\nimport nothing_of_this_name\n")
    assert (done.returncode, "FLAKY" in done.stdout) == (2, False), done.stdout
