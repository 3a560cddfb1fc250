"""Outcomes of the rules for two players with four tables each: the amount of every spot and its reason."""

import asyncio
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.async_api import expect

from tests.browser.people import Screen, Visitors
from tests.deep import DEEP
from tests.live.clients import Clients, Host
from tests.live.hands import WAYS, WINDOWS, Hand
from tests.live.service import Json, LiveService
from tests.live.test_outcomes import ROWS, expected_spots

pytestmark = pytest.mark.asyncio(loop_scope="session")

CREDIT: Final = 100_000
NO_TRIPS: Final = "TRIPS pays from three of a kind"
NO_QUALIFY: Final = "Push: dealer doesn’t qualify"
RETURNED: Final = "Push: BLIND pays from a straight"
BETTER: Final = "Your hand wins: pays 1:1"
BEATEN: Final = "Dealer’s hand wins"
TIE: Final = "Push: tie"
FOLDED: Final = "You folded"
LABELS: Final = {"play_4x": "PLAY 4x", "play_3x": "PLAY 3x", "play_2x": "PLAY 2x", "play_1x": "PLAY 1x"} | {
    "check": "CHECK",
    "fold": "FOLD",
}
AFTER: Final = ("dealing_flop", "dealing_river", "showdown")
TAGS: Final = {"win": "WIN", "push": "PUSH", "lose": "LOSE"}


@dataclass(frozen=True)
class Seen:
    """A row of the rules, played so, and why each spot ended as it did: TRIPS, ANTE, BLIND, PLAY."""

    row: str
    action: str
    whys: tuple[str, ...]

    @property
    def spots(self) -> dict[str, Json]:
        spots = expected_spots(ROWS[self.row], self.action)
        return {name: spots[name] for name in ("trips", "ante", "blind", "play") if spots[name]["bet"] > 0}

    @property
    def net(self) -> int:
        return sum(gain(spot) for spot in self.spots.values())


def paid(hand: str, trips: str, blind: str) -> tuple[str, ...]:
    return f"{hand} pays {trips}", BETTER, f"{hand} pays {blind}", BETTER


QUALIFIED: Final = "qualified, player wins with "
# Three rounds at eight tables: every row at least once, played in every way, and folded where that matters. `make test`
# plays the first, which has every kind of reason; `make test-deep` plays them all.
ROUNDS: Final[tuple[tuple[Seen, ...], ...]] = (
    (
        Seen("not qualified, player wins", "play_4x", (NO_TRIPS, NO_QUALIFY, RETURNED, BETTER)),
        Seen("not qualified, player wins with a high card", "play_1x", (NO_TRIPS, NO_QUALIFY, RETURNED, BETTER)),
        Seen("not qualified, player loses", "play_3x", (NO_TRIPS, NO_QUALIFY, BEATEN, BEATEN)),
        Seen("not qualified, tie", "play_3x", (NO_TRIPS, TIE, TIE, TIE)),
        Seen(
            "not qualified, player wins with a straight",
            "play_2x",
            ("Straight pays 4:1", NO_QUALIFY, "Straight pays 1:1", BETTER),
        ),
        Seen("qualified, player loses", "play_4x", (NO_TRIPS, BEATEN, BEATEN, BEATEN)),
        Seen("qualified, player loses, TRIPS wins", "fold", ("Three of a kind pays 3:1", FOLDED, FOLDED)),
        Seen("qualified, tie", "play_4x", (NO_TRIPS, TIE, TIE, TIE)),
    ),
    (
        Seen(f"{QUALIFIED}a pair", "play_1x", (NO_TRIPS, BETTER, RETURNED, BETTER)),
        Seen(f"{QUALIFIED}two pairs", "play_2x", (NO_TRIPS, BETTER, RETURNED, BETTER)),
        Seen(f"{QUALIFIED}three of a kind", "play_3x", ("Three of a kind pays 3:1", BETTER, RETURNED, BETTER)),
        Seen(f"{QUALIFIED}a straight", "play_4x", paid("Straight", "4:1", "1:1")),
        Seen(f"{QUALIFIED}a flush", "play_4x", paid("Flush", "7:1", "3:2")),
        Seen(f"{QUALIFIED}a full house", "play_3x", paid("Full house", "8:1", "3:1")),
        Seen(f"{QUALIFIED}four of a kind", "play_2x", paid("Four of a kind", "30:1", "10:1")),
        Seen(f"{QUALIFIED}a straight flush", "play_1x", paid("Straight flush", "40:1", "50:1")),
    ),
    (
        Seen(f"{QUALIFIED}a royal flush", "play_4x", paid("Royal flush", "50:1", "500:1")),
        Seen("qualified, tie with a royal flush on the board", "play_1x", ("Royal flush pays 50:1", TIE, TIE, TIE)),
        Seen("qualified, tie with a royal flush on the board", "fold", ("Royal flush pays 50:1", FOLDED, FOLDED)),
        Seen("not qualified, player loses", "fold", (NO_TRIPS, FOLDED, FOLDED)),
        Seen(f"{QUALIFIED}a full house", "fold", ("Full house pays 8:1", FOLDED, FOLDED)),
        Seen("qualified, player loses, TRIPS wins", "play_2x", ("Three of a kind pays 3:1", BEATEN, BEATEN, BEATEN)),
        Seen(f"{QUALIFIED}a royal flush", "play_1x", paid("Royal flush", "50:1", "500:1")),
        Seen("qualified, player loses", "play_1x", (NO_TRIPS, BEATEN, BEATEN, BEATEN)),
    ),
)


async def test_every_outcome_is_shown_per_spot_with_amount_and_reason(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    assert {one.row for seen in ROUNDS for one in seen} == set(ROWS)
    host = await clients.host()
    tables = [service.table("live") for _ in range(8)]
    for table_id in tables:
        await host.take_over(table_id)
    ann, ben = await asyncio.gather(four_tables(visitors, tables[:4]), four_tables(visitors, tables[4:]))
    played = ROUNDS if DEEP else ROUNDS[:1]
    for number, seen in enumerate(played):
        rounds = await asyncio.gather(*(host.start(table_id) for table_id in tables))
        await asyncio.gather(bets(ann, is_first=number == 0), bets(ben, is_first=number == 0))
        hands = {id(screens[0].page): asyncio.Lock() for screens in (ann, ben)}  # a player has one mouse
        await asyncio.gather(
            *(
                dealt(host, screen, round_id, one, hands[id(screen.page)])
                for screen, round_id, one in zip([*ann, *ben], rounds, seen, strict=True)
            )
        )
        await asyncio.gather(*(tells(screen, one) for screen, one in zip([*ann, *ben], seen, strict=True)))
    for screens, place in ((ann, slice(4)), (ben, slice(4, 8))):
        balance = CREDIT + sum(one.net for seen in played for one in seen[place])
        me = await (await screens[0].page.request.get(f"{service.address}/api/me")).json()
        assert me["balance"] == balance
        await expect(screens[0].table.locator("[data-balance]")).to_have_attribute("data-balance", str(balance))
    await expect(ann[0].page.get_by_role("button", name="Add table")).to_have_count(0)
    await ann[0].axe()


async def four_tables(visitors: Visitors, tables: list[str]) -> list[Screen]:
    first = await visitors.guest(tables[0], reduced_motion="reduce")  # eight tables that move are much for a machine
    screens = [first]
    for table_id in tables[1:]:
        await first.page.get_by_role("button", name="Add table").click()
        await first.page.get_by_role("button", name=f"Add table: Table {table_id}", exact=True).click()
        screens.append(Screen(first.page, table_id))
    await expect(first.page.locator("[data-table]")).to_have_count(4)
    return screens


async def bets(screens: list[Screen], *, is_first: bool) -> None:
    for screen in screens:
        await screen.ribbon.click()
        if is_first:
            await screen.place("ante", "5.00")
            await screen.place("trips", "1.00")
        else:
            await screen.page.keyboard.press("Space")
    for screen in screens:
        await screen.shows("ante", "5.00")
        await screen.shows("trips", "1.00")


async def dealt(host: Host, screen: Screen, round_id: str, seen: Seen, hand_free: asyncio.Lock) -> None:
    hand, way = Hand.of(ROWS[seen.row].cards), WAYS[seen.action]
    await host.end_betting(screen.table_id, round_id)
    for number, (window, cards) in enumerate(zip(WINDOWS, hand.streets, strict=True)):
        await host.scan(screen.table_id, round_id, cards)
        if number < len(way):
            await host.phase(screen.table_id, round_id, window)
            async with hand_free:
                await screen.button(LABELS[way[number]]).click()
        await host.phase(screen.table_id, round_id, AFTER[number])
    await host.scan(screen.table_id, round_id, hand.dealer)
    await host.phase(screen.table_id, round_id, "settled")


async def tells(screen: Screen, seen: Seen) -> None:
    """In the list below the felt, and on each spot; and it is celebrated if more came back than was staked."""
    lines = [
        f"{name.upper()} {signed(gain(spot))} {why}"
        for (name, spot), why in zip(seen.spots.items(), seen.whys, strict=True)
    ]
    summary = screen.table.get_by_role("region", name="Results")
    await expect(summary.get_by_role("heading")).to_have_text(heading(seen.net))
    await expect(summary.get_by_role("listitem")).to_have_text(lines, use_inner_text=True)
    for name, spot in seen.spots.items():
        tag = f"{TAGS[spot['outcome']]} {signed(gain(spot)) if gain(spot) else ''}".strip()
        await expect(screen.spot(name).locator(".tag")).to_have_text(tag)
    await expect(screen.table.locator(".celebration")).to_have_count(int(seen.net > 0))


def gain(spot: Json) -> int:
    return int(spot["returned"]) - int(spot["bet"])


def heading(net: int) -> str:
    return f"You {'win' if net > 0 else 'lose'} {abs(net) / 100:,.2f}" if net else "You break even"


def signed(minor: int) -> str:
    return ("+" if minor > 0 else "−" if minor < 0 else "") + f"{abs(minor) / 100:,.2f}"
