"""Own account in the pages: a player's password and devices, and a manager who must enrol a second factor first."""

import base64
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from casino.users.totp import STEP_MS, code_at
from tests.deep import representative
from tests.service import CASINO, Service, running_service

PASSWORD, NEXT = "a password of the house", "another one of the house"
pytestmark = pytest.mark.asyncio(loop_scope="session")
DESK = ViewportSize(width=1280, height=900)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    database = f"sqlite:///{tmp_path}/casino.db"
    for name, role in (("max", "manager"), ("fiona", "finance"), ("ann", "player")):
        add = [str(CASINO), "user", "add", name, "--role", role, "--password-stdin", "--database", database]
        subprocess.run(add, input=PASSWORD, text=True, check=True, capture_output=True)
    monkeypatch.setenv("CASINO_SESSIONS_SECOND_FACTOR_ROLES", '["manager"]')
    with running_service("--database", database) as opened:
        yield opened


async def page_of(browser: Browser, address: str, locale: str = "en-GB") -> Page:
    context = await browser.new_context(viewport=DESK, locale=locale)
    page = await context.new_page()
    await page.goto(address)
    return page


async def sign_in_staff(page: Page, name: str, password: str = PASSWORD) -> None:
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill(password)
    await page.keyboard.press("Enter")


async def test_manager_enrols_and_then_signs_in_with_a_code(browser: Browser, service: Service) -> None:
    page = await page_of(browser, f"{service.address}/host")
    await sign_in_staff(page, "max")
    await expect(page.get_by_text("Your role needs a second factor.")).to_be_visible()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Set up").click()
    shown = page.locator("[data-secret]")
    await expect(shown).to_be_visible()
    groups = (await shown.inner_text()).split()
    assert {len(group) for group in groups} == {4}
    secret = base64.b32decode("".join(groups))
    assert f"secret={''.join(groups)}" in await page.get_by_role("link").inner_text()
    step = time.time_ns() // 1_000_000 // STEP_MS
    await page.get_by_label("Code").fill("000000")
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("alert")).to_contain_text("That code is wrong")
    await page.get_by_label("Code").fill(code_at(secret, step))
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("listitem")).to_have_count(10)
    recovery = await page.get_by_role("listitem").first.inner_text()
    await page.get_by_role("button", name="I have written them down").click()
    await expect(page.get_by_role("button", name="STOP ESC", exact=True)).to_be_visible()

    again = await page_of(browser, f"{service.address}/host")
    await sign_in_staff(again, "max")
    await again.get_by_label("Code from your authenticator app").fill(recovery)
    await again.keyboard.press("Enter")
    await expect(again.get_by_role("button", name="STOP ESC", exact=True)).to_be_visible()
    await again.get_by_role("button", name="Account max").click()
    await expect(again.get_by_text("9 of 10 recovery codes are left")).to_be_visible()
    await again.get_by_role("button", name="Sign out everywhere else").click()
    await expect(page.get_by_label("Password")).to_be_visible()


LABELS = {
    "en-GB": ("Current password", "New password", "Repeat the new password", "Change password"),
    "da-DK": ("Nuværende adgangskode", "Ny adgangskode", "Gentag den nye adgangskode", "Skift adgangskode"),
    "fr-FR": (
        "Mot de passe actuel",
        "Nouveau mot de passe",
        "Répétez le nouveau mot de passe",
        "Changer de mot de passe",
    ),
}


@pytest.mark.parametrize("locale", representative(LABELS, lambda locale: locale == "fr-FR"))
async def test_player_changes_the_password_and_the_other_device_is_signed_out(
    browser: Browser, service: Service, locale: str
) -> None:
    current, new, repeat, change = LABELS[locale]
    pages = []
    for _ in range(2):
        page = await page_of(browser, service.address, locale)
        answer = await page.context.request.post(
            f"{service.address}/api/login", data={"name": "ann", "password": PASSWORD}
        )
        assert answer.status == 200
        await page.reload()
        await expect(page.locator("nav.bar")).to_be_visible()
        pages.append(page)
    mine, other = pages
    await mine.locator("nav.bar .items button").nth(-2).click()
    await mine.locator("[role=dialog] .row button").first.click()
    await expect(mine.locator("[role=dialog] li")).to_have_count(2)
    await mine.get_by_label(current, exact=True).fill(PASSWORD)
    await mine.get_by_label(new, exact=True).fill("Password1234")
    await mine.get_by_label(repeat, exact=True).fill("Password1234")
    await mine.get_by_role("button", name=change).click()
    await expect(mine.get_by_role("alert")).to_be_visible()
    await mine.get_by_label(new, exact=True).fill(NEXT)
    await mine.get_by_label(repeat, exact=True).fill(NEXT)
    await mine.get_by_role("button", name=change).click()
    await expect(mine.locator("[role=dialog] [role=status]")).to_be_visible()
    await expect(mine.locator("[role=dialog] li")).to_have_count(1)
    await expect(other.locator("nav.bar")).to_have_count(0)


async def test_finance_sets_a_second_factor_up_by_choice_and_sees_own_sessions(
    browser: Browser, service: Service
) -> None:
    page = await page_of(browser, f"{service.address}/finance")
    await sign_in_staff(page, "fiona")
    await page.get_by_role("button", name="Your account fiona").click()
    panel = page.get_by_role("dialog", name="Account")
    await expect(panel.get_by_text("Not set up.")).to_be_visible()
    await expect(panel.get_by_text("This device")).to_be_visible()
    await panel.get_by_label("Current password").fill(PASSWORD)
    await panel.get_by_label("New password", exact=True).fill("quite short")
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
