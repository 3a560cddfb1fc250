"""Forged rows of tournaments, entries, tickets, rebuys and draws: verification finds each."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import Table

from casino.errors import Code, Refusal
from casino.poker.tournament.state import Status
from casino.poker_room.tournament.messages import BuyChips, CancelHexa, RegisterEntry, RegisterHexa
from casino.storage.database import Database
from casino.storage.tournament_schema import (
    hexapro_draws,
    tickets,
    tournament_entries,
    tournament_purchases,
    tournaments,
)
from casino.verify.snapshot import Snapshot
from casino.verify.verifier import Proofs, verify_books
from tests.databases import sqlite_url
from tests.poker_room.running_room import sender
from tests.poker_room.tournament_house import TournamentHouse
from tests.verify.tampering import Tamperer

Row = dict[str, Any]
KEY = Proofs(("a secret key of tests",))
SATELLITE = {"satellite_to": "sunday-109", "total": 3000, "seats_guaranteed": 1, "late_levels": 0, "structure": "hyper"}


async def build(url: str) -> None:
    """A HexaPro game with entries that wait and one that came back; a satellite, and its ticket in use; a rebuy."""
    database = await Database.open(url)
    house = await TournamentHouse.open(database, 4, seed=4)
    entries = (await house.ask(RegisterHexa(sender("p1"), "classic", 100, 3, "hexa")))["entries"]
    for player in ("p2", "p3"):
        await house.ask(RegisterHexa(sender(player), "classic", 100, 1, "hexa"))
    await house.ask(CancelHexa(sender("p1"), entries[2], "back"))
    await house.play(lambda: not house.room.tournaments._hexapro_games())
    satellite = await house.announce(**SATELLITE)
    await house.register(satellite, "p1", "p2", "p3", "p4")
    await house.advance(600_000)
    await house.play_out(satellite)
    winner = next(entry.player_id for entry in satellite.state.entries.values() if entry.out_no is None)
    rebuys = await house.announce(structure="hyper", rebuy={"levels": 2}, late_levels=0)
    await house.register(rebuys, "p1", "p2", "p3")
    await house.advance(600_000)
    await house.play(lambda: bool(offered(house, rebuys)))
    player = offered(house, rebuys)[0]
    await house.ask(BuyChips(sender(player), rebuys.tournament_id, "rebuy", is_add_on=False))
    await house.play_out(rebuys)
    final = await house.announce(total=10_900)
    ticket = f"{satellite.tournament_id}-1"
    await house.ask(RegisterEntry(sender(winner), final.tournament_id, "ticket", ticket))
    loser = next(player for player in ("p1", "p2", "p3") if player != winner)
    with pytest.raises(Refusal) as used:
        await house.ask(RegisterEntry(sender(loser), final.tournament_id, "not mine", ticket))
    assert used.value.code is Code.TICKET_UNUSABLE
    await house.register(final, loser)
    assert final.state.status is Status.REGISTERING
    await house.verified()
    await house.close()
    await database.close()


def offered(house: TournamentHouse, running: Any) -> list[str]:  # noqa: ANN401  a running tournament
    state, now_ms = running.state, house.clock()
    return [entry.player_id for entry in state.entries.values() if state.has_offer(entry.entry_id, now_ms)]


@pytest.fixture(scope="module")
def played_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = sqlite_url(tmp_path_factory.mktemp("tournaments"))
    asyncio.run(build(url))
    return url


@pytest.fixture
async def tamperer(played_url: str) -> AsyncIterator[Tamperer]:
    async with Tamperer.at(played_url) as opened:
        yield opened


async def faults(tamperer: Tamperer) -> list[str]:
    findings = await verify_books(await Snapshot.on(tamperer.connection), proofs=KEY)
    return findings.tournaments.faults


def won(row: Row) -> bool:
    return bool(row["won"])


def waits(row: Row) -> bool:
    return bool(row["status"] == "waiting")


def returned(row: Row) -> bool:
    return bool(row["status"] == "returned")


def by_ticket(row: Row) -> bool:
    return row["ticket_id"] is not None


def by_money(row: Row) -> bool:
    return row["ticket_id"] is None and row["line"] is None


def of_hexapro(row: Row) -> bool:
    return row["line"] is not None and row["status"] == "ended"


def is_over(row: Row) -> bool:
    return row["ended_ms"] is not None


def is_drawn(row: Row) -> bool:
    return row["draw_no"] is not None


def any_row(_row: Row) -> bool:
    return True


FORGERIES: Mapping[str, tuple[Table, Callable[[Row], bool], Row, str]] = {
    "a larger prize": (tournament_entries, won, {"won": 999_999}, "has not won what the journal says"),
    "another place": (tournament_entries, won, {"place": 17}, "has not won what the journal says"),
    "a prize for an entry without one": (tournament_entries, by_ticket, {"won": 5}, "has not won"),
    "the entry of another player": (tournament_entries, by_money, {"player_id": "p9"}, "as it was paid for"),
    "a cheaper entry": (tournament_entries, by_money, {"risked": 1}, "not as it was paid for"),
    "an entry by ticket paid in money": (tournament_entries, by_ticket, {"ticket_id": None}, "as it was paid for"),
    "an entry of another day": (tournament_entries, by_money, {"registered_ms": 1}, "not as it was paid for"),
    "an entry that goes on": (tournament_entries, won, {"status": "open", "ended_ms": None}, "is open, and ended"),
    "an entry that ended before": (tournament_entries, won, {"ended_ms": 1}, "is ended, and ended"),
    "a HexaPro entry in another line": (tournament_entries, of_hexapro, {"line": "x"}, "not as it was paid for"),
    "a waiting entry that has won": (tournament_entries, waits, {"won": 5}, "not as an entry that has waited"),
    "a waiting entry that has ended": (tournament_entries, waits, {"status": "ended"}, "has waited in"),
    "a waiting entry of another price": (tournament_entries, waits, {"paid": 5, "risked": 5}, "is not what its"),
    "a returned entry that waits again": (tournament_entries, returned, {"status": "waiting"}, "has waited in"),
    "a stolen ticket": (tickets, any_row, {"player_id": "p9"}, "is not as it was won"),
    "a ticket of more value": (tickets, any_row, {"value": 20_000}, "is not as it was won"),
    "a ticket that never expires": (tickets, any_row, {"expires_ms": 9_999_999_999_999}, "is not as it was won"),
    "a ticket of a promotion": (tickets, any_row, {"origin": "promotion"}, "is not as it was won"),
    "a ticket for one event only": (tickets, any_row, {"event": "x"}, "is not as it was won"),
    "a used ticket open again": (tickets, any_row, {"status": "open", "entry_id": None}, "the entries say otherwise"),
    "a ticket used for another entry": (tickets, any_row, {"entry_id": "e-1"}, "the entries say otherwise"),
    "a rebuy of another player": (tournament_purchases, any_row, {"player_id": "p9"}, "rebuys and add-ons"),
    "a rebuy that was an add-on": (tournament_purchases, any_row, {"kind": "add_on"}, "rebuys and add-ons"),
    "another commitment": (hexapro_draws, any_row, {"commitment": "0" * 64}, "not played with the number"),
    "a skipped draw": (hexapro_draws, any_row, {"no": 77}, "should be here"),
    "another draw of a game": (tournaments, is_drawn, {"draw_no": 2}, "the number committed to"),
    "a game without a draw": (tournaments, is_drawn, {"draw_no": None}, "no tournament of the kind"),
    "another kind": (tournaments, is_drawn, {"kind": "mtt"}, "no tournament of the kind"),
    "another end": (tournaments, is_over, {"ended_ms": 1}, "has not ended when"),
    "another name": (tournaments, any_row, {"name": "x"}, "its row is not what its journal says"),
    "another status": (tournaments, is_over, {"status": "cancelled"}, "it is cancelled, and finished"),
    "another price": (tournaments, any_row, {"buy_in": 1}, "its row is not what its journal says"),
    "another currency": (tournaments, is_over, {"currency": "FUN"}, "events lead to"),
}


@pytest.mark.req("AUD")
@pytest.mark.parametrize("what", FORGERIES)
async def test_a_forged_row_is_found(tamperer: Tamperer, what: str) -> None:
    table, is_meant, values, text = FORGERIES[what]
    row = next(row for row in await tamperer.now(table) if is_meant(row))
    async with tamperer.undone():
        await tamperer.change(table, row, values)
        found = await faults(tamperer)
    assert any(text in fault for fault in found), found


@pytest.mark.req("AUD")
@pytest.mark.parametrize("table", [tournament_entries, tickets, tournament_purchases], ids=lambda table: table.name)
async def test_removed_and_invented_rows_are_found(tamperer: Tamperer, table: Table) -> None:
    rows = await tamperer.now(table)
    assert rows
    for row in rows:
        async with tamperer.undone():
            await tamperer.delete(table, row)
            assert await faults(tamperer), row
    new = {"id": "x-1"} if "id" in rows[-1] else {"key": "other"}
    if table is tournament_entries:
        new["key"] = "other"
    async with tamperer.undone():
        await tamperer.insert(table, rows[-1] | new)
        assert await faults(tamperer)


@pytest.mark.req("AUD")
async def test_changed_seals_of_draws_are_found(tamperer: Tamperer) -> None:
    """Also of draws that no game has used."""
    rows = await tamperer.now(hexapro_draws)
    first, *_, last = rows
    for row, sealed in ((first, first["sealed"][:-4] + "AAA="), (last, last["sealed"][:-4] + "AAA=")):
        async with tamperer.undone():
            await tamperer.change(hexapro_draws, row, {"sealed": sealed})
            assert any("its sealed number was changed" in fault for fault in await faults(tamperer))
    async with tamperer.undone():
        await tamperer.change(hexapro_draws, first, {"sealed": last["sealed"], "commitment": last["commitment"]})
        assert any("not played with the number" in fault for fault in await faults(tamperer))
