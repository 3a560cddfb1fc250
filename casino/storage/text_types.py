"""Which text every database keeps: PostgreSQL refuses a NUL, and what it refuses in the middle of a round stops the
table. So whatever people write for the books is of this type where it comes in."""

from typing import Annotated

from pydantic import AfterValidator


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("a text has no NUL")
    return text


StoredText = Annotated[str, AfterValidator(_storable)]
