"""Reads the configuration folder and reports all that is wrong with it at once."""

import os
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict

from casino.settings.faults import ConfigurationError, Fault, faults_of
from casino.settings.house import HouseSettings
from casino.settings.incidents import BUILT_IN, IncidentClass, Incidents
from casino.settings.table import TableSettings

UNREADABLE: Final = (OSError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Settings:
    """All there is to know about this house before it opens."""

    house: HouseSettings
    tables: tuple[TableSettings, ...]
    incidents: Mapping[str, IncidentClass] = field(default_factory=lambda: _built_in().classes)

    def table(self, table_id: str | None) -> TableSettings | None:
        """The table with this id; without one, the first."""
        chosen = (table for table in self.tables if table_id in (None, table.id))
        return next(chosen, None)


def load_settings(folder: Path) -> Settings:
    if not folder.is_dir():
        raise ConfigurationError([Fault(str(folder), "", "there is no such folder")])
    faults = [*_misplaced(folder / "casino.toml", Path.is_file, "a file")]
    faults += _misplaced(folder / "incidents.toml", Path.is_file, "a file")
    faults += _misplaced(folder / "tables", Path.is_dir, "a folder")
    house = _house(folder / "casino.toml", faults)
    tables = _tables(sorted((folder / "tables").glob("*.toml")), faults)
    incidents = _incidents(folder / "incidents.toml", faults)
    if faults or house is None or incidents is None:
        raise ConfigurationError(faults)
    return Settings(house, tables, incidents.classes)


def _incidents(file: Path, faults: list[Fault]) -> Incidents | None:
    try:
        return Incidents.model_validate(_read(file)) if file.is_file() else _built_in()
    except ValidationError as error:
        faults += faults_of(error, str(file))
    except UNREADABLE as error:
        faults.append(_unreadable(file, error))
    return None


def _built_in() -> Incidents:
    return Incidents.model_validate(_read(BUILT_IN))


def _misplaced(path: Path, is_right: Callable[[Path], bool], kind: str) -> Iterator[Fault]:
    """Leaving it out is fine; having something else in its place is not, for then defaults would step in unseen."""
    if os.path.lexists(path) and not is_right(path):
        yield Fault(str(path), "", f"this is not {kind} that can be read")


def _house(file: Path, faults: list[Fault]) -> HouseSettings | None:
    class FromFile(HouseSettings):
        model_config = SettingsConfigDict(toml_file=file)

    try:
        return FromFile()
    except ValidationError as error:
        faults += [_with_origin(fault) for fault in faults_of(error, str(file))]
    except UNREADABLE as error:
        faults.append(_unreadable(file, error))
    return None


def _with_origin(fault: Fault) -> Fault:
    """An environment variable stands above the file, so what it says is not the file's fault."""
    variable = f"CASINO_{fault.key.replace('.', '_').upper()}"
    return replace(fault, file=f"environment variable {variable}") if variable in os.environ else fault


def _tables(files: list[Path], faults: list[Fault]) -> tuple[TableSettings, ...]:
    tables: list[TableSettings] = []
    files_by_id: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        try:
            table = TableSettings.model_validate({"id": file.stem, "name": file.stem} | _read(file))
        except ValidationError as error:
            faults += faults_of(error, str(file))
        except UNREADABLE as error:
            faults.append(_unreadable(file, error))
        else:
            tables.append(table)
            files_by_id[table.id].append(file)
    for table_id, (first, *others) in files_by_id.items():
        faults += [Fault(str(other), "id", f"{table_id} is the table of {first} already") for other in others]
    return tuple(tables)


def _read(file: Path) -> dict[str, Any]:
    with file.open("rb") as opened:
        return tomllib.load(opened)


def _unreadable(file: Path, error: Exception) -> Fault:
    reason = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else f"not a TOML file: {error}"
    return Fault(str(file), "", reason)
