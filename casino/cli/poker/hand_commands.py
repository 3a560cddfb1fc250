"""Commands about single hands. Implementations are imported when a command runs, so that each starts quickly."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from casino.cli.poker.app import CONFIG_DEFAULT, ConfigOption, JsonOption, SeedOption, poker_app, simulate_app

if TYPE_CHECKING:
    from io import BufferedReader


class Oracle(StrEnum):
    POKERKIT = "pokerkit"


@poker_app.command()
def rake(
    stake: Annotated[str, typer.Option(help="A cash stake, such as nl100 or banzai-pl5.")],
    pots: Annotated[str, typer.Option(help="Main pot and side pots in minor units, such as 300,1800.")],
    dealt: Annotated[int, typer.Option(min=2, max=10, help="How many players were dealt in.")],
    flop: Annotated[bool, typer.Option("--flop", help="A flop was dealt; without one there is no rake.")] = False,
    config: ConfigOption = CONFIG_DEFAULT,
    json: JsonOption = False,
) -> None:
    """Work out the rake of a cash hand and its spread over the pots.

    \b
    Examples:
      casino poker rake --stake nl100 --pots 300,1800 --dealt 6 --flop --json
      casino poker rake --stake banzai-nl1 --pots 2000 --dealt 2 --flop
    """
    from casino.cli.poker.rake import print_rake

    print_rake(config, stake, pots, dealt, flop_dealt=flop, as_json=json)


@poker_app.command()
def hand() -> None:
    """Play hands: JSON lines in, JSON lines out.

    A line names game, blinds, positions, stacks, known cards and actions; the answer is the player to act with all
    options, or the result. A bad line or an illegal action is answered with an error, and the next line is read.
    A hand must be on one line.

    \b
    Examples:
      echo '{"game":"nlhe","sb":1,"bb":2,"button":1,"sb_seat":1,"bb_seat":2,"stacks":{"1":90,"2":200},
        "actions":["1 raise_to 6"]}' | tr -d '\\n' | casino poker hand
      echo '{"game":"plo","sb":1,"bb":2,"button":3,"sb_seat":1,"bb_seat":2,"stacks":{"1":200,"2":200,"3":200},
        "rake":{"permille":60,"cap":300},"hole":{"1":["As","Ah","Kd","Qc"],"2":["Ts","9s","8d","7d"]},
        "board":["2c","3d","4h","Jh","Jc"],"actions":["3 fold","1 raise_to 6","2 call","1 raise_to 12","2 call",
        "1 check","2 check","1 check","2 check"]}' | tr -d '\\n' | casino poker hand
    """
    from casino.cli.json_lines import answer_lines
    from casino.cli.poker.hand import answer

    answer_lines(cast("BufferedReader", sys.stdin.buffer), sys.stdout.buffer, answer, on_error={"ok": False})


@poker_app.command()
def positions() -> None:
    """Assign button, blinds and posters of the next hand: JSON lines in, JSON lines out.

    present: players with chips who are not sitting out. current: those of them who owe no blind. posting: newcomers
    who post instead of waiting. last: null for a first hand; then button may be given instead of drawn.

    \b
    Example:
      echo '{"seats":6,"kind":"cash","present":[1,2,4],"current":[1,2,4],"posting":[],"sit_out_next_bb":[],
        "last":{"bb":3,"dealt_in":[1,2,3,4]},"button":null}' | tr -d '\\n' | casino poker positions
    """
    from casino.cli.json_lines import answer_lines
    from casino.cli.poker.positions import answer

    answer_lines(cast("BufferedReader", sys.stdin.buffer), sys.stdout.buffer, answer)


@poker_app.command()
def replay(
    path: Annotated[Path, typer.Argument(help="A .phh or .phhs file, or a folder with such files at any depth.")],
    oracle: Annotated[Oracle | None, typer.Option(help="Compare with this library, too, if it is installed.")] = None,
    json: JsonOption = False,
) -> None:
    """Replay published hands in PHH files and compare the stacks at their end.

    Unequal antes are dead money. The exit code is 1 if a hand ends with other stacks or
    cannot be replayed; variants other than no-limit hold'em and pot-limit omaha are counted as unsupported.

    \b
    Examples:
      casino poker replay tests/poker/published_hands --json
      casino poker replay tests/poker/published_hands/dwan-ivey-2009.phh --oracle pokerkit
    """
    from casino.cli.poker.replay import replay_files

    sys.exit(replay_files(path, as_json=json, with_oracle=oracle is not None))


@simulate_app.command("cash")
def simulate_cash(
    pool: Annotated[str, typer.Option(help="A cash stake, such as nl10.")],
    hands: Annotated[int, typer.Option(min=1, help="How many hands to play.")] = 10_000,
    seed: SeedOption = None,
    config: ConfigOption = CONFIG_DEFAULT,
    json: JsonOption = False,
) -> None:
    """Play random hands at a cash stake and check the invariants of the rules after each of them.

    Chips are neither made nor lost, no stack is negative, rake keeps to its bounds, and positions are different
    seats. The exit code is 1 if one of these is broken. The summary is JSON unless it goes to a terminal.

    \b
    Examples:
      casino poker simulate cash --pool nl10 --hands 1000 --seed 1
      casino poker simulate cash --pool pl50 --hands 300 --json
    """
    from casino.cli.poker.context import stake_or_exit
    from casino.cli.poker.simulate_cash import simulate

    sys.exit(simulate(stake_or_exit(config, pool), hands, seed, as_json=json or not sys.stdout.isatty()))
