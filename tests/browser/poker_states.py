"""Screenshots of the own seat at a poker table: from the queue to leaving, and what may go wrong on the way."""

import asyncio

import aiohttp
from playwright.async_api import expect

from tests.browser.poker_album import OTHERS, Album, own, turn
from tests.browser.poker_people import Guest, callers
from tests.live.poker_service import order_of
from tests.live.test_poker import ask, token_of

PAIRS = "Ah Kh Qh Jh 8c Ad Kd Qd Jd 5h 2c 7d 9s 3h 4s"
"""Of five players, the four left of the button have pairs; the button has nothing."""
OMAHA = "2s 4h 5c 6d As 2d 4c 5h 6s Kd 3c 7h 9c Td Qs 3s 7c 9h Th Jh Ts 9s 8c 2h 3d"
"""The button has a straight on the flop, with queen and jack."""


async def entrance(album: Album) -> None:
    """Sign-in, the lobby with an empty room, what is the player's own, and the history without a hand."""
    guest = await album.come()
    await album.shoot(guest, "lobby")
    await guest.find('[role="tab"]').last.click()
    await guest.find("[data-today]").wait_for()
    await album.shoot(guest, "mine-empty")
    await guest.find("[data-to-history]").click()
    await guest.find("[data-history] [role=status]").wait_for()
    await album.shoot(guest, "history-empty")
    await guest.find("[data-menu]").click()
    await album.shoot(guest, "menu")
    await guest.find(".menu button").last.click()
    await guest.find("button.gold").wait_for()
    await album.shoot(guest, "sign-in")


async def queue(album: Album) -> None:
    """The dialogue before a seat, a place in the queue, and too little money for a stake."""
    guest, stake = await album.come(), album.stake()
    await guest.find(f'[data-pool="{stake}:FUN"] .do button').click()
    await album.shoot(guest, "join")
    await guest.find("[role=dialog] form button.gold").click()
    await guest.find(f'[data-pool="{stake}:FUN"] .queue').wait_for()
    await album.shoot(guest, "queued")
    await guest.find('[role="tab"]').last.click()
    await guest.find("[data-queue]").wait_for()
    await album.shoot(guest, "mine-queued")
    await guest.find('[role="tab"]').first.click()
    await guest.find('[data-pool="dear:FUN"] .do button').click()
    await guest.find("[role=dialog] [role=alert]").wait_for()
    await album.shoot(guest, "join-poor")


async def reserved(album: Album) -> None:
    """A seat at the table that was left with more chips; then the seat lapses."""
    stake = album.stake()
    async with album.seated(stake) as (guest, _others):
        await guest.play("fold")
        await guest.find(".won").first.wait_for()
        await own(guest, "leave").click()
        await guest.find(".controls .gold").click()
        await guest.find(f'[data-pool="{stake}:FUN"] .do button').click()
        await guest.find("[data-left]").wait_for()
        await guest.find("[data-buy-in]").fill("600")
        await album.shoot(guest, "join-left")
        await guest.find("[role=dialog] form button.gold").click()
        await guest.find("[data-reserved]").wait_for()
        await album.shoot(guest, "reserved")
        await expect(guest.find("[data-reserved]")).to_have_count(0)
        await guest.find(f'[data-pool="{stake}:FUN"] .queue').wait_for()
        await album.shoot(guest, "reserved-lapsed")


async def waiting(album: Album) -> None:
    """A newcomer who waits for the big blind, and then posts."""
    stake = album.stake()
    async with album.seated(stake) as (first, _others):
        await turn(first).wait_for()
        guest = await album.come()
        await guest.find(f'[data-pool="{stake}:FUN"] .do button').click()
        await guest.find("[name=begin]").first.check()
        await guest.find("[role=dialog] form button.gold").click()
        await own(guest, "post").wait_for()
        await album.shoot(guest, "waiting-for-bb")
        await own(guest, "post").click()
        await expect(own(guest, "post")).to_have_attribute("aria-pressed", "true")
        await album.shoot(guest, "posting")


async def sitting_out(album: Album) -> None:
    """Sitting out at one table, the menu of the seat; then at two tables, until the player is removed."""
    async with album.seated() as (guest, others):
        await turn(guest).wait_for()
        await own(guest, "menu").click()
        await album.shoot(guest, "seat-menu")
        await guest.keyboard.press("Escape")
        await own(guest, "sit-out").click()
        await guest.find("[data-going-out]").wait_for()
        await album.shoot(guest, "sitting-out-asked")
        await guest.play("fold")
        await guest.find("[data-sit-out]").wait_for()
        await album.shoot(guest, "sitting-out")
        await own(guest, "back").click()
        await guest.find("header nav button").first.click()
        stake = album.stake()
        for caller in others:
            await caller.sit(stake)
        await guest.sit(stake)
        await expect(guest.find("[data-table]")).to_have_count(2)
        await own(guest, "sit-out").click()
        await expect(guest.find("[data-sit-out]")).to_have_count(2)
        await album.shoot(guest, "sitting-out-everywhere")
        await guest.find(".controls > .gold").first.wait_for()
        await album.shoot(guest, "removed")


async def without_chips(album: Album) -> None:
    """All-in with side pots, the end of it, no chips left, a limit that refuses more, and the seat lost."""
    async with callers(album.service, OTHERS) as others:
        guest, stake = await album.come(), album.stake()
        others[0].hold()
        await guest.sit(stake)
        for caller, buy_in in zip(others, (500, 700, 1_000, 1_000), strict=True):
            await caller.sit(stake, buy_in)
        others[0].release()
        others[1].hold()
        await guest.find(".presets button").last.click()
        await guest.play("raise")
        await guest.play("raise")
        await guest.find("[data-side-pot]").first.wait_for()
        await album.shoot(guest, "all-in-side-pots")
        others[1].release()
        await guest.find("[data-won]").first.wait_for()
        await album.shoot(guest, "side-pots-won")
        await own(guest, "top-up").wait_for()
        await album.shoot(guest, "no-chips")
        await guest.find(".controls > .gold").wait_for()
        await album.shoot(guest, "seat-lost")


async def limits(album: Album) -> None:
    """A loss limit that refuses more chips, then a break: the seat is left, and no other is given."""
    async with callers(album.service, OTHERS) as others:
        guest, stake = await album.come(), album.stake()
        limit = {"kind": "loss", "period": "day", "amount": 1_000}
        await _ask(album, guest, "PUT", "/api/responsible/limits", limit)
        await guest.sit(stake)
        for caller in others:
            await caller.sit(stake)
        await guest.find(".presets button").last.click()
        await guest.play("raise")
        await guest.play("raise")
        await own(guest, "top-up").click()
        await guest.find("[role=alert]").nth(1).wait_for()
        await album.shoot(guest, "no-chips-limit")
        await _ask(album, guest, "POST", "/api/responsible/time-out", {"days": 1})
        await guest.find(".controls > .gold").wait_for()
        await album.shoot(guest, "break-began")
        await guest.find(".controls > .gold").click()
        await guest.page.reload()
        await guest.find(f'[data-pool="{stake}:FUN"] .do button').click()
        await guest.find("[data-halt]").wait_for()
        await album.shoot(guest, "join-limit")


async def _ask(album: Album, guest: Guest, method: str, path: str, data: object) -> None:
    answer = await guest.page.request.fetch(f"{album.service.address}{path}", method=method, data=data)
    assert answer.ok, await answer.text()


async def interruptions(album: Album) -> None:
    """Connection lost, another device, paused, void by a manager, and void after the service was killed."""
    async with album.seated() as (guest, others), aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as web:
        await turn(guest).wait_for()
        table_id = await guest.find("[data-table]").get_attribute("data-table")
        other = await album.guests.again(guest)
        await other.find("[data-act]").first.wait_for()
        await album.shoot(guest, "other-device")
        await guest.find(".controls > .gold").click()
        await turn(guest).wait_for()
        await other.page.context.close()
        await guest.page.context.set_offline(True)
        await guest.find("[data-away]").wait_for()
        await album.shoot(guest, "connection-lost")
        await guest.page.context.set_offline(False)
        await expect(guest.find("[data-away]")).to_have_count(0)
        manager, room = (
            await token_of(web, album.service, "manager"),
            f"{album.service.address}/api/host/poker/tables/{table_id}",
        )
        await ask(web, f"{room}/pause", manager, {"reason": "A question of the floor"})
        await album.shoot(guest, "paused-in-hand")
        preview = await ask(web, f"{room}/void/preview", manager, {})
        await ask(web, f"{room}/void", manager, {"hand_id": preview["hand_id"], "reason": "The deal was wrong"})
        await guest.find(".waits").wait_for()
        await album.shoot(guest, "paused-and-void")
        await ask(web, f"{room}/resume", manager, {})
        await turn(guest).wait_for()
        await guest.play("call")
        await asyncio.to_thread(album.service.kill)
        await guest.find("[data-away]").wait_for()
        await album.shoot(guest, "service-away")
        await asyncio.to_thread(album.service.start)
        await expect(guest.find("[data-away]")).to_have_count(0)
        await guest.find(".waits").wait_for()
        await album.shoot(guest, "void-after-outage")
        del others


async def closed(album: Album) -> None:
    """The table cannot go on and closes; its players are moved to another one of the stake."""
    stake = album.stake()
    async with album.seated(stake) as (guest, others), callers(album.service, 4) as more:
        await turn(guest).wait_for()
        for caller in more:
            await caller.sit(stake)
        # The first of them took the last seat; the others wait for a table, and one more opens it.
        async with callers(album.service, 2) as last:
            for caller in last:
                await caller.sit(stake)
            await guest.play("fold")
            for caller in [*others, more[0]]:
                table_id = await guest.find("[data-table]").first.get_attribute("data-table")
                await caller.say("leave", table_id=table_id)
            await guest.find("[data-moved]").wait_for()
            await album.shoot(guest, "moved-to-another-table")


async def talk(album: Album) -> None:
    """Chat with its first lines, a refusal, and a muted player; a note about a player, and a report."""
    async with album.seated() as (guest, others):
        await turn(guest).wait_for()
        table_id = await guest.find("[data-table]").get_attribute("data-table")
        await guest.find(".tools button").nth(1).click()
        await guest.find("[data-with-cards]").wait_for()
        await album.shoot(guest, "chat-at-a-decision")
        await guest.keyboard.press("Escape")
        await guest.play("fold")
        await guest.find(".won").first.wait_for()
        for text in ("Good evening everybody", "That was a very long hand, and I still do not know how you called it"):
            await others[0].accepted("chat", table_id=table_id, text=text)
        await album.shoot(guest, "chat-unread")
        await guest.find(".tools button").nth(1).click()
        await guest.find("[role=log] p").first.wait_for()
        await guest.find("[role=dialog] form input").fill("See www.example.com")
        await guest.find("[role=dialog] form button").click()
        await guest.find("[role=dialog] [role=alert]").wait_for()
        await album.shoot(guest, "chat")
        await guest.keyboard.press("Escape")
        await guest.find("button.plate").nth(1).click()
        await guest.find("[role=dialog] textarea").first.fill("Bluffs rivers")
        await guest.find(".shade").nth(2).click()
        await album.shoot(guest, "note")
        await guest.find("[role=dialog] textarea").nth(1).fill("Plays together with seat 4")
        await guest.find("[role=dialog] form").nth(1).locator("button").click()
        await guest.find("[role=dialog] .good").wait_for()
        await guest.find("[role=dialog] .good").scroll_into_view_if_needed()
        await album.shoot(guest, "reported")
        await guest.find("[role=dialog] form button.gold").click()
        await album.shoot(guest, "noted")


async def hand(album: Album) -> None:
    """The own turn, waiting with a decision in advance, showing cards, and the last hand over the felt."""
    async with album.seated() as (guest, others):
        await turn(guest).wait_for()
        await album.shoot(guest, "own-turn")
        await guest.find(".presets button").last.click()
        await guest.find('[data-act="raise"]').click()
        await album.shoot(guest, "own-turn-sure")
        others[2].hold()
        await guest.play("call")
        await guest.find("[data-pre]").first.wait_for()
        await guest.find('[data-pre="call_any"]').click()
        await album.shoot(guest, "in-advance")
        await guest.find('[data-pre="call_any"]').click()
        others[2].release()
        await guest.play("check")
        await guest.play("check")
        await guest.find('[data-act="fold"]').click()
        await album.shoot(guest, "fold-for-free")
        await guest.find('[data-act="fold"]').click()
        await guest.find("[data-show]").click()
        await guest.find(".seat.own [role=img]").first.wait_for()
        await album.shoot(guest, "shown")
        await guest.find(".tools button").first.click()
        await guest.find("[data-replay]").wait_for()
        await guest.find("[data-replay] button").last.wait_for()
        await album.shoot(guest, "last-hand")
        await guest.find("[data-replay] .text").click()
        await guest.find("[data-past-hand] [data-odds]").first.wait_for()
        await album.shoot(guest, "history")
        await guest.find(".facts button").last.click()
        await guest.find("[data-verdict]").wait_for()
        await guest.find("[data-verdict]").scroll_into_view_if_needed()
        await album.shoot(guest, "fairness")


async def omaha(album: Album) -> None:
    """Four own cards, the two that count, and a showdown."""
    order_of(album.service).write(OMAHA)
    try:
        async with album.seated("omaha") as (guest, _others):
            await guest.play("call")
            await guest.find("[data-board] [role=img]").nth(2).wait_for()
            await turn(guest).wait_for()
            await album.shoot(guest, "omaha-flop")
            for _street in range(3):
                await guest.play("check")
            await guest.find(".won").first.wait_for()
            await album.shoot(guest, "omaha-showdown")
    finally:
        order_of(album.service).write(PAIRS)


async def panels(album: Album) -> None:
    """Settings, the question about keys, and several tables with a strip."""
    async with callers(album.service, OTHERS) as others:
        guest = await album.come()
        await guest.find("[data-menu]").click()
        await guest.find(".menu button").nth(3).click()
        await guest.find("[data-keys-on]").wait_for()
        await album.shoot(guest, "settings")
        await guest.keyboard.press("Escape")
        for number in range(4):
            if number:
                await guest.find("header nav button").first.click()
            stake = album.stake()
            for caller in others:
                await caller.sit(stake)
            await guest.sit(stake)
            await expect(guest.find("[data-table], [data-mini]").nth(number)).to_be_attached()
        await turn(guest).wait_for()
        await guest.keyboard.press("f")
        await guest.page.get_by_role("alertdialog").wait_for()
        await album.shoot(guest, "keys-asked")
        await guest.page.get_by_role("alertdialog").locator("button").last.click()
        await album.shoot(guest, "four-tables")
