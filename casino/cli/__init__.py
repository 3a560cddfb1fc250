"""Command line `casino`: one module per command, registered in `main`."""

from casino.cli.main import app

__all__ = ["app"]
