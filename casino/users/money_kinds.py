"""Checks that configured currencies agree with existing accounts, at start-up and before a command makes money.

Whether an account holds play money is stored with it. The configuration only defines the currency of new accounts, so
it must not turn one kind of money into the other.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple, Self

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from casino.settings import ConfigurationError, Fault, ServiceSettings
from casino.settings.service import PRACTICE_CURRENCY
from casino.storage.schema import users
from casino.users.roles import Role


class MoneyKinds(NamedTuple):
    """Currencies of players' accounts by kind of money. Archived guests and practice tables do not count."""

    real: frozenset[str]
    play: frozenset[str]

    @classmethod
    async def stored(cls, connection: AsyncConnection) -> Self:
        query = select(users.c.play_money, users.c.currency).distinct()
        query = query.where(users.c.role == Role.PLAYER, users.c.archived_ms.is_(None))
        found = [(bool(row.play_money), row.currency) for row in await connection.execute(query)]
        real = frozenset(currency for is_play, currency in found if not is_play)
        return cls(real, frozenset(currency for is_play, currency in found if is_play) - {PRACTICE_CURRENCY})

    def contradictions(self, settings: ServiceSettings) -> list[Fault]:
        """Returns the settings with which the service does not start."""
        kinds = {"real money": self.real, "play money": self.play}
        if len(self.real) > 1:
            reason = (
                f"accounts in this database hold real money in {' and '.join(sorted(self.real))}; only one is possible"
            )
            return [Fault("", "service.currency", reason)]
        return [
            *_contradictions("service.currency", settings.service.currency, kinds),
            *_contradictions("guests.currency", settings.guests.currency, dict(reversed(kinds.items()))),
        ]


async def verify_currencies(connection: AsyncConnection, settings: ServiceSettings) -> None:
    """Raises `ConfigurationError` if accounts exist in a currency that the configuration contradicts."""
    faults = (await MoneyKinds.stored(connection)).contradictions(settings)
    if faults:
        raise ConfigurationError(faults)


def _contradictions(key: str, configured: str, stored: Mapping[str, Collection[str]]) -> list[Fault]:
    """`stored` has the currencies of the kind of money in question, then those of the other kind."""
    (kind, own), (other_kind, others) = stored.items()
    if configured in others:
        reason = f"accounts in this database hold {other_kind} in {configured}, so it cannot be the currency of {kind}"
        return [Fault("", key, reason)]
    if own and configured not in own:
        reason = f"accounts in this database hold {kind} in {' and '.join(sorted(own))}, not in {configured}"
        return [Fault("", key, reason)]
    return []
