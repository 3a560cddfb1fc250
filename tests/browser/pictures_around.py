"""Screenshots around the table: sign-in, panels, chat, reality check, trainer."""

from playwright.async_api import expect

from tests.browser.people import Screen
from tests.browser.studio import ITEMS, Studio, play
from tests.live.hands import Hand
from tests.live.test_outcomes import ROWS
from tests.live.test_responsible import been_here

PASSWORD = "a long enough password"  # noqa: S105


async def first_visit(studio: Studio) -> None:
    """First visit, registration, lobby of a signed-in player, and sign-in of staff."""
    screen = await studio.visitors.outside(studio.window.size, studio.window.locale)
    page = screen.page
    await studio.shoot(screen, "first-visit")
    name, password = page.locator("input").nth(0), page.locator("input").nth(1)
    await name.fill("Ann")
    await password.fill(PASSWORD)
    await page.locator("button.plain").click()
    await expect(page.get_by_role("alert")).to_be_visible()
    await studio.shoot(screen, "sign-in")
    await page.locator("button.link").click()
    await password.fill("short")
    await page.locator("button.plain").click()
    await studio.shoot(screen, "register")
    await name.fill(f"Ann {studio.window}")
    await password.fill(PASSWORD)
    await page.locator("button.plain").click()
    await expect(page.locator("main.page")).to_be_visible()
    await studio.shoot(screen, "lobby")
    staff = await studio.visitors.outside(studio.window.size, studio.window.locale)
    signed_in = await studio.clients.sign_in("paula")
    await studio.visitors.becomes(staff, signed_in["token"])
    await expect(staff.page.get_by_role("alert")).to_be_visible()
    await studio.shoot(staff, "staff")


async def panels(studio: Studio) -> None:
    screen, host, table_id = await studio.hosted("quick")
    page = screen.page
    for item in ("results", "history"):
        await studio.open(screen, item)
        await studio.shoot(screen, f"panel-{item}-empty")
        await page.keyboard.press("Escape")
    for row, action in (
        ("qualified, player wins with a straight", "play_4x"),
        ("qualified, player loses", "fold"),
        ("qualified, tie", "play_1x"),
    ):
        round_id = await host.start(table_id)
        await studio.keys(screen, "2 a 1 t")
        await play(host, screen, round_id, Hand.of(ROWS[row].cards), action)
        await page.wait_for_timeout(5_000)
    if studio.is_small:
        await page.locator("nav .menu").click()
        await studio.shoot(screen, "menu")
        await page.keyboard.press("Escape")
    for item in ITEMS:
        await studio.open(screen, item)
        await studio.shoot(screen, f"panel-{item}", 1_200)
        await _turn_pages(studio, screen, item)
        await page.keyboard.press("Escape")


async def _turn_pages(studio: Studio, screen: Screen, item: str) -> None:
    """What is further down, and what a first click brings."""
    panel = studio.panel(screen)
    if item == "tip":
        for _ in range(2):
            await panel.locator(".chip").nth(1).click()
        await studio.shoot(screen, "panel-tip-chosen")
        await panel.locator("button.gold").click()
        await expect(panel.get_by_role("status")).to_be_visible()
        await studio.shoot(screen, "panel-tip-given")
    elif item == "history":
        await panel.locator("li button").first.click()
        await expect(panel.locator(".felt")).to_be_visible()
        await studio.shoot(screen, "panel-replay")
    elif item == "cashier":
        await panel.locator("input").first.fill("50")
        await panel.locator("form button").first.click()
        await studio.shoot(screen, "panel-cashier-paid")
    if item in ("help", "settings", "limits", "history"):
        name = "replay" if item == "history" else item
        for number in range(1, 5):
            is_end = await panel.evaluate(_SCROLL_ON)
            if is_end is None:
                break
            await studio.shoot(screen, f"panel-{name}-further-{number}", 300)
            if is_end:
                break


_SCROLL_ON = """panel => {
  const box = [panel, ...panel.querySelectorAll('*')].find(
    (one) => one.scrollHeight > one.clientHeight + 4 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY));
  if (!box) return null;
  box.scrollBy(0, box.clientHeight * 0.9);
  return box.scrollTop + box.clientHeight >= box.scrollHeight - 4;
}"""


async def chat(studio: Studio) -> None:
    """Folded to its last line, open, refused, enlarged; messages of a presenter, of players and of the service."""
    screen, host, table_id = await studio.hosted("quick")
    page = screen.page
    await page.locator("nav .talk").click()
    await studio.shoot(screen, "chat-empty")
    await page.keyboard.press("Escape")
    await host.ok("say", {"table_id": table_id, "text": "Good evening, and welcome to the table."})
    other = await studio.clients.player()
    joined = await other.join(table_id)
    assert joined["chat"]
    await other.ok("chat", {"table_id": table_id, "text": "Good luck everybody, may the river be kind tonight"})
    round_id = await host.start(table_id)
    await studio.keys(screen, "2 a")
    await host.phase(table_id, round_id, "dealing_hole")
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    manager = await studio.clients.host("max")
    await manager.ok("resume", {"table_id": table_id, "reason": "The card was found."})
    await expect(screen.notice).to_have_count(0)
    await studio.shoot(screen, "chat-folded")
    await page.reload()
    await expect(screen.table).to_be_visible()
    await page.locator("nav .talk").click()
    await studio.shoot(screen, "chat-remembered")
    entry = page.get_by_role("dialog").locator("input")
    await entry.fill("See www.example.com")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()
    await studio.shoot(screen, "chat-refused")
    await entry.fill("Good evening")
    await page.keyboard.press("Enter")
    await page.locator('[role="dialog"] header button').nth(1).click()
    await studio.shoot(screen, "chat-enlarged")


async def advice(studio: Studio) -> None:
    """A round dealt by the machine, with the trainer: then its replay, and the check of its deck."""
    screen = await studio.guest(studio.service.table("machine"))
    await studio.change(screen, trainer=True)
    await studio.keys(screen, "2 a 1 t")
    await screen.table.locator(".options .check").click()
    await screen.table.locator(".options .play_2x").click(timeout=20_000)
    await expect(screen.table.locator("section li").first).to_be_visible(timeout=20_000)
    await expect(screen.table.locator("section ul").nth(1)).to_be_visible(timeout=20_000)
    await studio.shoot(screen, "trainer")
    await studio.open(screen, "history")
    panel = studio.panel(screen)
    await panel.locator("li button").first.click()
    await panel.locator("button.gold").click()
    await expect(panel.locator(".good")).to_be_visible()
    await panel.locator(".good").scroll_into_view_if_needed()
    await studio.shoot(screen, "panel-verify", 1_500)


async def reality(studio: Studio) -> None:
    """A reminder of the time, and a break one has asked for."""
    guest = await studio.clients.guest()
    status, _ = await studio.clients.ask("PUT", "/api/responsible/reality-check", guest["token"], {"minutes": 30})
    assert status == 200
    been_here(studio.service, guest["user"]["id"], 31)
    table_id = studio.service.table("open")
    screen = await studio.visitors.known(guest["token"], table_id, studio.window.size, studio.window.locale)
    check = screen.page.get_by_role("alertdialog")
    await expect(check).to_be_visible()
    await studio.shoot(screen, "reality-check")
