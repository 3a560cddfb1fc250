"""Lock files: production installs tested versions of its dependencies, without test tools or index hosts."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
_PINNED: Final = re.compile(r"^([a-z0-9._-]+)(?:\[[a-z,]+\])?==([^ ;\\]+)", re.MULTILINE)


def pinned(name: str) -> dict[str, str]:
    return dict(_PINNED.findall((ROOT / name).read_text()))


def named(requirement: str) -> str:
    return re.split(r"[\[<>=~ ]", requirement, maxsplit=1)[0].lower()


def test_production_lock_is_part_of_the_tested_one() -> None:
    production, tested = pinned("requirements-production.lock"), pinned("requirements.lock")
    assert production.items() < tested.items()


def test_production_lock_has_everything_the_service_needs_and_no_test_tool() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    production = pinned("requirements-production.lock")
    extras = project["optional-dependencies"]
    assert {named(one) for one in [*project["dependencies"], *extras["build"]]} <= production.keys()
    assert not {named(one) for one in [*extras["test"], *extras["dev"]]} & production.keys()


def test_locks_name_no_index_and_hash_everything() -> None:
    for name in ("requirements.lock", "requirements-production.lock"):
        text = (ROOT / name).read_text()
        assert "://" not in text
        assert "index-url" not in text
        assert len(re.findall(r"==.*\\\n    --hash=sha256:", text)) == len(pinned(name))


def test_serving_installs_production_and_testing_the_rest() -> None:
    def steps(target: str) -> str:
        done = subprocess.run(["make", "-n", "-B", target], cwd=ROOT, capture_output=True, text=True, check=True)
        return done.stdout

    serving, testing = steps("serve"), steps("test")
    assert "-r requirements-production.lock" in serving
    assert "-r requirements.lock" not in serving
    assert "-r requirements.lock" in testing
