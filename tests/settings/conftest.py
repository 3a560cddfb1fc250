"""Fixtures of the settings tests: a configuration folder to write to, and the errors of loading it."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from casino.settings import ConfigurationError, Settings, load_settings

TABLE = 'id = "uth-1"\nname = "Table 1"\n'


@dataclass(frozen=True)
class Folder:
    path: Path

    def service_file(self, text: str | bytes) -> Path:
        return self._write(self.path / "casino.toml", text)

    def table(self, text: str | bytes, file: str = "uth-1.toml") -> Path:
        return self._write(self.path / "tables" / file, text)

    def load(self) -> Settings:
        return load_settings(self.path)

    def refusal(self) -> list[str]:
        """The lines a start with this folder ends with."""
        with pytest.raises(ConfigurationError) as refused:
            self.load()
        lines = str(refused.value).splitlines()
        assert len(lines) == len(refused.value.faults)
        return lines

    @staticmethod
    def _write(file: Path, text: str | bytes) -> Path:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """Empty, and with no environment variable of the service set."""
    for name in [name for name in os.environ if name.startswith("CASINO_")]:
        monkeypatch.delenv(name)
    (tmp_path / "config" / "tables").mkdir(parents=True)
    return Folder(tmp_path / "config")
