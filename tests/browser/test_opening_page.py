"""What a visitor sees before the table opens, on a desk and in a hand."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service import Service

DESKTOP = (1440, 900)
PHONE = (390, 844)
SCREENS = [pytest.param(DESKTOP, id="desktop"), pytest.param(PHONE, id="phone")]


def _watch_complaints(page: Page) -> list[str]:
    """Collects everything the browser complains about; a CSP violation arrives as a console error too."""
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type != "log" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    return complaints


@pytest.mark.parametrize("screen", SCREENS)
def test_the_visitor_sees_the_table_and_that_the_service_is_up(
    browser: Browser, service: Service, screen: tuple[int, int]
) -> None:
    width, height = screen
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        complaints = _watch_complaints(page)
        page.goto(service.address)

        expect(page.get_by_role("heading", name="Ultimate Texas Hold'em 1")).to_be_visible()
        expect(page.get_by_role("status")).to_have_text("Service is up")
        expect(page.get_by_text("The table is being prepared and opens soon.")).to_be_in_viewport(ratio=1)
        spots = page.get_by_role("list", name="Betting spots").get_by_role("listitem")
        expect(spots).to_have_text(["TRIPS", "ANTE", "BLIND", "PLAY"])
        for spot in spots.all():
            expect(spot).to_be_in_viewport(ratio=1)

        scene = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert scene == [width, height], "the scene fills the screen and does not scroll"
        assert complaints == []


def test_a_service_that_does_not_answer_is_told_in_words(page: Page, service: Service) -> None:
    page.route("**/healthz", lambda route: route.abort())
    page.goto(service.address)
    expect(page.get_by_role("status")).to_have_text("Service not reachable")
