"""Configuration for the poker commands: the folder's `poker/`, or the published rules where there is none."""

from pathlib import Path

from casino.cli.context import stop
from casino.cli.poker.app import CONFIG_DEFAULT
from casino.poker.terms import Stake
from casino.poker.tournament.hexapro import Product
from casino.settings import ConfigurationError
from casino.settings.poker import PUBLISHED, PokerSettings, load_poker


def poker_settings_or_exit(config: Path) -> PokerSettings:
    if not config.is_dir() and config != CONFIG_DEFAULT:
        stop(f"There is no folder {config}.")
    folder = config / "poker"
    try:
        return load_poker(folder if folder.is_dir() else PUBLISHED)
    except ConfigurationError as error:
        stop(str(error))


def stake_or_exit(config: Path, stake_id: str) -> Stake:
    stakes = poker_settings_or_exit(config).stakes
    if stake_id not in stakes:
        stop(f"There is no stake {stake_id[:40]!r}. Known: {', '.join(stakes)}.")
    return stakes[stake_id]


def product_or_exit(config: Path, product_id: str) -> Product:
    products = poker_settings_or_exit(config).products
    if product_id not in products:
        stop(f"There is no HexaPro product {product_id[:40]!r}. Known: {', '.join(products)}.")
    return products[product_id]
