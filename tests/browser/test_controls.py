"""Controls beyond chips and panels: several tables, decision keys, the chat window, announcements."""

import pytest
from playwright.async_api import FloatRect, Locator, expect

from tests.browser.people import Screen, Visitors
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_table_that_must_be_answered_next_is_marked_and_a_click_gives_it_the_keys(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    host = await clients.host()
    tables = [service.table("live"), service.table("live")]
    for table_id in tables:
        await host.take_over(table_id)
    first = await visitors.guest(tables[0])
    await first.page.get_by_role("button", name="Add table").click()
    await first.page.get_by_role("button", name=f"Add table: Table {tables[1]}", exact=True).click()
    second = Screen(first.page, tables[1])
    rounds = [await host.start(table_id) for table_id in tables]
    keys = first.page.keyboard
    await first.page.get_by_role("button", name="Settings").first.click()
    await first.page.get_by_label("Decide by keyboard").check()
    await keys.press("Escape")
    for screen in (second, first):
        await screen.spot("ante").press("Enter")
    for screen in (second, first):
        await screen.shows("ante", "1.00")
    for table_id, round_id in zip(reversed(tables), reversed(rounds), strict=True):  # the second is asked first
        await host.end_betting(table_id, round_id)
        await host.scan(table_id, round_id, "As Kd")
        await host.phase(table_id, round_id, "deciding_preflop")
    await expect(second.table).to_contain_class("urgent")
    await expect(first.table).not_to_contain_class("urgent")
    await second.ribbon.click()
    await keys.press("Alt+c")
    await expect(first.table).to_contain_class("urgent")
    await host.phase(tables[1], rounds[1], "dealing_flop")
    await first.ribbon.click()
    await keys.press("Alt+p")  # the largest PLAY that is offered
    await first.shows("play", "4.00")
    await second.ribbon.click()
    for cards, after in (("7h 4c 2s", "deciding_flop"), ("Jd 9c", "deciding_river")):
        await host.scan(tables[1], rounds[1], cards)
        await host.phase(tables[1], rounds[1], after)
        await expect(second.table.locator(".options")).to_be_visible()
        await keys.press("Alt+c" if after == "deciding_flop" else "Alt+f")
        await expect(second.table.locator(".options")).to_have_count(0)
        await host.phase(tables[1], rounds[1], {"deciding_flop": "dealing_river"}.get(after, "showdown"))


async def test_the_chat_is_moved_by_hand_and_by_keys_resized_and_enlarged(
    visitors: Visitors, service: LiveService
) -> None:
    screen = await visitors.guest(service.table("live"))
    page = screen.page
    await page.get_by_role("button", name="Chat", exact=True).click()
    window = page.get_by_role("dialog", name="Chat")
    before = await box_of(window)
    grip = window.get_by_role("button", name="Chat: Move")
    held = await box_of(grip)
    await page.mouse.move(held["x"] + 60, held["y"] + 20)
    await page.mouse.down()
    await page.mouse.move(held["x"] - 240, held["y"] - 130, steps=4)
    await page.mouse.up()
    moved = await box_of(window)
    assert (moved["x"] - before["x"], moved["y"] - before["y"]) == (-300, -150)
    await grip.press("ArrowRight")
    assert (await box_of(window))["x"] == moved["x"] + 24
    corner = await box_of(window)
    await page.mouse.move(corner["x"] + corner["width"] - 4, corner["y"] + corner["height"] - 4)
    await page.mouse.down()
    await page.mouse.move(corner["x"] + corner["width"] + 56, corner["y"] + corner["height"] + 36, steps=4)
    await page.mouse.up()
    pulled = await box_of(window)
    assert (pulled["width"] - corner["width"], pulled["height"] - corner["height"]) == (60, 40)
    assert (pulled["x"], pulled["y"]) == (corner["x"], corner["y"])
    await window.get_by_role("button", name="Enlarge").click()
    large = await box_of(window)
    assert large["width"] > pulled["width"]
    assert large["height"] > pulled["height"]
    await window.get_by_role("button", name="Make smaller").click()
    assert (await box_of(window))["width"] == before["width"]


async def test_service_messages_are_in_the_players_language(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    table_id = service.table("live")
    screen = await visitors.guest(table_id, locale="da-DK")
    host, manager = await clients.host(), await clients.host("max")
    await host.take_over(table_id)
    await host.start(table_id)
    await screen.page.get_by_role("button", name="Chat", exact=True).click()
    await screen.page.get_by_label("Skriv til bordet").fill("Godaften")
    await screen.page.keyboard.press("Enter")
    line = await host.until("chat", lambda said: said["text"] == "Godaften")
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    await expect(screen.page.get_by_role("log")).to_contain_text("Runden er sat på pause. Dine indsatser er sikre.")
    await manager.ok("watch", {"table_id": table_id})
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is not complete."})
    await expect(screen.page.get_by_role("log")).to_contain_text(
        "Runden er annulleret, og alle indsatser er refunderet"
    )
    mute = {"table_id": table_id, "player_id": line["player_id"], "minutes": 10, "reason": "Rude."}
    await manager.ok("mute", mute)
    await expect(screen.notice).to_contain_text("Du er blevet udelukket fra chatten ved dette bord i 10 minutter.")
    await screen.axe()
    await screen.page.keyboard.press("Escape")  # closes the chat, and then the notice
    await screen.page.keyboard.press("Escape")
    await expect(screen.notice.get_by_text("Du er blevet udelukket")).to_have_count(0)


async def test_sound_is_muted_by_a_click_and_comes_back_with_another_table(
    visitors: Visitors, service: LiveService
) -> None:
    screen = await visitors.guest(service.table("live"))
    page, other = screen.page, service.table("live")
    await page.get_by_role("button", name="Mute", exact=True).click()
    await expect(page.get_by_role("button", name="Unmute")).to_be_visible()
    await page.locator("nav").get_by_role("button", name="Lobby").click()
    await page.get_by_role("button", name=f"Switch to this table: Table {other}", exact=True).click()
    await expect(page.locator(f'[data-table="{other}"]')).to_be_visible()
    await expect(page.get_by_role("button", name="Mute", exact=True)).to_be_visible()


async def box_of(element: Locator) -> FloatRect:
    box = await element.bounding_box()
    assert box is not None
    return box
