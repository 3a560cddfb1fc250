"""Tables of the room: all pools and their tables by id, and where each player sits."""

import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from casino.poker_room.player_tables import SitOutTerms
from casino.poker_room.pool import PoolTerms
from casino.poker_room.pool_host import PoolHost
from casino.poker_room.sit_out import Absences
from casino.poker_room.table import PokerTable
from casino.poker_room.table_terms import TableTerms, table_terms
from casino.refusals import Reason
from casino.settings.poker import PokerSettings


class RoomTables:
    def __init__(self, settings: PokerSettings) -> None:
        room = settings.room
        self._settings = settings
        self._host_of: dict[str, PoolHost] = {}
        self.tables_max: Final = room.tables_max
        self.absences: Final = Absences(
            SitOutTerms(
                room.sitting_out.remove_after_minutes * 60_000, room.sitting_out.remove_everywhere_after * 1000
            ),
            self.table,
        )
        self.hosts: Final = {
            host.pool_id: host
            for stake in settings.stakes.values()
            if stake.enabled
            for currency in room.currencies
            for host in [
                PoolHost(
                    PoolTerms(
                        stake,
                        currency,
                        room.cash_tables_max,
                        room.banzai_tables_max,
                        room.min_to_start,
                        reserve_ms=room.sitting_out.buy_in_offer * 1000,
                        return_ms=room.sitting_out.rathole_minutes * 60_000,
                    )
                )
            ]
        }

    def __iter__(self) -> Iterator[PokerTable]:
        for host in self.hosts.values():
            yield from host.tables.values()
            yield from host.closing.values()

    def __len__(self) -> int:
        return len(self._host_of)

    def host(self, pool_id: str) -> PoolHost:
        try:
            return self.hosts[pool_id]
        except KeyError:
            raise Reason.NO_SUCH_STAKE.refusal() from None

    def host_of(self, table_id: str) -> PoolHost:
        """Refuses `no_such_table`."""
        try:
            return self._host_of[table_id]
        except KeyError:
            raise Reason.NO_SUCH_TABLE.refusal() from None

    def find(self, table_id: str) -> PokerTable | None:
        host = self._host_of.get(table_id)
        return None if host is None else host.tables.get(table_id) or host.closing.get(table_id)

    def table(self, table_id: str) -> PokerTable:
        """Refuses `no_such_table`."""
        found = self.find(table_id)
        if found is None:
            raise Reason.NO_SUCH_TABLE.refusal()
        return found

    def add(self, host: PoolHost, table: PokerTable) -> None:
        host.tables[table.terms.table_id] = table
        self._host_of[table.terms.table_id] = host

    def remove(self, host: PoolHost, table: PokerTable) -> None:
        for tables in (host.tables, host.closing, host.opening, self._host_of):
            tables.pop(table.terms.table_id, None)

    def terms_of(self, table_id: str, host: PoolHost) -> TableTerms:
        return table_terms(self._settings, table_id, host.terms.stake, host.terms.currency)

    def counts(self, stake_id: str) -> tuple[Counter[str], Counter[str]]:
        """How many tables each player sits at or has a seat reserved: in all, and of this stake.

        A player who is moved from a closed table has one, too, although the seat is not known yet.
        """
        in_all, of_stake = Counter[str](), Counter[str]()
        for host in self.hosts.values():
            is_own = host.terms.stake.stake_id == stake_id
            for table in host.pool.tables:
                in_all.update(table.players)
                if is_own:
                    of_stake.update(table.players)
            in_all.update(host.moved_without_seat)
            if is_own:
                of_stake.update(host.moved_without_seat)
        return in_all, of_stake

    def new_table_id(self, host: PoolHost) -> str:
        return new_table_id(host.terms)


def new_table_id(terms: PoolTerms, token: Callable[[], str] = lambda: secrets.token_hex(4)) -> str:
    """An id without a colon, because names of accounts are put together with colons."""
    return f"{terms.stake.stake_id[:16]}-{terms.currency.lower()}-{token()}"
