"""`casino poker icm` and `casino poker payouts`: expected prizes of stacks, and the places paid."""

import json
from itertools import groupby
from pathlib import Path

from casino.cli.context import stop
from casino.cli.poker.context import as_sentence, poker_settings_or_exit, whole_numbers
from casino.money import MINOR_MAX
from casino.poker.tournament.icm import icm, icm_shares
from casino.poker.tournament.prizes import places_paid, prizes_by_weight


def print_icm(stacks_text: str, prizes_text: str, *, as_json: bool) -> None:
    stacks, prizes = whole_numbers("--stacks", stacks_text), whole_numbers("--prizes", prizes_text)
    try:
        values = icm(stacks, prizes)
    except ValueError as error:
        stop(as_sentence(error))
    minor = icm_shares(sum(prizes), stacks, prizes)
    if as_json:
        print(json.dumps({"values": [str(value) for value in values], "minor": minor}))
        return
    for stack, value, part in zip(stacks, values, minor, strict=True):
        print(f"{stack:>12} chips: {part:>12}  ({float(value):.4f})")


def print_payouts(config: Path, entries: int, seats: int, pool: int, *, as_json: bool) -> None:
    if pool > MINOR_MAX:
        stop(f"--pool is at most {MINOR_MAX}.")
    terms = poker_settings_or_exit(config).payouts.terms
    places = places_paid(entries, seats, terms)
    prizes = prizes_by_weight(pool, places, terms)
    if as_json:
        print(json.dumps({"places": places, "prizes": prizes}))
        return
    print(f"{places} of {entries} places are paid.")
    first = 1
    for prize, group in groupby(prizes):
        last = first + len(list(group)) - 1
        print(f"{first if first == last else f'{first}-{last}':>12}: {prize:>12}")
        first = last + 1
