"""Signatures of chained rows: HMAC-SHA256 with a key that is not in the database.

The digest of a row covers all earlier rows, so its signature covers the whole chain up to that row. Signatures name
their key, because keys can be replaced. They include the id of the database, so that they are invalid in another one.
"""

import hmac
from collections.abc import Mapping
from typing import Any, Final

import orjson
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.storage.schema import database_identity

SIGNER: Final = "chain_signer"
"""Execution option that gives a connection the signer of its database."""

_LABEL: Final = b"casino chain signatures v1"
_KEY_ID_LENGTH: Final = 16


class Signer:
    """Signs with a key derived from the secret key of the service."""

    def __init__(self, secret_key: str, database_id: str) -> None:
        self._key = hmac.digest(secret_key.encode(), _LABEL, "sha256")
        self._database_id = database_id
        self.key_id: Final = hmac.digest(self._key, b"key id", "sha256").hex()[:_KEY_ID_LENGTH]

    def row(self, chain: str, seq: int, digest: str) -> str:
        return self._sign("row", chain, seq, digest)

    def head(self, chain: str, seq: int, digest: str, writes: int) -> str:
        """Signs the head of a chain: a truncated chain has a head that was never signed."""
        return self._sign("head", chain, seq, digest, writes)

    def key_change(self, key_id: str, heads: Mapping[str, tuple[int, str]]) -> str:
        """Signs that another key takes over from these heads on."""
        return self._sign("key change", key_id, sorted((name, *end) for name, end in heads.items()))

    def anchor(self, content: bytes) -> str:
        return self._sign("anchor", content.decode())

    def _sign(self, *fields: Any) -> str:  # noqa: ANN401  whatever JSON can say
        message = orjson.dumps([self._database_id, *fields], default=repr)
        return f"{self.key_id}:{hmac.digest(self._key, message, 'sha256').hex()}"


def key_id_of(signature: str | None) -> str | None:
    return signature.partition(":")[0] if signature else None


def signer_of(connection: AsyncConnection) -> Signer | None:
    """Returns None where nothing is signed, such as in a unit test."""
    assert connection.sync_connection is not None
    signer: Signer | None = connection.sync_connection.get_execution_options().get(SIGNER)
    return signer


async def database_id(connection: AsyncConnection) -> str:
    """Random id, created with the database and never changed."""
    return str((await connection.execute(select(database_identity.c.id))).scalar_one())
