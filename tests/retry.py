"""Runs pytest with the given arguments; retries failed tests once, alone, and names them as FLAKY.

A test that passes only when retried is a defect of the test or of the service. The run succeeds with one or two of
them and names them at its end, so that the cause can be found; with more it fails. A crash of a worker, a failed
collection and an interrupted run are never retried.

    python -m tests.retry FLAKY_FILE [PYTEST_ARGUMENT ...]
"""

import json
import subprocess
import sys
from pathlib import Path

FLAKY_MAX = 2
CACHE = Path(".pytest_cache/v/cache/lastfailed")
PYTEST = [sys.executable, "-m", "pytest"]


def main(flaky_file: Path, *arguments: str) -> int:
    flaky_file.unlink(missing_ok=True)
    CACHE.unlink(missing_ok=True)
    code = subprocess.run([*PYTEST, *arguments], check=False).returncode
    if code != 1:  # 0: all passed; others: interrupted, internal error, wrong usage, nothing collected
        return code
    failed = sorted(json.loads(CACHE.read_text())) if CACHE.is_file() else []
    if not 0 < len(failed) <= FLAKY_MAX or not all("::" in name for name in failed):
        return code
    again = subprocess.run([*PYTEST, *failed], check=False).returncode
    if again == 0:
        flaky_file.write_text("".join(f"FLAKY {name}\n" for name in failed))
        sys.stdout.write(flaky_file.read_text())
    return again


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
