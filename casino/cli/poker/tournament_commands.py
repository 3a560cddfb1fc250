"""Commands about tournaments. Implementations are imported when a command runs, so that each starts quickly."""

import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from casino.cli.poker.app import (
    CONFIG_DEFAULT,
    ConfigOption,
    JsonOption,
    SeedOption,
    hexapro_app,
    poker_app,
    simulate_app,
)

if TYPE_CHECKING:
    from io import BufferedReader

ProductOption = Annotated[str, typer.Option(help="classic, highroller, extreme or hexaplo.")]


@poker_app.command()
def icm(
    stacks: Annotated[str, typer.Option(help="Chips of the players, such as 5000,3000,2000.")],
    prizes: Annotated[str, typer.Option(help="Prizes in minor units, the highest first; at most one per player.")],
    json: JsonOption = False,
) -> None:
    """Work out the expected prize of each stack by the independent chip model, in exact fractions.

    The whole units of `minor` sum to the prizes: largest remainders first, then the larger stack.

    \b
    Examples:
      casino poker icm --stacks 5000,3000,2000 --prizes 5000,3000,2000 --json
      casino poker icm --stacks 900,400,200 --prizes 10000
    """
    from casino.cli.poker.payouts import print_icm

    print_icm(stacks, prizes, as_json=json)


@poker_app.command()
def payouts(
    entries: Annotated[int, typer.Option(min=1, max=1_000_000, help="Entries, re-entries counted.")],
    pool: Annotated[int, typer.Option(min=0, help="The prize pool in minor units.")],
    seats: Annotated[int, typer.Option(min=2, max=10, help="Seats per table.")] = 6,
    config: ConfigOption = CONFIG_DEFAULT,
    json: JsonOption = False,
) -> None:
    """Work out the places paid and the prize of each.

    \b
    Examples:
      casino poker payouts --entries 100 --seats 6 --pool 90000 --json
      casino poker payouts --entries 10000 --seats 9 --pool 9000000
    """
    from casino.cli.poker.payouts import print_payouts

    print_payouts(config, entries, seats, pool, as_json=json)


@poker_app.command()
def cancel() -> None:
    """Work out refunds of a cancelled tournament: JSON lines in, JSON lines out.

    players are those remaining, in order of entry; before the start, all entries. The answer names the case of the
    rules: 52 not started, 53 before the money, 54a in the money, 54b final table, 55 HexaPro. An entry paid with a
    ticket comes back as a ticket of the value in `ticket`; total is the money.

    \b
    Example:
      echo '{"kind":"sng","started":true,"places_paid":2,"tables":1,"final_table":true,"player_pool":4750,"added":0,
        "prizes_left":[3088,1662],"players":[{"id":"a","chips":4000,"paid":950,"fees":50},
        {"id":"b","chips":2500,"paid":950,"fees":50},{"id":"c","chips":1000,"paid":950,"fees":50}]}' |
        tr -d '\\n' | casino poker cancel
    """
    from casino.cli.json_lines import answer_lines
    from casino.cli.poker.cancel import LINE_BYTES_MAX, answer

    source = cast("BufferedReader", sys.stdin.buffer)
    answer_lines(source, sys.stdout.buffer, answer, line_bytes_max=LINE_BYTES_MAX)


@hexapro_app.command()
def odds(product: ProductOption, config: ConfigOption = CONFIG_DEFAULT, json: JsonOption = False) -> None:
    """Print the chances of every multiplier, their mean and the rake they amount to.

    \b
    Examples:
      casino poker hexapro odds --product classic --json
      casino poker hexapro odds --product extreme
    """
    from casino.cli.poker.hexapro import print_odds

    print_odds(config, product, as_json=json)


@hexapro_app.command()
def draw(
    product: ProductOption,
    number: Annotated[int | None, typer.Option(min=0, max=99_999, help="A drawn number, from 0 to 99999.")] = None,
    games: Annotated[int | None, typer.Option(min=1, max=1_000_000_000, help="Draw this many games.")] = None,
    seed: SeedOption = None,
    config: ConfigOption = CONFIG_DEFAULT,
    json: JsonOption = False,
) -> None:
    """Look up the multiplier of a drawn number, or draw many games and count.

    Without a seed the numbers come from the operating system's generator, as in play. Written to a file or a pipe, the
    answer is JSON.

    \b
    Examples:
      casino poker hexapro draw --product classic --number 3005 --json
      casino poker hexapro draw --product classic --games 100000 --seed 1
    """
    from casino.cli.poker.hexapro import print_draw

    print_draw(config, product, number, games, seed, as_json=json or not sys.stdout.isatty())


@simulate_app.command("tournament")
def simulate_tournament(
    players: Annotated[int, typer.Option(min=2, max=100_000, help="How many players enter.")] = 100,
    seats: Annotated[int, typer.Option(min=2, max=10, help="Seats per table.")] = 6,
    structure: Annotated[str, typer.Option(help="A blind structure, such as regular, turbo or hyper.")] = "turbo",
    seed: SeedOption = None,
    config: ConfigOption = CONFIG_DEFAULT,
    json: JsonOption = False,
) -> None:
    """Play a whole tournament of random players on virtual time and check its invariants.

    The big blind skips no player and never hits one twice in a row, tables are never overfull, chips are neither made
    nor lost, places have no gaps, prizes are the pool. The exit code is 1 if one of these is broken.

    \b
    Examples:
      casino poker simulate tournament --players 60 --seats 6 --structure turbo --seed 1
      casino poker simulate tournament --players 27 --seats 9 --structure hyper --json
    """
    from casino.cli.poker.simulate_tournament import simulate

    sys.exit(simulate(config, players, seats, structure, seed, as_json=json or not sys.stdout.isatty()))
