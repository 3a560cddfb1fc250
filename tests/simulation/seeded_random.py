"""Seeded randomness: replaces the operating system's generator, so that a run can be repeated."""

import base64
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch


@contextmanager
def seeded_secrets(chance: Random) -> Iterator[None]:
    def token_bytes(size: int = 32) -> bytes:
        return chance.randbytes(size)

    def token_urlsafe(size: int = 32) -> str:
        return base64.urlsafe_b64encode(token_bytes(size)).rstrip(b"=").decode()

    def choice(among: Sequence[Any]) -> Any:  # noqa: ANN401  whatever there is to choose from
        return chance.choice(among)

    with (
        patch.object(secrets, "token_bytes", token_bytes),
        patch.object(secrets, "token_urlsafe", token_urlsafe),
        patch.object(secrets, "token_hex", lambda size=32: token_bytes(size).hex()),
        patch.object(secrets, "randbelow", chance.randrange),
        patch.object(secrets, "choice", choice),
    ):
        yield


def sometimes(chance: Random, rate: float) -> bool:
    """Costs a throw only where there is a chance at all."""
    return rate > 0 and chance.random() < rate
