"""The command `casino play`: its options for both games."""

import sys
from enum import StrEnum
from typing import Annotated, TypeVar

import typer

from casino.client.options import Options, Strategy
from casino.client.poker.options import PokerOptions, PokerStrategy

HEXAPRO_PLAYERS = 3
BUY_IN_LENGTH_MAX = 9


class Played(StrEnum):
    UTH = "uth"
    POKER = "poker"


def play(
    url: Annotated[str, typer.Option(help="The URL of the service.")] = "http://127.0.0.1:8080",
    table: Annotated[str, typer.Option(help="The table to play at.")] = "uth-1",
    name: Annotated[str | None, typer.Option(help="Sign in under this name; without it you are a guest.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from the first line of standard input.")
    ] = False,
    bots: Annotated[
        int | None, typer.Option(min=1, max=5000, help="Play with this many bots, each of them a guest.")
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(help="How bots decide: best, random or never; poker: random, tight, caller or never."),
    ] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Bots: stop after this many rounds.")] = None,
    game: Annotated[Played, typer.Option(help="The game: uth is Ultimate Texas Hold'em.")] = Played.UTH,
    pool: Annotated[
        str, typer.Option(help="Poker: the stake, as in nl10; for bots also several, as in nl10,pl10.")
    ] = "nl10",
    tournament: Annotated[
        str | None,
        typer.Option(help="Poker bots: enter this tournament, or the games of a Sit & Go, as in sng-5-100."),
    ] = None,
    hexa: Annotated[
        str | None,
        typer.Option(help="Poker bots: play HexaPro games of this product and buy-in, as in classic:100."),
    ] = None,
    hands: Annotated[int | None, typer.Option(min=1, help="Poker bots: stop after this many hands.")] = None,
    think: Annotated[
        float, typer.Option(min=0, max=60, help="Poker bots: seconds to think on average; 0 acts at once.")
    ] = 0.0,
    guests_per_minute: Annotated[
        int | None,
        typer.Option(min=1, help="Bots: make guests at this pace; without it as fast as the service allows."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Bots: makes the random strategy repeatable.")] = None,
) -> None:
    """Play at a running service: yourself at this terminal, or with bots.

    Bots print a line for each round and the totals at the end; the exit code is 1 if one of them saw an error.
    """
    from casino.cli import play as players

    if bots is None:
        who = players.signed_in_as(name, is_on_stdin=password_stdin)
        if game is Played.POKER:
            sys.exit(players.play_poker_alone(url, pool, who))
        sys.exit(players.play_alone(url, table, who))
    if game is Played.POKER:
        decide = _strategy(PokerStrategy, strategy or PokerStrategy.RANDOM)
        pools = tuple(name for name in pool.split(",") if name)
        options = PokerOptions(
            bots, decide, pools, hands, think, guests_per_minute, seed, tournament, _hexa(hexa, bots)
        )
        sys.exit(players.play_poker_with_bots(url, options))
    choose = _strategy(Strategy, strategy or Strategy.BEST)
    sys.exit(players.play_with_bots(url, Options(bots, choose, table, rounds, guests_per_minute, seed)))


def _hexa(written: str | None, bots: int) -> tuple[str, int] | None:
    """A product and a buy-in in minor units. A game has three players."""
    if written is None:
        return None
    product, _, buy_in = written.partition(":")
    if not product or not buy_in.isdecimal() or len(buy_in) > BUY_IN_LENGTH_MAX:
        raise typer.BadParameter("use a product and a buy-in in cents, as in classic:100.", param_hint="--hexa")
    if bots % HEXAPRO_PLAYERS:
        raise typer.BadParameter("a game has three players: use 3, 6, 9 … bots.", param_hint="--bots")
    return product, int(buy_in)


S = TypeVar("S", bound=StrEnum)


def _strategy(kind: type[S], name: str) -> S:
    try:
        return kind(name)
    except ValueError:
        choices = ", ".join(kind)
        raise typer.BadParameter(f"{name!r} is not one of: {choices}.", param_hint="--strategy") from None
