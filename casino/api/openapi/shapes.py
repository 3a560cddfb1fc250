"""Parts of answers that several routes share, exactly as they are sent.

Nothing is built from these models while the service runs. They say what a client may rely on; the document is
generated from them, and every answer a test gets is held against it.
"""

from typing import Annotated, Any, Final

from pydantic import Field

from casino.errors import Code
from casino.shapes import Card, Shape

Day = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
GameNumber = Annotated[str, Field(pattern="^[0-9]{2}:[0-9]{2}:[0-9]{2}$")]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


LEFT_OUT: Final[Any] = None
"""The field may be missing; it is never null unless its type says so."""


class Problem(Shape):
    code: Code
    message: str
    """A sentence for people."""
    request_id: str
    """The same as in the header X-Request-Id; the log knows it."""


class Refused(Shape):
    """Nothing has changed."""

    error: Problem


class Done(Shape):
    """It is done, and there is nothing more to say."""


class Fairness(Shape):
    """The machine's shoe of a round that is over, and the promise it was fixed by."""

    commitment: Sha256
    deck: list[Card]
    secret: str
