"""Text types without NUL characters, which PostgreSQL refuses.

Input models use them for all stored text, since a refusal by the database in the middle of a round would stop the
table.
"""

from typing import Annotated

from pydantic import StringConstraints

StoredText = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
