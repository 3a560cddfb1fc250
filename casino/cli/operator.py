"""Shell operator: the actor in the audit log for commands, and the output of results and refusals."""

import os
import pwd
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from casino.cli.context import EXIT_CANNOT_BE_DONE, EXIT_WRONG_INPUT
from casino.errors import Code, Refusal
from casino.settings import ConfigurationError
from casino.storage.secret_key import UnusableKeyError
from casino.users.roles import Actor
from casino.users.users import NameTaken

OPERATOR: Final = "operator"
"""Role in the audit log of a person with a shell on the machine."""

NAME_MAX: Final = 80
_WRONG_INPUT: Final = (Code.BAD_REQUEST, Code.NO_SUCH_TABLE, Code.WEAK_PASSWORD)


@contextmanager
def refusals_printed() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        is_wrong_input = refusal.code in _WRONG_INPUT and not isinstance(refusal, NameTaken)
        print(refusal.message, file=sys.stderr)
        sys.exit(EXIT_WRONG_INPUT if is_wrong_input else EXIT_CANNOT_BE_DONE)
    except ConfigurationError as failure:
        print(f"The configuration does not fit the database: {failure}.", file=sys.stderr)
        sys.exit(EXIT_CANNOT_BE_DONE)
    except UnusableKeyError as failure:
        print(f"The secret key cannot be used: {failure}.", file=sys.stderr)
        sys.exit(EXIT_CANNOT_BE_DONE)


def operator(by: str | None = None) -> Actor:
    """Returns the named person, or else the user of the operating system."""
    if by is not None:
        if not by.strip() or not by.isprintable() or len(by) > NAME_MAX:
            raise Refusal(Code.BAD_REQUEST, f"by: write a name in one line of at most {NAME_MAX} characters.")
        return Actor(by.strip(), OPERATOR)
    try:
        login = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run under a user id without a name
        login = str(os.getuid())
    return Actor(f"cli:{login}"[:80], OPERATOR)


def say(line: str) -> None:
    """Prints a result on any terminal, whatever characters it supports."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))
