"""Configuration folder: `casino.toml` and `tables/*.toml`, validated as a whole before anything starts."""

from casino.settings.errors import ConfigurationError, Fault
from casino.settings.loading import Settings, load_settings
from casino.settings.service import ServiceSettings
from casino.settings.table import TableSettings

__all__ = ["ConfigurationError", "Fault", "ServiceSettings", "Settings", "TableSettings", "load_settings"]
