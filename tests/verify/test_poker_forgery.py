"""Forged poker books with consistent hashes, links and balances: verification finds the forgery."""

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Table, select
from sqlalchemy.exc import IntegrityError

from casino.ledger import accounts
from casino.ledger.accounts import seat_id
from casino.poker_room.effects import StoreShownCards
from casino.poker_room.hand_record import unused_deck_record
from casino.poker_room.hand_store import chain_name
from casino.poker_room.messages import Report
from casino.poker_room.reports import Reports
from casino.poker_room.senders import Sender
from casino.poker_room.shown_cards import store_shown_cards
from casino.storage import poker_schema, schema
from casino.storage.database import Database
from casino.storage.poker_schema import (
    poker_hand_players,
    poker_hands,
    poker_reports,
    poker_seats,
    poker_shown_cards,
    poker_sittings,
    poker_tables,
)
from casino.verify.findings import Findings
from casino.verify.snapshot import Snapshot
from casino.verify.verifier import Proofs, verify_books
from tests.poker_room.stored_tables import NOON_MS, SEAL, StoredTable, fixed_shoe, purses, sealed
from tests.verify.forging import rebalance, rechain, rehash
from tests.verify.tampering import Tamperer, other_values

KEY = Proofs(("a secret key of tests",))
TABLE = "nl10-1"

Forgery = Callable[[Tamperer], Awaitable[None]]


async def evening(url: str) -> None:
    """Three hands with a flop or without, a void one, a top-up, an unused deck, and a player who leaves and returns.

    The winner of the second hand shows both cards, and Ann reports this player.
    """
    database = await Database.open(url)
    await purses(database)
    table = await StoredTable.open(database)
    await table.play(("raise_to 100", "call", "fold"))
    shoe = table.shoe
    second = await table.play(("raise_to 30", "fold", "fold"))
    for number, index in enumerate((2, 5), 1):  # the button is dealt last of three
        at_ms = second.ended_ms + number * 1000
        await store_shown_cards(database, StoreShownCards(second.hand_id, "bob", (shoe.card(index),), at_ms))
    await report(database, second.hand_id)
    await table.money.top_up(table.place("ann"), 250, "more", NOON_MS + 130_000)
    await table.play(("raise_to 300",), void=True)
    unused, following = table.shoe, fixed_shoe(number=77)
    record = unused_deck_record(
        TABLE, 4, "EUR", NOON_MS + 250_000, deck=sealed(unused), next_deck=sealed(following), state="{}"
    )
    await table.store.store(record)
    table.shoe, table.no = following, 4
    await table.play(("call", "call", "check"))
    await table.money.leave(table.place("bob"), NOON_MS + 600_000)
    await database.close()


async def report(database: Database, hand_id: str) -> None:
    async with database.writing() as connection:
        names = {"name": "Ann", "name_folded": "ann", "name_visual": "ann", "role": "player", "currency": "EUR"}
        await connection.execute(schema.users.insert().values(id="ann", **names, created_ms=NOON_MS))
    reports = Reports(database, lambda: NOON_MS + 130_000)
    await reports.keep(Report(Sender("ann", "Ann", "EUR"), TABLE, hand_id, 2, "soft play"), None)


async def faults(tamperer: Tamperer) -> list[str]:
    findings: Findings = await verify_books(await Snapshot.on(tamperer.connection), proofs=KEY)
    checks = (findings.poker_hands, findings.poker_decks, findings.poker_seats, findings.poker_reports)
    return [fault for check in checks for fault in check.faults]


async def hands(tamperer: Tamperer) -> list[dict[str, Any]]:
    return await tamperer.now(poker_hands)


async def relink(tamperer: Tamperer) -> None:
    await rechain(tamperer, poker_hands, chain_name(TABLE), await hands(tamperer), "no")


async def operation_of(tamperer: Tamperer, key: str) -> int:
    query = select(schema.operations.c.id).where(schema.operations.c.key == key)
    return int((await tamperer.connection.execute(query)).scalar_one())


async def posting(tamperer: Tamperer, key: str, account: str) -> dict[str, Any]:
    number = await operation_of(tamperer, key)
    rows = await tamperer.now(schema.postings)
    return next(row for row in rows if row["operation_id"] == number and account in (row["source"], row["destination"]))


async def last_hand_deleted(tamperer: Tamperer) -> None:
    """With its players and its number at the table, as if it had never been played. Its money has moved."""
    *_, before, last = await hands(tamperer)
    await delete_hand(tamperer, last)
    at_table = {"hand_no": before["no"], "next_root": before["next_root"]}
    await tamperer.change(poker_tables, {"id": TABLE}, at_table)
    await relink(tamperer)


async def first_hand_deleted(tamperer: Tamperer) -> None:
    """All later hands get the numbers before theirs, with new links."""
    first, *later = await hands(tamperer)
    await delete_hand(tamperer, first)
    for hand in later:
        await tamperer.change(poker_hands, hand, {"no": hand["no"] - 1})
    await tamperer.change(poker_tables, {"id": TABLE}, {"hand_no": len(later)})
    await relink(tamperer)


async def hand_deleted_with_its_money(tamperer: Tamperer) -> None:
    """The last hand, its postings and its balances: the stacks of the departure and the rake tell it."""
    *_, last = await hands(tamperer)
    number = await operation_of(tamperer, f"{last['id']}:settle")
    for row in await tamperer.now(schema.postings):
        if row["operation_id"] == number:
            await tamperer.delete(schema.postings, row)
    await tamperer.delete(schema.operations, {"id": number})
    await last_hand_deleted(tamperer)
    await rebalance(tamperer)


async def delete_hand(tamperer: Tamperer, hand: dict[str, Any]) -> None:
    for player in await tamperer.now(poker_hand_players):
        if player["hand_id"] == hand["id"]:
            await tamperer.delete(poker_hand_players, player)
    await tamperer.delete(poker_hands, hand)


async def chips_moved_between_seats(tamperer: Tamperer) -> None:
    for player, change in (("ann", 100), ("cid", -100)):
        id_ = seat_id(TABLE, player)
        balance = next(row["balance"] for row in await tamperer.now(schema.accounts) if row["id"] == id_)
        await tamperer.change(schema.accounts, {"id": id_}, {"balance": balance + change})


async def chips_posted_to_another_seat(tamperer: Tamperer) -> None:
    """An operation of its own through the pot, with a kind that hands do not have."""
    pot, number = accounts.pot(TABLE, "EUR").id, 9_000
    operation = {"id": number, "key": "extra", "kind": "correction", "actor": "mia", "reason": "", "at_ms": NOON_MS}
    await tamperer.insert(schema.operations, operation | {"input_hash": "", "digest": ""})
    moves = ((seat_id(TABLE, "cid"), pot), (pot, seat_id(TABLE, "ann")))
    for line, (source, destination) in enumerate(moves):
        row = {"operation_id": number, "line": line, "source": source, "destination": destination}
        await tamperer.insert(schema.postings, row | {"amount": 100, "currency": "EUR"})
    await rehash(tamperer, number)
    await rebalance(tamperer)


async def top_up_raised(tamperer: Tamperer) -> None:
    key = "poker_top_up:ann:more"
    row = await posting(tamperer, key, seat_id(TABLE, "ann"))
    await tamperer.change(schema.postings, row, {"amount": row["amount"] + 50})
    await rehash(tamperer, row["operation_id"])
    await rebalance(tamperer)


async def rake_given_to_the_winner(tamperer: Tamperer) -> None:
    key = f"{TABLE}-1:settle"
    rake = await posting(tamperer, key, accounts.rake("EUR").id)
    rows = [row for row in await tamperer.now(schema.postings) if row["operation_id"] == rake["operation_id"]]
    winner = next(row for row in rows if row["source"] == rake["source"] and row["line"] != rake["line"])
    await tamperer.change(schema.postings, rake, {"amount": rake["amount"] - 1})
    await tamperer.change(schema.postings, winner, {"amount": winner["amount"] + 1})
    await rehash(tamperer, rake["operation_id"])
    await rebalance(tamperer)


async def rake_lowered_everywhere(tamperer: Tamperer) -> None:
    """In the hand's row, its postings and all balances."""
    await rake_given_to_the_winner(tamperer)
    first, *_ = await hands(tamperer)
    await tamperer.change(poker_hands, first, {"rake": first["rake"] - 1})
    await relink(tamperer)


async def deck_of_a_hand_swapped(tamperer: Tamperer) -> None:
    """Another deck with its own root, promised in the hand before, too."""
    first, second, *_ = await hands(tamperer)
    deck = sealed(fixed_shoe("As Ad Ah", number=99))
    await tamperer.change(poker_hands, first, {"next_root": deck.root})
    await tamperer.change(poker_hands, second, {"root": deck.root, "sealed": deck.sealed})
    await relink(tamperer)


async def sealed_deck_destroyed(tamperer: Tamperer) -> None:
    first, *_ = await hands(tamperer)
    await tamperer.change(poker_hands, first, {"sealed": f"{SEAL.key_id}:nothing"})
    await relink(tamperer)


async def next_deck_swapped(tamperer: Tamperer) -> None:
    deck = sealed(fixed_shoe("As Ad Ah", number=99))
    await tamperer.change(poker_tables, {"id": TABLE}, {"next_sealed": deck.sealed})


async def next_deck_destroyed(tamperer: Tamperer) -> None:
    await tamperer.change(poker_tables, {"id": TABLE}, {"next_sealed": f"{SEAL.key_id}:nothing"})


async def hand_of_another_currency(tamperer: Tamperer) -> None:
    """A void hand has no postings that would have a currency."""
    void = next(hand for hand in await hands(tamperer) if hand["status"] == "void")
    await tamperer.change(poker_hands, void, {"currency": "USD"})
    await relink(tamperer)


async def player_in_a_strange_seat(tamperer: Tamperer) -> None:
    await tamperer.change(poker_seats, {"table_id": TABLE, "player_id": "cid"}, {"seat_no": 6})
    sitting = next(row for row in await tamperer.now(poker_sittings) if row["player_id"] == "cid")
    await tamperer.change(poker_sittings, sitting, {"seat_no": 6})


async def sitting_without_departure(tamperer: Tamperer) -> None:
    sitting = next(row for row in await tamperer.now(poker_sittings) if row["player_id"] == "bob")
    await tamperer.delete(poker_sittings, sitting)


async def report_deleted(tamperer: Tamperer) -> None:
    (row,) = await tamperer.now(poker_reports)
    await tamperer.delete(poker_reports, row)


async def report_about_another_player(tamperer: Tamperer) -> None:
    (row,) = await tamperer.now(poker_reports)
    await tamperer.change(poker_reports, row, {"player_id": "cid", "seat_no": 3})


async def report_invented(tamperer: Tamperer) -> None:
    (row,) = await tamperer.now(poker_reports)
    await tamperer.insert(poker_reports, row | {"id": 9_000})


async def cards_shown_that_another_player_had(tamperer: Tamperer) -> None:
    """Both hands are possible. Only the sealed deck knows whose cards they were."""
    *_, row = await tamperer.now(poker_shown_cards)
    await tamperer.change(poker_shown_cards, row, {"cards": fixed_shoe(number=1000 + sum(TABLE.encode())).card(0)})


async def cards_shown_by_a_player_who_folded(tamperer: Tamperer) -> None:
    first, *_ = await tamperer.now(poker_shown_cards)
    await tamperer.insert(poker_shown_cards, first | {"hand_id": f"{TABLE}-1", "player_id": "cid"})


FORGERIES: tuple[Forgery, ...] = (
    report_deleted,
    report_about_another_player,
    report_invented,
    cards_shown_that_another_player_had,
    cards_shown_by_a_player_who_folded,
    last_hand_deleted,
    first_hand_deleted,
    hand_deleted_with_its_money,
    chips_moved_between_seats,
    chips_posted_to_another_seat,
    top_up_raised,
    rake_given_to_the_winner,
    rake_lowered_everywhere,
    deck_of_a_hand_swapped,
    sealed_deck_destroyed,
    next_deck_swapped,
    next_deck_destroyed,
    hand_of_another_currency,
    player_in_a_strange_seat,
    sitting_without_departure,
)


async def test_no_forgery_passes_verification(database_url: str) -> None:
    await evening(database_url)
    async with Tamperer.at(database_url) as tamperer:
        async with tamperer.undone():
            assert await faults(tamperer) == []
        unnoticed = []
        for forge in FORGERIES:
            async with tamperer.undone():
                await forge(tamperer)
                if not await faults(tamperer):
                    unnoticed.append(forge.__name__)
        assert unnoticed == []


UNCOVERED = {
    "poker_hands": {"signature"},
    "poker_hand_players": set[str](),
    # Settings and positions that no money follows from; the pool of a table names its stake only.
    "poker_tables": {
        *("pool_id", "status", "opened_ms", "closed_ms", "state"),
        *("paused_reason", "paused_ms", "incident_id"),  # while it is paused; the audit log has every pause of a person
    },
    "poker_seats": {"since_ms"},
    "poker_shown_cards": {"at_ms"},  # within the five seconds
    "poker_reports": {"id"},
    "poker_sittings": {"pool_id", "from_ms", "until_ms", "counted", "reset", "resumed"},
}


async def test_every_field_that_money_follows_from_is_compared(database_url: str) -> None:
    await evening(database_url)
    tables: list[Table] = [getattr(poker_schema, name) for name in UNCOVERED]
    unnoticed = []
    async with Tamperer.at(database_url) as tamperer:
        for table in tables:
            rows = await tamperer.rows(table)
            row = rows[0]
            for column in table.columns:
                if column.name in UNCOVERED[table.name]:
                    continue
                values = {column.name: other_values(table, column.name, row, rows)[0]}
                async with tamperer.undone():
                    if await is_refused(tamperer, table, row, values):
                        continue
                    if not await faults(tamperer):
                        unnoticed.append(f"{table.name}.{column.name}")
    assert unnoticed == []


async def is_refused(tamperer: Tamperer, table: Table, row: dict[str, Any], values: dict[str, Any]) -> bool:
    """Whether the database itself refuses the change."""
    try:
        await tamperer.change(table, row, values)
    except IntegrityError:
        return True
    return False
