"""What a visitor sees before the table opens, on a desk and in a hand."""

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.service import Service

pytestmark = pytest.mark.asyncio(loop_scope="session")

SCREENS = [
    pytest.param(ViewportSize(width=1440, height=900), id="desktop"),
    pytest.param(ViewportSize(width=390, height=844), id="phone"),
]


def _watch_complaints(page: Page) -> list[str]:
    """Collects everything the browser complains about; a CSP violation arrives as a console error too."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    return complaints


@pytest.mark.parametrize("screen", SCREENS)
async def test_the_visitor_sees_the_table_and_that_the_service_is_up(
    browser: Browser, service: Service, screen: ViewportSize
) -> None:
    async with await browser.new_context(viewport=screen) as context:
        page = await context.new_page()
        complaints = _watch_complaints(page)
        await page.goto(service.address)

        await expect(page.get_by_role("heading", name="Ultimate Texas Hold'em 1")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_role("status")).to_have_text("Service is up")
        await expect(page.get_by_role("status")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_text("The table is being prepared and opens soon.")).to_be_in_viewport(ratio=1)
        spots = page.get_by_role("list", name="Betting spots").get_by_role("listitem")
        await expect(spots).to_have_text(["TRIPS", "ANTE", "BLIND", "PLAY"])
        for spot in await spots.all():
            await expect(spot).to_be_in_viewport(ratio=1)

        scene = await page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert scene == [screen["width"], screen["height"]], "the scene fills the screen and does not scroll"
        assert complaints == []


async def test_a_service_that_does_not_answer_is_told_in_words(browser: Browser, service: Service) -> None:
    async with await browser.new_context() as context:
        page = await context.new_page()
        await page.route("**/healthz", lambda route: route.abort())
        await page.goto(service.address)
        await expect(page.get_by_role("status")).to_have_text("Service not reachable")
