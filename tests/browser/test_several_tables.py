"""Several tables in one window: as many as there is room for, the others behind tabs."""

import pytest
from playwright.async_api import ViewportSize, expect

from tests.browser.people import DESKTOP, PHONE, Screen, Visitors
from tests.browser.test_outcomes import four_tables
from tests.live.clients import Clients
from tests.live.service import LiveService

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_four_tables_fall_back_to_two_and_to_one_in_a_smaller_window(
    visitors: Visitors, service: LiveService, clients: Clients
) -> None:
    ids = [service.table("live") for _ in range(4)]
    host = await clients.host()
    await host.take_over(ids[0])
    await host.start(ids[0])
    first, *_, last = await four_tables(visitors, ids)
    page = first.page
    tables, tabs = page.locator("[data-table]"), page.get_by_role("navigation", name="Tables").get_by_role("button")
    await expect(tabs).to_have_count(0)
    await page.set_viewport_size(ViewportSize(width=1100, height=768))
    await expect(tables).to_have_count(2)
    await expect(tabs).to_have_count(4)
    await expect(last.table).to_be_visible()  # the active one
    await last.does_not_scroll()
    await last.axe()
    await tabs.first.click()
    await first.place("ante", "5.00")
    await first.shows("ante", "5.00")
    await page.set_viewport_size(PHONE)
    await expect(tables).to_have_count(1)
    await first.shows("ante", "5.00")
    for tab, table_id in zip(await tabs.all(), ids, strict=True):  # the words that differ, and all of them
        await expect(tab).to_have_accessible_name(f"Table {table_id}")
        await expect(tab).to_have_text(table_id, use_inner_text=True)
        assert await tab.locator("span").evaluate("span => span.scrollHeight <= span.clientHeight + 1")
    await tabs.last.click()
    await expect(last.table).to_be_visible()
    await expect(first.table).to_have_count(0)
    await Screen(page, ids[3]).does_not_scroll()
    await page.set_viewport_size(ViewportSize(width=320, height=568))
    place = await last.table.locator(".board .slot").first.bounding_box()
    assert place is not None
    assert place["width"] >= 25  # a card that can be read
    await last.does_not_scroll()
    await page.set_viewport_size(DESKTOP)
    await expect(tables).to_have_count(4)
    await first.shows("ante", "5.00")
