"""Trusted types in a browser: no text becomes markup or script on any page."""

from typing import Final

import pytest
from playwright.async_api import Browser, Page

from tests.live.service import LiveService

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.req("SEC-7")]

PAGES: Final = ("/", "/host", "/finance", "/poker")
SINKS: Final = {
    "innerHTML": "document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>'",
    "outerHTML": "document.body.appendChild(document.createElement('div')).outerHTML = '<b>bold</b>'",
    "srcdoc": "document.createElement('iframe').srcdoc = '<script>alert(1)</script>'",
    "script": "document.createElement('script').src = '/assets/other.js'",
    "policy": "trustedTypes.createPolicy('another', {createHTML: (text) => text})",
}

_SIGNED_OUT: Final = "status of 401"  # the page asks who is signed in


async def opened(browser: Browser, address: str, complaints: list[str]) -> Page:
    page = await (await browser.new_context()).new_page()
    page.on("console", lambda message: None if _SIGNED_OUT in message.text else complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    await page.goto(address)
    await page.locator("button").first.wait_for()
    return page


@pytest.mark.parametrize("path", PAGES)
async def test_page_is_built_without_a_violation_and_refuses_text_as_markup(
    browser: Browser, service: LiveService, path: str
) -> None:
    complaints: list[str] = []
    page = await opened(browser, service.address + path, complaints)
    assert complaints == []
    for sink, attempt in SINKS.items():
        failure = await page.evaluate(
            f"() => {{ try {{ {attempt}; return '' }} catch (error) {{ return error.name }} }}"
        )
        assert failure == "TypeError", sink
    await page.context.close()


@pytest.mark.parametrize("path", PAGES)
async def test_page_has_no_use_of_camera_or_position(browser: Browser, service: LiveService, path: str) -> None:
    complaints: list[str] = []
    page = await opened(browser, service.address + path, complaints)
    allowed = await page.evaluate("document.featurePolicy.allowedFeatures()")
    assert not {"camera", "microphone", "geolocation", "payment", "usb"} & set(allowed)
    assert {"autoplay", "fullscreen"} <= set(allowed)
    assert complaints == [], "the browser knows every feature that is named"
    await page.context.close()
