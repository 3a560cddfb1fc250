"""Registers all commands. Each command imports its implementation when it runs, so that all start quickly."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from casino.cli.play_command import play
from casino.cli.poker import poker_app
from casino.finance.export_types import ExportKind, Format, RoundFormat
from casino.settings.shipped import CONFIG
from casino.users.roles import Role

if TYPE_CHECKING:
    from io import BufferedReader

app = typer.Typer(
    help="Run and administer an online casino: live tables, game rules and books.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

user_app = typer.Typer(help="Manage users: players and staff.", no_args_is_help=True)
app.add_typer(user_app, name="user")
app.add_typer(poker_app, name="poker")

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        envvar="CASINO_CONFIG",
        help="The configuration folder. Default: `config`, or the shipped one where there is no such folder.",
    ),
]
TableOption = Annotated[str | None, typer.Option("--table", help="A configured table; without it the first one.")]
DatabaseOption = Annotated[
    str | None, typer.Option("--database", help="The URL of the database; without it the configured one.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
ByOption = Annotated[str | None, typer.Option(help="The person who acts, for the audit log.")]
NameArgument = Annotated[str, typer.Argument(help="The name, in any spelling of upper and lower case.")]
PasswordOption = Annotated[
    bool,
    typer.Option(
        "--password-stdin",
        help="Read the password from standard input: one line, at least 8 characters, 12 for staff.",
    ),
]
CONFIG_DEFAULT = None
PRIVATE_UMASK = 0o077


@app.callback()
def keep_files_private() -> None:
    """Files of any command are readable by their owner only: they hold money and personal data."""
    os.umask(os.umask(PRIVATE_UMASK) | PRIVATE_UMASK)


@app.command()
def serve(
    config: ConfigOption = CONFIG_DEFAULT,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="The port; 0 takes any free one.")] = None,
    database: DatabaseOption = None,
    accept_restored: Annotated[
        bool, typer.Option("--accept-restored", help="Serve an older state of the books, such as a restored backup.")
    ] = False,
    accept_lost_key: Annotated[
        bool, typer.Option("--accept-lost-key", help="Sign with a new key although the earlier key is lost.")
    ] = False,
    bots: Annotated[
        int | None,
        typer.Option(min=0, max=1000, help="Bots at poker tables of play money; without it as room.toml says."),
    ] = None,
) -> None:
    """Run the service with its pages and tables. Prints its address once it is ready.

    Environment variables override the configuration: CASINO_DATABASE_URL, CASINO_SECRET_KEY and others.
    CASINO_REDIS_URL is accepted and has no effect yet.
    """
    from casino.bootstrap.service import Accepted
    from casino.bootstrap.service import serve as run
    from casino.cli.context import chosen_folder, settings_or_exit
    from casino.cli.serve_bots import running_bots

    settings = settings_or_exit(config)
    if config is None and chosen_folder(config) == CONFIG:
        print(f"There is no folder `config` here. The service uses the shipped one, {CONFIG}.", file=sys.stderr)
    service_settings = settings.casino
    port = service_settings.service.port if port is None else port
    url = database or service_settings.database.url
    accepted = Accepted(restored=accept_restored, lost_key=accept_lost_key)
    host = host or service_settings.service.host
    with running_bots(settings.poker, bots, host, port):
        code = run(settings, host, port, url, accepted)
    sys.exit(code)


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
    from casino.cli.context import table_or_exit
    from casino.cli.settle import settle_lines

    settle_lines(
        cast("BufferedReader", sys.stdin.buffer), sys.stdout.buffer, table_or_exit(config, table).paytable.in_force()
    )


@app.command()
def rtp(config: ConfigOption = CONFIG_DEFAULT, table: TableOption = None, json: JsonOption = False) -> None:
    """Compute the exact return to player of a table's paytables, by enumeration of every deal."""
    from casino.cli.context import table_or_exit
    from casino.cli.rtp import print_return

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
    """Compute the exact value of every option in a situation, in ANTEs, and the best of them."""
    from casino.cli.context import table_or_exit
    from casino.cli.rtp import print_advice

    print_advice(table_or_exit(config, table), (hole, flop, turn_river), as_json=json)


@app.command()
def fair(
    round_id: Annotated[str | None, typer.Argument(help="The round to check.")] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A proof in a file; no database is needed.")] = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Check the fairness proof of a machine-dealt round: commitment, deck, and the cards it was settled on.

    The exit code is 1 if anything differs from the cards settled on.
    """
    from casino.cli.context import books_or_exit, stop
    from casino.cli.fair import check_file, check_stored

    if (round_id is None) == (file is None):
        stop("Name a round, or a proof with --file.")
    if file is not None:
        sys.exit(check_file(file, as_json=json))
    assert round_id is not None
    sys.exit(check_stored(books_or_exit(config, database), round_id, as_json=json))


@app.command()
def verify(
    anchor: Annotated[
        Path | None, typer.Option("--anchor", metavar="FILE", help="Compare chain heads with those in this file.")
    ] = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Replay and settle every stored round again, compare it with the postings, and check all the books.

    Prints one line per check; the exit code is 1 if a check fails, and the line names the row. Signatures are checked
    with the secret key, if there is one. The anchor file may be the service's, its log, or the manifest of a backup.
    """
    from casino.cli.context import books_or_exit
    from casino.cli.verify import print_verification

    sys.exit(print_verification(books_or_exit(config, database), anchor))


@app.command()
def export(
    what: Annotated[
        ExportKind,
        typer.Argument(
            help="Every settled seat, a line for each day and table, every posting, every poker hand, or its players."
        ),
    ],
    first: Annotated[str, typer.Option("--from", metavar="DAY", help="The first day, in UTC, such as 2026-11-01.")],
    last: Annotated[str, typer.Option("--to", metavar="DAY", help="The last day, which is included.")],
    out: Annotated[Path, typer.Option(help="The file to write, next to FILE.manifest.json with totals and hash.")],
    format_: Annotated[Format, typer.Option("--format", help="The file format.")],
    table: Annotated[str | None, typer.Option("--table", help="Only this table; without it all of them.")] = None,
    money: Annotated[str | None, typer.Option("--money", help="real, or a currency such as EUR; else all.")] = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Write settlements, summary or ledger of a period into a file.

    The same period gives the same bytes whenever it is exported; a correction is a row of its own on the day it is
    made. FILE.manifest.json lists rows, control totals of each currency and the SHA-256 of the file.
    """
    from casino.cli.context import Books, settings_or_exit
    from casino.cli.finance import write_export

    settings = settings_or_exit(config)
    books = Books(database or settings.casino.database.url, settings.casino)
    write_export(books, settings.tables, what, format_, (first, last), (table, money), out)


@app.command()
def close(
    day: Annotated[str, typer.Argument(help="A day that is over, in UTC, such as 2026-11-15.")],
    by: ByOption = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Close a day: reconcile its journal, settlements and ledger, and record the result in the audit chain.

    A difference names its round and account and stops the close, with exit code 1. A day is closed once; repeating the
    command changes nothing.
    """
    from casino.cli.context import books_or_exit
    from casino.cli.finance import close as close_it

    sys.exit(close_it(books_or_exit(config, database), day, by))


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write. It must not exist.")],
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Copy the books of a running service into one file, and verify the copy.

    FILE.manifest.json holds row counts, chain heads and the SHA-256 of the file. The exit code is 1 if the books are
    broken; the copy is still made.
    """
    from casino.cli.backup import write_backup
    from casino.cli.context import books_or_exit

    sys.exit(write_backup(books_or_exit(config, database), file))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup, with its manifest in the same folder.")],
    check: Annotated[bool, typer.Option("--check", help="Only check the backup; restore nothing.")] = False,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Check a backup as `verify` checks the books, and restore it into a new or empty database.

    Nothing is overwritten. The service then starts with --accept-restored, once.
    """
    from casino.cli.backup import restore_backup
    from casino.cli.context import books_or_exit

    sys.exit(restore_backup(books_or_exit(config, database), file, only_check=check))


@app.command("round")
def round_(
    round_id: Annotated[str, typer.Argument(help="The id of the round, as shown in exports and history.")],
    out: Annotated[Path, typer.Option(help="The file to write.")],
    format_: Annotated[RoundFormat, typer.Option("--format", help="The file format.")] = RoundFormat.HTML,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Write everything stored about one round into one file, for a dispute.

    Cards, timeline, bets, decisions, the settlement step by step, incidents, postings and the fairness proof. The hash
    of the file is recorded in the audit chain.
    """
    from casino.cli.context import books_or_exit
    from casino.cli.finance import write_round

    write_round(books_or_exit(config, database), round_id, format_, out)


app.command()(play)


@user_app.command("add")
def user_add(
    name: Annotated[str, typer.Argument(help="1 to 40 visible characters.")],
    role: Annotated[Role, typer.Option(help="The role of the user. Only players have a wallet.")],
    password_stdin: PasswordOption = False,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Add a user. A player gets an empty wallet."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import add_user

    books = books_or_exit(config, database)
    add_user(books, books.settings.service.currency, name, role, password_stdin=password_stdin)


@user_app.command("list")
def user_list(config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None, json: JsonOption = False) -> None:
    """List all users: id, role, whether enabled, name."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import list_users

    list_users(books_or_exit(config, database), as_json=json)


@user_app.command("disable")
def user_disable(name: NameArgument, config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None) -> None:
    """Disable a user: end all sessions and prevent sign-in."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import set_disabled

    set_disabled(books_or_exit(config, database), name, disabled=True)


@user_app.command("enable")
def user_enable(name: NameArgument, config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None) -> None:
    """Let a disabled user sign in again."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import set_disabled

    set_disabled(books_or_exit(config, database), name, disabled=False)


@user_app.command("password")
def user_password(
    name: NameArgument,
    password_stdin: PasswordOption = False,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Set a new password for a user."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import change_password

    change_password(books_or_exit(config, database), name, password_stdin=password_stdin)


@user_app.command("reset-second-factor")
def user_reset_second_factor(
    name: NameArgument, config: ConfigOption = CONFIG_DEFAULT, database: DatabaseOption = None
) -> None:
    """Remove a lost second factor, after you have verified the person's identity. Ends all of their sessions."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import reset_second_factor

    reset_second_factor(books_or_exit(config, database), name)


@app.command()
def credit(
    name: NameArgument,
    amount: Annotated[str, typer.Argument(help="In major units, such as 250.00.")],
    reason: Annotated[str, typer.Option(help="The reason, recorded with the posting and in the audit log.")],
    key: Annotated[str | None, typer.Option(help="Idempotency key: the same key again moves no money.")] = None,
    by: ByOption = None,
    config: ConfigOption = CONFIG_DEFAULT,
    database: DatabaseOption = None,
) -> None:
    """Give a player money, through the ledger and the audit log."""
    from casino.cli.context import books_or_exit
    from casino.cli.users import credit as give

    give(books_or_exit(config, database), name, amount, reason, key, by)
