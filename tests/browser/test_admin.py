"""User administration at /host: users, roles, passwords, disabling."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.live.clients import Clients, clients_of
from tests.live.service import PASSWORD, Kind, started_service

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.req("SEC")]


async def test_admin_adds_disables_and_enables_a_user(browser: Browser) -> None:
    with started_service({"lasting": Kind(1)}, staff=("adam",)) as service:
        context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
        page = await context.new_page()
        await page.goto(f"{service.address}/host")
        await page.get_by_label("Name").fill("adam")
        await page.get_by_label("Password").fill(PASSWORD)
        await page.keyboard.press("Enter")
        async with clients_of(service) as clients:
            await _manage(page, clients)
        await context.close()


async def _manage(page: Page, clients: Clients) -> None:
    await expect(page.get_by_role("heading", name="Users")).to_be_visible()
    form = page.get_by_role("form", name="Add a user")
    await form.get_by_label("Name").fill("Nora New")
    await form.get_by_label("Role").select_option("manager")
    await form.get_by_label("Password").fill("a long and quiet river bank")
    await form.get_by_role("button", name="Add").click()
    await expect(page.get_by_role("status")).to_contain_text("Nora New was added as manager.")
    await page.get_by_role("button", name="Change Nora New").click()
    await expect(page.get_by_role("group", name="Change Nora New")).to_be_in_viewport(ratio=1)
    await page.get_by_role("button", name="Disable").click()
    await expect(page.get_by_role("row", name="Nora New").first).to_contain_text("disabled")
    status, _ = await clients.ask(
        "POST", "/api/login", None, {"name": "Nora New", "password": "a long and quiet river bank"}
    )
    assert status == 401
    await page.get_by_role("button", name="Change Nora New").click()
    await page.get_by_role("button", name="Enable").click()
    await expect(page.get_by_role("row", name="Nora New").first).to_contain_text("active")
    await page.get_by_role("button", name="Change adam").click()
    own = page.get_by_role("group", name="Change adam")
    await expect(own).to_have_text(
        "This is your own account. Change your password under your name above; "
        "another administrator has to change the rest."
    )
    await expect(own.locator("button, input, select")).to_have_count(0)
    await page.get_by_role("button", name="Your account adam").click()
    await expect(page.get_by_label("Current password")).to_be_visible()
