"""Wheel in an empty environment: `casino serve` works without a checkout, Node or a network."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import socketio

from tests.service import START_SECONDS_MAX, first_address

PROJECT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=PROJECT, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the commands of a new environment. It borrows the dependencies; the package is its own."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True, capture_output=True)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


@pytest.fixture
def environment(installed: Path, tmp_path: Path) -> dict[str, str]:
    """No variable of the checkout or of other tests, and no Node on the path."""
    inherited = {name: value for name, value in os.environ.items() if name in {"HOME", "LANG", "TMPDIR"}}
    return {**inherited, "PATH": str(installed), "PWD": str(tmp_path), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def address(installed: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    serve = [str(installed / "casino"), "serve", "--port", "0"]
    with subprocess.Popen(
        serve, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield first_address(process)
        finally:
            process.terminate()
            _, output = process.communicate(timeout=START_SECONDS_MAX)
    assert "There is no folder `config` here." in output
    assert process.returncode == 0, output


def test_wheel_contains_the_package_only(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"casino"}
    tracked = subprocess.run(
        ["git", "ls-files", "casino", "config"], cwd=PROJECT, check=True, capture_output=True, text=True
    ).stdout.split()
    assert {re.sub("^config/", "casino/shipped/config/", name) for name in tracked} <= set(names)


async def test_service_of_the_wheel_serves_pages_and_tables(address: str) -> None:
    page = _get(f"{address}/").decode()
    bundle = re.search(r'src="(/assets/[^"]+\.js)"', page)
    assert bundle is not None
    assert _get(address + bundle[1])

    guest = _get(f"{address}/api/guest", {})
    token = json.loads(guest)["token"]
    [first, *_] = json.loads(_get(f"{address}/api/tables"))["tables"]
    async with socketio.AsyncSimpleClient() as client:
        await client.connect(address, namespace="/table", auth={"token": token}, transports=["websocket"])
        joined = await client.call("join", {"table_id": first["id"]}, timeout=START_SECONDS_MAX)
    assert joined["ok"] is True


def test_commands_of_the_wheel_find_rules_and_migrations(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    def run(name: str, *arguments: str, said: str = "") -> str:
        command = [str(installed / name), *arguments]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True, input=said
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = run("python", "-c", "import casino; print(casino.__file__)")
    assert where.startswith(str(installed.parent)), "not the package of the checkout"
    assert run("casino", "user", "add", "ann", "--role", "player", "--password-stdin", said="a quiet river at dawn\n")
    assert run("casino", "user", "list").endswith("  player     enabled   ann\n")
    assert json.loads(run("casino", "poker", "hexapro", "odds", "--product", "classic", "--json"))


def _get(url: str, body: Any = None) -> bytes:  # noqa: ANN401
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=START_SECONDS_MAX) as answer:  # noqa: S310
        content: bytes = answer.read()
        return content
