"""Context of poker commands: configured or published rules, lists of numbers, and error messages."""

from pathlib import Path

from casino.cli.context import stop
from casino.cli.poker.app import CONFIG_DEFAULT
from casino.money import MINOR_MAX
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


def whole_numbers(option: str, text: str) -> list[int]:
    """Whole numbers with commas between them, none below 0 or above the largest amount of money."""
    parts = text.split(",")
    if not all(part.isascii() and part.strip().isdecimal() and len(part) <= 20 for part in parts):
        stop(f"{option} takes whole numbers with commas between them, such as 5000,3000, not {text[:40]!r}.")
    numbers = [int(part) for part in parts]
    if max(numbers) > MINOR_MAX:
        stop(f"{option}: no number may be above {MINOR_MAX}.")
    return numbers


def as_sentence(error: ValueError) -> str:
    """The text of an error raised by the rules, which has neither a capital letter nor a full stop."""
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
