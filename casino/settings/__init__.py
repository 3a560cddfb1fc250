"""The configuration folder: `casino.toml` and `tables/*.toml`, checked whole before anything starts."""

from casino.settings.faults import ConfigurationError, Fault
from casino.settings.house import HouseSettings
from casino.settings.loading import Settings, load_settings
from casino.settings.table import TableSettings

__all__ = ["ConfigurationError", "Fault", "HouseSettings", "Settings", "TableSettings", "load_settings"]
