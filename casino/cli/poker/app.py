"""The command groups `casino poker` and `casino poker simulate`, and options several commands share."""

from pathlib import Path
from typing import Annotated, Final

import typer

poker_app = typer.Typer(
    help="Poker: play, replay and simulate hands; positions, rake and the mathematics of tournaments.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
simulate_app = typer.Typer(
    help="Play many hands with random decisions and check the invariants of the rules.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
poker_app.add_typer(simulate_app, name="simulate")

hexapro_app = typer.Typer(
    help="HexaPro: odds as played, and draws of the multiplier.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
poker_app.add_typer(hexapro_app, name="hexapro")

CONFIG_DEFAULT: Final = Path("config")
ConfigOption = Annotated[
    Path,
    typer.Option(
        "--config",
        envvar="CASINO_CONFIG",
        help="The configuration folder; without `poker/` in it the published rules are used.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
SeedOption = Annotated[int | None, typer.Option(help="Makes the run repeatable; without it every run differs.")]
