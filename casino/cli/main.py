"""Which commands there are. What a command needs is imported when it runs, so that every one starts quickly."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from casino.finance.asking import Format, RoundFormat, What
from casino.people.roles import Role
from casino.play.wish import Strategy, Wish

if TYPE_CHECKING:
    from io import BufferedReader

app = typer.Typer(
    help="The house: a live Ultimate Texas Hold'em table, its rules and its books.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

user_app = typer.Typer(help="The people of the house.", no_args_is_help=True)
app.add_typer(user_app, name="user")

ConfigOption = Annotated[
    Path, typer.Option("--config", envvar="CASINO_CONFIG", help="The configuration folder.", show_default=True)
]
TableOption = Annotated[str | None, typer.Option("--table", help="A configured table; without it the first one.")]
DatabaseOption = Annotated[
    str | None, typer.Option("--database", help="The URL of the database; without it the configured one.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
NameArgument = Annotated[str, typer.Argument(help="The name, in any spelling of upper and lower case.")]
PasswordOption = Annotated[
    bool,
    typer.Option("--password-stdin", help="Read the password from standard input: one line, at least 8 characters."),
]
CONFIG_DEFAULT = Path("config")


@app.command()
def serve(
    config: ConfigOption = CONFIG_DEFAULT,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Run the service: pages, tables, everything. Prints its address once it is ready."""
    from casino.app import serve as run
    from casino.cli.configured import settings_or_exit

    settings = settings_or_exit(config)
    house = settings.house
    port = house.service.port if port is None else port
    sys.exit(run(settings, host or house.service.host, port, database or house.database.url))


@app.command()
def openapi() -> None:
    """Write the OpenAPI document of all HTTP routes to standard output."""
    from casino.cli.openapi import openapi_document

    sys.stdout.write(openapi_document())


@app.command()
def settle(config: ConfigOption = CONFIG_DEFAULT, table: TableOption = None) -> None:
    """Settle hands: JSON lines in, JSON lines out.

    A line in: {"player":["As","Kd"],"board":[five cards],"dealer":[two cards],"ante":500,"trips":100,
    "action":"play_4x"}. The action is one of play_4x play_3x play_2x play_1x fold. A bad line is answered with
    an error line, and the next one is read.
    """
    from casino.cli.configured import table_or_exit
    from casino.cli.settle import settle_lines

    settle_lines(
        cast("BufferedReader", sys.stdin.buffer), sys.stdout.buffer, table_or_exit(config, table).paytable.in_force()
    )


@app.command()
def rtp(config: ConfigOption = CONFIG_DEFAULT, table: TableOption = None, json: JsonOption = False) -> None:
    """The exact return to the player, by enumeration of every deal, for a table's paytables."""
    from casino.cli.configured import table_or_exit
    from casino.cli.returns import print_return

    print_return(table_or_exit(config, table), as_json=json)


@app.command()
def advise(
    hole: Annotated[str, typer.Argument(help='The two cards of the player hand, such as "As Kd".')],
    flop: Annotated[str, typer.Argument(help='Three cards, such as "7h 7c 2s".')] = "",
    turn_river: Annotated[str, typer.Argument(help='Two cards, such as "Jd 3c".')] = "",
    config: ConfigOption = CONFIG_DEFAULT,
    table: TableOption = None,
    json: JsonOption = False,
) -> None:
    """The exact value of every option in a situation, in ANTEs, and the best of them."""
    from casino.cli.configured import table_or_exit
    from casino.cli.returns import print_advice

    print_advice(table_or_exit(config, table), (hole, flop, turn_river), as_json=json)


@app.command()
def verify(config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None) -> None:
    """Replay and settle every stored round again, compare it with what was posted, and check all the books.

    A line for each thing that must hold; the exit code is 1 if one does not, and the line names the row.
    """
    from casino.cli.configured import database_url_or_exit
    from casino.cli.verify import print_verification

    sys.exit(print_verification(database_url_or_exit(config, database)))


@app.command()
def export(
    what: Annotated[What, typer.Argument(help="Every settled seat, a line for each day and table, or every posting.")],
    first: Annotated[str, typer.Option("--from", metavar="DAY", help="The first day, in UTC, such as 2026-11-01.")],
    last: Annotated[str, typer.Option("--to", metavar="DAY", help="The last day, which is included.")],
    out: Annotated[Path, typer.Option(help="The file to write; a manifest with totals and hash stands beside it.")],
    format_: Annotated[Format, typer.Option("--format", help="How it is written.")],
    table: Annotated[str | None, typer.Option("--table", help="Only this table; without it all of them.")] = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Write settlements, summary or ledger of a period into a file.

    The same period gives the same bytes whenever it is exported; a correction is a row of its own on the day it is
    made. FILE.manifest.json tells rows, control totals of each currency and the SHA-256 of the file.
    """
    from casino.cli.configured import settings_or_exit
    from casino.cli.finance import write_export

    settings = settings_or_exit(config)
    write_export(database or settings.house.database.url, settings, what, format_, (first, last), table, out)


@app.command()
def close(
    day: Annotated[str, typer.Argument(help="A day that is over, in UTC, such as 2026-11-15.")],
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Close a day: reconcile its journal, settlements and ledger, and write what they say into the audit chain.

    A difference names its round and account and stops the close, with exit code 1. A day is closed once; asking
    again changes nothing.
    """
    from casino.cli.configured import database_url_or_exit
    from casino.cli.finance import close as close_it

    sys.exit(close_it(database_url_or_exit(config, database), day))


@app.command("round")
def round_(
    round_id: Annotated[str, typer.Argument(help="The id of the round, as exports and history tell it.")],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    format_: Annotated[RoundFormat, typer.Option("--format", help="How it is written.")] = RoundFormat.HTML,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Write everything the house knows about one round into one file, for a dispute.

    Cards, timeline, bets, decisions, the settlement step by step, incidents, postings, the proof of the shuffle; its
    hash is written into the audit chain.
    """
    from casino.cli.configured import settings_or_exit
    from casino.cli.finance import write_round

    house = settings_or_exit(config).house
    write_round(database or house.database.url, house, round_id, format_, out)


@app.command()
def play(
    url: Annotated[str, typer.Option(help="Where the service runs.")] = "http://127.0.0.1:8080",
    table: Annotated[str, typer.Option(help="The table to play at.")] = "uth-1",
    name: Annotated[str | None, typer.Option(help="Sign in under this name; without it you are a guest.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from the first line of standard input.")
    ] = False,
    bots: Annotated[int | None, typer.Option(min=1, max=5000, help="Let so many guests play by themselves.")] = None,
    strategy: Annotated[Strategy, typer.Option(help="How bots decide; never: they stay silent.")] = Strategy.BEST,
    rounds: Annotated[int | None, typer.Option(min=1, help="Bots: stop after so many rounds.")] = None,
    guests_per_minute: Annotated[
        int | None,
        typer.Option(min=1, help="Bots: make guests at this pace; without it as fast as the service allows."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Bots: makes the random strategy repeatable.")] = None,
) -> None:
    """Play at a running service: yourself at this terminal, or a crowd of bots.

    Bots print a line for each round and the totals at the end; the exit code is 1 if one of them saw an error.
    """
    from casino.cli.play import play_alone, play_with_bots, signed_in_as

    if bots is None:
        sys.exit(play_alone(url, table, signed_in_as(name, is_on_stdin=password_stdin)))
    sys.exit(play_with_bots(url, Wish(bots, strategy, table, rounds, guests_per_minute, seed)))


@user_app.command("add")
def user_add(
    name: Annotated[str, typer.Argument(help="1 to 40 characters that can all be seen.")],
    role: Annotated[Role, typer.Option(help="What the person is in the house. Only players have a wallet.")],
    password_stdin: PasswordOption = False,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Add a user. A player gets a wallet with nothing in it."""
    from casino.cli.configured import settings_or_exit
    from casino.cli.people import add_user

    house = settings_or_exit(config).house
    add_user(database or house.database.url, house.service.currency, name, role, password_stdin=password_stdin)


@user_app.command("list")
def user_list(config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """All users: id, role, whether enabled, name."""
    from casino.cli.configured import database_url_or_exit
    from casino.cli.people import list_users

    list_users(database_url_or_exit(config, database), as_json=json)


@user_app.command("disable")
def user_disable(name: NameArgument, config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None) -> None:
    """Keep a user from signing in."""
    from casino.cli.configured import database_url_or_exit
    from casino.cli.people import set_disabled

    set_disabled(database_url_or_exit(config, database), name, disabled=True)


@user_app.command("enable")
def user_enable(name: NameArgument, config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None) -> None:
    """Let a disabled user sign in again."""
    from casino.cli.configured import database_url_or_exit
    from casino.cli.people import set_disabled

    set_disabled(database_url_or_exit(config, database), name, disabled=False)


@user_app.command("password")
def user_password(
    name: NameArgument,
    password_stdin: PasswordOption = False,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Give a user another password."""
    from casino.cli.configured import database_url_or_exit
    from casino.cli.people import change_password

    change_password(database_url_or_exit(config, database), name, password_stdin=password_stdin)


@app.command()
def credit(
    name: NameArgument,
    amount: Annotated[str, typer.Argument(help="In major units, such as 250.00.")],
    reason: Annotated[str, typer.Option(help="Why; it is kept with the money and in the audit log.")],
    key: Annotated[str | None, typer.Option(help="Makes it happen once: the same key again moves nothing.")] = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Give a player money, through the ledger and the audit log."""
    from casino.cli.configured import database_url_or_exit
    from casino.cli.people import credit as give

    give(database_url_or_exit(config, database), name, amount, reason, key)
