"""`casino poker hexapro odds` and `draw`: chances of the multipliers, and draws."""

import json
import random
from pathlib import Path
from secrets import SystemRandom

from casino.cli.context import stop
from casino.cli.poker.context import product_or_exit
from casino.cli.progress import progress_bar
from casino.poker.tournament.hexapro import DRAW_OF, Product

REPORT_EVERY = 50_000


def print_odds(config: Path, product_id: str, *, as_json: bool) -> None:
    product = product_or_exit(config, product_id)
    odds = {str(multiplier): chances for multiplier, chances in product.odds.items()}
    mean, rake = f"{float(product.mean):.5f}", f"{float(product.rake):.5f}"
    if as_json:
        print(json.dumps({"product": product_id, "odds": odds, "of": DRAW_OF, "mean": mean, "rake": rake}))
        return
    for multiplier, chances in odds.items():
        print(f"{multiplier:>6}x: {chances:>6} of {DRAW_OF}")
    print(f"mean {mean}x, rake {float(product.rake):.3%}")


def print_draw(
    config: Path, product_id: str, number: int | None, games: int | None, seed: int | None, *, as_json: bool
) -> None:
    product = product_or_exit(config, product_id)
    if (number is None) == (games is None):
        stop("Give either --number or --games.")
    if number is not None:
        multiplier = product.drawn(number).multiplier
        print(json.dumps({"multiplier": multiplier}) if as_json else f"{multiplier}x")
        return
    assert games is not None
    chance = SystemRandom() if seed is None else random.Random(seed)  # noqa: S311  a repeatable run
    counts = draw_many(product, games, chance)
    if as_json:
        print(json.dumps({"games": games, "counts": counts}))
        return
    for name, count in counts.items():
        print(f"{name:>6}x: {count:>9} games, {count / games:.5%}")


def draw_many(product: Product, games: int, chance: random.Random) -> dict[str, int]:
    """Draw and count. A table of all numbers makes each draw one look-up."""
    table = [prize for prize, row in enumerate(product.prizes) for _ in range(row.chances)]
    counts = [0] * len(product.prizes)
    with progress_bar("Drawing") as report:
        for done in range(games):
            if done % REPORT_EVERY == 0:
                report(done, games)
            counts[table[chance.randrange(DRAW_OF)]] += 1
    return {str(row.multiplier): count for row, count in zip(product.prizes, counts, strict=True)}
