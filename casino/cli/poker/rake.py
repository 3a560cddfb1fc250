"""`casino poker rake`: the rake of a hand at one of the cash stakes."""

import json
from pathlib import Path

from casino.cli.context import stop
from casino.cli.poker.context import stake_or_exit
from casino.money import MINOR_MAX
from casino.poker.rake import rake_of, spread_over_pots


def print_rake(config: Path, stake_id: str, pots: str, dealt_in: int, *, flop_dealt: bool, as_json: bool) -> None:
    stake = stake_or_exit(config, stake_id)
    amounts = _amounts(pots)
    rake = rake_of(stake.terms.rake, sum(amounts), dealt_in, flop_dealt=flop_dealt)
    by_pot = spread_over_pots(rake, amounts)
    if as_json:
        print(json.dumps({"rake": rake, "by_pot": by_pot}))
        return
    print(f"Rake {rake} of a pot of {sum(amounts)}.")
    for number, (amount, part) in enumerate(zip(amounts, by_pot, strict=True), start=1):
        print(f"  pot {number}: {amount}, rake {part}, left {amount - part}")


def _amounts(text: str) -> list[int]:
    try:
        amounts = [int(part) for part in text.split(",")]
    except ValueError:
        stop(f"--pots takes whole numbers with commas between them, such as 300,1800, not {text[:40]!r}.")
    if any(not 0 < amount <= MINOR_MAX for amount in amounts):
        stop(f"A pot is between 1 and {MINOR_MAX}.")
    return amounts
