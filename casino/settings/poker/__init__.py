"""The poker room's configuration: `config/poker/*.toml`. Without the folder there is no poker room."""

from casino.settings.poker.loading import PUBLISHED, PokerSettings, load_poker

__all__ = ["PUBLISHED", "PokerSettings", "load_poker"]
