"""`casino poker rake`: the rake of a hand at one of the cash stakes."""

import json
from pathlib import Path

from casino.cli.context import stop
from casino.cli.poker.context import stake_or_exit, whole_numbers
from casino.poker.rake import rake_of, spread_over_pots


def print_rake(config: Path, stake_id: str, pots: str, dealt_in: int, *, flop_dealt: bool, as_json: bool) -> None:
    stake = stake_or_exit(config, stake_id)
    amounts = whole_numbers("--pots", pots)
    if min(amounts) < 1:
        stop("--pots: every pot is at least 1.")
    rake = rake_of(stake.terms.rake, sum(amounts), dealt_in, flop_dealt=flop_dealt)
    by_pot = spread_over_pots(rake, amounts)
    if as_json:
        print(json.dumps({"rake": rake, "by_pot": by_pot}))
        return
    print(f"Rake {rake} of a pot of {sum(amounts)}.")
    for number, (amount, part) in enumerate(zip(amounts, by_pot, strict=True), start=1):
        print(f"  pot {number}: {amount}, rake {part}, left {amount - part}")
