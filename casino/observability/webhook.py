"""Webhook calls: one message as JSON to an address from the configuration.

Only an answer of 2xx is a delivery. A redirect is not, because the service follows none. The address may hold a
secret and is never logged.
"""

from collections.abc import Mapping

import aiohttp


async def call_webhook(address: str, message: Mapping[str, object], seconds: float) -> str | None:
    """Returns why the call failed, in a word for the log; None if the message was delivered."""
    timeout = aiohttp.ClientTimeout(total=seconds)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(address, json=message, allow_redirects=False) as answer,
        ):
            return None if 200 <= answer.status < 300 else f"status {answer.status}"
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        return type(error).__name__
