"""Every kind of outcome, seen at four tables beside each other: each spot with its amount and the reason for it."""

from dataclasses import dataclass
from typing import Final

import pytest
from playwright.async_api import expect

from tests.browser.people import Screen, Visitors
from tests.live.clients import Door, Host
from tests.live.hands import WAYS, WINDOWS, Hand
from tests.live.house import House
from tests.live.test_outcomes import ROWS, expected_spots

pytestmark = pytest.mark.asyncio(loop_scope="session")

NO_TRIPS: Final = "Needs three of a kind or better"
NO_QUALIFY: Final = "The dealer does not qualify"
RETURNED: Final = "Pays from straight up: returned"
BETTER: Final = "Your hand is better: 1:1"
BEATEN: Final = "The dealer’s hand is better"
TIE: Final = "A tie: returned"
LABELS: Final = {"play_4x": "PLAY 4x", "play_3x": "PLAY 3x", "play_2x": "PLAY 2x", "play_1x": "PLAY 1x"} | {
    "check": "CHECK",
    "fold": "FOLD",
}
AFTER: Final = ("dealing_flop", "dealing_river", "showdown")


@dataclass(frozen=True)
class Seen:
    """Why each spot ended as it did, in the order of the screen: TRIPS, ANTE, BLIND, PLAY."""

    row: str
    action: str
    heading: str
    whys: tuple[str, ...]


ROUNDS: Final = (
    (
        Seen(
            "qualified, player wins with a flush",
            "play_4x",
            "You win 39.50",
            ("Flush pays 7:1", BETTER, "Flush pays 3:2", BETTER),
        ),
        Seen("not qualified, player loses", "play_3x", "You lose 21.00", (NO_TRIPS, NO_QUALIFY, BEATEN, BEATEN)),
        Seen("qualified, tie", "play_4x", "You lose 1.00", (NO_TRIPS, TIE, TIE, TIE)),
        Seen(
            "qualified, player loses, TRIPS wins",
            "fold",
            "You lose 7.00",
            ("Three of a kind pays 3:1", "You folded", "You folded"),
        ),
    ),
    (
        Seen(
            "not qualified, player wins with a straight",
            "play_2x",
            "You win 19.00",
            ("Straight pays 4:1", NO_QUALIFY, "Straight pays 1:1", BETTER),
        ),
        Seen("qualified, player loses", "play_4x", "You lose 31.00", (NO_TRIPS, BEATEN, BEATEN, BEATEN)),
        Seen("not qualified, tie", "play_3x", "You lose 1.00", (NO_TRIPS, TIE, TIE, TIE)),
        Seen("qualified, player wins with a pair", "play_1x", "You win 9.00", (NO_TRIPS, BETTER, RETURNED, BETTER)),
    ),
)


async def test_every_kind_of_outcome_at_four_tables_at_once(visitors: Visitors, house: House, door: Door) -> None:
    host = await door.host()
    tables = [house.table("several") for _ in range(4)]
    for table_id in tables:
        await host.take_over(table_id)
    screens = await four_tables(visitors, tables)
    for number, seen in enumerate(ROUNDS):
        rounds = [await host.start(table_id) for table_id in tables]
        for screen in screens:
            if number == 0:
                await screen.place("ante", "5.00")
                await screen.place("trips", "1.00")
            else:
                await screen.button("REPEAT").click()
        for screen in screens:
            await screen.shows("trips", "1.00")
        for screen, table_id, round_id, one in zip(screens, tables, rounds, seen, strict=True):
            await dealt(host, screen, table_id, round_id, one)
        for screen, one in zip(screens, seen, strict=True):
            await tells(screen, one)
    me = await (await screens[0].page.request.get(f"{house.address}/api/me")).json()
    assert me["balance"] == 100_000 + 3_950 - 2_100 - 100 - 700 + 1_900 - 3_100 - 100 + 900
    await expect(screens[0].table.locator("[data-balance]")).to_have_attribute("data-balance", str(me["balance"]))
    await expect(screens[0].page.get_by_role("button", name="Add a table")).to_have_count(0)
    await screens[0].axe()


async def four_tables(visitors: Visitors, tables: list[str]) -> list[Screen]:
    first = await visitors.guest(tables[0])
    screens = [first]
    for table_id in tables[1:]:
        await first.page.get_by_role("button", name="Add a table").click()
        await first.page.get_by_role("button", name=f"Play beside: Table {table_id}", exact=True).click()
        screens.append(Screen(first.page, table_id))
    await expect(first.page.locator("[data-table]")).to_have_count(4)
    return screens


async def dealt(host: Host, screen: Screen, table_id: str, round_id: str, seen: Seen) -> None:
    hand, way = Hand.of(ROWS[seen.row].cards), WAYS[seen.action]
    await host.phase(table_id, round_id, "dealing_hole")
    for number, (window, cards) in enumerate(zip(WINDOWS, hand.streets, strict=True)):
        await host.scan(table_id, round_id, cards)
        if number < len(way):
            await host.phase(table_id, round_id, window)
            await screen.button(LABELS[way[number]]).click()
        await host.phase(table_id, round_id, AFTER[number])
    await host.scan(table_id, round_id, hand.dealer)
    await host.phase(table_id, round_id, "settled")


async def tells(screen: Screen, seen: Seen) -> None:
    spots = expected_spots(ROWS[seen.row], seen.action)
    placed = [name for name in ("trips", "ante", "blind", "play") if spots[name]["bet"] > 0]
    lines = [
        f"{name.upper()} {signed(spots[name]['returned'] - spots[name]['bet'])} {why}"
        for name, why in zip(placed, seen.whys, strict=True)
    ]
    summary = screen.table.get_by_role("region", name="Results")
    await expect(summary.get_by_role("heading")).to_have_text(seen.heading)
    await expect(summary.get_by_role("listitem")).to_have_text(lines)


def signed(minor: int) -> str:
    return ("+" if minor > 0 else "−" if minor < 0 else "") + f"{abs(minor) / 100:.2f}"
