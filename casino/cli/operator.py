"""Whoever has a shell on the machine: who that is for the audit log, and how it is told what was done or refused."""

import os
import pwd
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from casino.cli.configured import EXIT_WRONG_INPUT
from casino.errors import Code, Refusal
from casino.people.roles import Actor
from casino.people.users import NameTaken
from casino.secret import UnusableKeyError

EXIT_CANNOT_BE_DONE: Final = 1
OPERATOR: Final = "operator"
"""The role, in the audit log, of whoever has a shell on the machine."""

_WRONG_INPUT: Final = (Code.BAD_REQUEST, Code.NO_SUCH_TABLE)


@contextmanager
def refusals_told() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        is_wrong_input = refusal.code in _WRONG_INPUT and not isinstance(refusal, NameTaken)
        print(refusal.message, file=sys.stderr)
        sys.exit(EXIT_WRONG_INPUT if is_wrong_input else EXIT_CANNOT_BE_DONE)
    except UnusableKeyError as failure:
        print(f"The secret key cannot be used: {failure}.", file=sys.stderr)
        sys.exit(EXIT_CANNOT_BE_DONE)


def operator() -> Actor:
    try:
        login = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run under a number nobody has named
        login = str(os.getuid())
    return Actor(f"cli:{login}"[:80], OPERATOR)


def say(line: str) -> None:
    """What has been done is told on every terminal, whatever letters it knows."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))
