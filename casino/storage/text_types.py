"""Text types without NUL characters, which PostgreSQL refuses.

Input models use them for all stored text, since a refusal by the database in the middle of a round would stop the
table.
"""

from typing import Annotated

from pydantic import AfterValidator


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("a text has no NUL")
    return text


StoredText = Annotated[str, AfterValidator(_storable)]
