"""The commands `casino poker …`. Each module named here registers its commands with `poker_app`."""

from casino.cli.poker import hand_commands, tournament_commands
from casino.cli.poker.app import poker_app

__all__ = ["hand_commands", "poker_app", "tournament_commands"]
