"""The command line `casino`: each command in a file of its own, wired together in `main`."""

from casino.cli.main import app

__all__ = ["app"]
