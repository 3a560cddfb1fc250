"""Loads the configuration folder and reports all its errors at once."""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict

from casino.settings.errors import ConfigurationError, Fault, errors_of
from casino.settings.incidents import BUILT_IN, IncidentClass, Incidents
from casino.settings.poker import PokerSettings, load_poker
from casino.settings.service import ServiceSettings
from casino.settings.table import TableSettings
from casino.settings.toml_file import UNREADABLE, read_toml, unreadable


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration, validated."""

    casino: ServiceSettings
    tables: tuple[TableSettings, ...]
    incidents: Mapping[str, IncidentClass] = field(default_factory=lambda: _built_in().classes)
    poker: PokerSettings | None = None

    def table(self, table_id: str | None) -> TableSettings | None:
        """The table with this id; without one, the first."""
        chosen = (table for table in self.tables if table_id in (None, table.id))
        return next(chosen, None)


def load_settings(folder: Path) -> Settings:
    try:
        is_there = folder.is_dir()
    except OSError as error:
        raise ConfigurationError([unreadable(folder, error)]) from None
    if not is_there:
        raise ConfigurationError([Fault(str(folder), "", "there is no such folder")])
    faults = [*_misplaced(folder / "casino.toml", Path.is_file, "a file")]
    faults += _misplaced(folder / "incidents.toml", Path.is_file, "a file")
    faults += _misplaced(folder / "tables", Path.is_dir, "a folder")
    faults += _misplaced(folder / "poker", Path.is_dir, "a folder")
    casino = _service_settings(folder / "casino.toml", faults)
    tables = _tables(_table_files(folder / "tables", faults), faults)
    incidents = _incidents(folder / "incidents.toml", faults)
    poker = _poker(folder / "poker", faults)
    if faults or casino is None or incidents is None:
        raise ConfigurationError(faults)
    return Settings(casino, tables, incidents.classes, poker)


def _incidents(file: Path, faults: list[Fault]) -> Incidents | None:
    try:
        return Incidents.model_validate(read_toml(file)) if file.is_file() else _built_in()
    except ValidationError as error:
        faults += errors_of(error, str(file))
    except UNREADABLE as error:
        faults.append(unreadable(file, error))
    return None


def _poker(folder: Path, faults: list[Fault]) -> PokerSettings | None:
    """Without the folder there is no poker room."""
    try:
        return load_poker(folder) if folder.is_dir() else None
    except ConfigurationError as error:
        faults += error.faults
    return None


def _built_in() -> Incidents:
    return Incidents.model_validate(read_toml(BUILT_IN))


def _misplaced(path: Path, is_right: Callable[[Path], bool], kind: str) -> Iterator[Fault]:
    """Leaving it out is fine; having something else in its place is not, for then defaults would step in unseen."""
    if os.path.lexists(path) and not is_right(path):
        yield Fault(str(path), "", f"this is not {kind} that can be read")


def _service_settings(file: Path, faults: list[Fault]) -> ServiceSettings | None:
    class FromFile(ServiceSettings):
        model_config = SettingsConfigDict(toml_file=file)

    try:
        return FromFile()
    except ValidationError as error:
        faults += [_with_origin(fault) for fault in errors_of(error, str(file))]
    except UNREADABLE as error:
        faults.append(unreadable(file, error))
    return None


def _with_origin(fault: Fault) -> Fault:
    """An environment variable overrides the file, so an error in it is not reported for the file."""
    variable = f"CASINO_{fault.key.replace('.', '_').upper()}"
    return replace(fault, file=f"environment variable {variable}") if variable in os.environ else fault


def _table_files(folder: Path, faults: list[Fault]) -> list[Path]:
    """A folder that cannot be read would otherwise look like a service without tables."""
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".toml") if folder.is_dir() else []
    except OSError as error:
        faults.append(unreadable(folder, error))
        return []


def _tables(files: list[Path], faults: list[Fault]) -> tuple[TableSettings, ...]:
    tables: list[TableSettings] = []
    files_by_id: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        try:
            table = TableSettings.model_validate({"id": file.stem, "name": file.stem} | read_toml(file))
        except ValidationError as error:
            faults += errors_of(error, str(file))
        except UNREADABLE as error:
            faults.append(unreadable(file, error))
        else:
            tables.append(table)
            files_by_id[table.id].append(file)
    for table_id, (first, *others) in files_by_id.items():
        faults += [Fault(str(other), "id", f"{table_id} is the table of {first} already") for other in others]
    return tuple(tables)
