"""Screenshots of the table: betting, deciding, every outcome, and every interruption."""

from playwright.async_api import expect

from tests.browser.people import Screen
from tests.browser.studio import SlowLine, Studio, play
from tests.live.hands import Hand
from tests.live.test_outcomes import ROWS

FLUSH = Hand.of("As Ks | 7s 2s 9d Jh 3s | Qh Qd")


async def round_(studio: Studio) -> None:
    screen, host, table_id = await studio.hosted()
    line = SlowLine()
    await line.lead(screen)
    round_id = await host.start(table_id)
    await expect(screen.table.locator("[role=radiogroup]")).to_be_visible()
    await studio.shoot(screen, "betting")
    line.slow()
    await screen.page.keyboard.press("3")
    await screen.table.locator("[data-spot=ante]").click()
    await studio.shoot(screen, "betting-pending")
    line.free()
    await studio.keys(screen, "2 t")
    await studio.shoot(screen, "betting-accepted")
    await host.phase(table_id, round_id, "dealing_hole")
    await studio.shoot(screen, "betting-closed")
    for cards, action, after in zip(
        FLUSH.streets, ("check", "check", "play_1x"), ("dealing_flop", "dealing_river", "showdown"), strict=True
    ):
        await host.scan(table_id, round_id, cards)
        button = screen.table.locator(f".options .{action}")
        await expect(button).to_be_visible()
        await studio.shoot(screen, f"deciding-before-{after}")
        if after == "showdown":
            line.slow()
            await button.click()
            await studio.shoot(screen, "deciding-sending")
            line.free()
        else:
            await button.click()
        await host.phase(table_id, round_id, after)
        if after == "dealing_flop":
            await studio.shoot(screen, "checked")
    await studio.shoot(screen, "showdown")
    await host.scan(table_id, round_id, FLUSH.dealer)
    await studio.shoot(screen, "showdown-dealer")
    await expect(screen.table.locator(".tag").first).to_be_visible()
    await studio.shoot(screen, "showdown-spots", 100)
    await expect(screen.table.locator(".celebration")).to_be_attached()
    await studio.shoot(screen, "won")
    await host.start(table_id)
    await studio.shoot(screen, "betting-after-a-round")


async def outcomes(studio: Studio) -> None:
    """Losing, a tie, a dealer who does not qualify, and a fold that wins its TRIPS."""
    for name, row, action in (
        ("lost", "qualified, player loses", "play_4x"),
        ("tie", "qualified, tie", "play_3x"),
        ("not-qualified", "not qualified, player loses", "play_2x"),
        ("folded", "qualified, player loses, TRIPS wins", "fold"),
        ("royal-flush", "qualified, player wins with a royal flush", "play_4x"),
    ):
        screen, host, table_id = await studio.hosted("quick")
        round_id = await host.start(table_id)
        await studio.keys(screen, "2 a 1 t")
        await play(host, screen, round_id, Hand.of(ROWS[row].cards), action)
        await expect(screen.table.locator("section ul, section li").first).to_be_visible(timeout=15_000)
        await studio.shoot(screen, f"outcome-{name}", 1500)


async def messages(studio: Studio) -> None:
    """What is said at a spot or over the tray."""
    screen, host, table_id = await studio.hosted("open")
    await host.start(table_id)
    await studio.keys(screen, "t")
    await studio.shoot(screen, "message-ante-first", 100)
    await studio.keys(screen, "4 a a")
    await studio.shoot(screen, "message-cannot-cover-4x", 400)
    await studio.keys(screen, "a a a a")
    await studio.shoot(screen, "message-maximum", 0)
    screen, host, table_id = await studio.hosted("open")
    await host.start(table_id)
    limit = {"kind": "loss", "period": "day", "amount": 500}
    await studio.ask(screen, "PUT", "/api/responsible/limits", limit)
    await studio.keys(screen, "2 a")
    await expect(screen.spot("ante").get_by_role("status")).to_be_visible()
    await studio.shoot(screen, "message-limit-reached", 200)
    rich, host, table_id = await studio.hosted("open")
    await host.start(table_id)
    await studio.keys(rich, "4 a a a a a")  # everything there is
    other = studio.service.table("open")
    await host.take_over(other)
    await host.start(other)
    poor = await studio.visitors.again(rich, other)
    await expect(poor.table.locator(".controls .hint")).to_be_visible()
    await studio.shoot(poor, "message-too-poor")


async def states(studio: Studio) -> None:
    screen, host, table_id = await studio.hosted()
    await studio.shoot(screen, "waiting")
    round_id = await host.start(table_id)
    await studio.keys(screen, "2 a")
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, FLUSH.player)
    await screen.page.context.set_offline(True)
    await expect(screen.notice).to_be_visible()
    await studio.shoot(screen, "reconnecting")
    await screen.page.context.set_offline(False)
    await expect(screen.notice).to_have_count(0)
    second = await studio.visitors.again(screen, table_id)
    await expect(screen.table.locator(".notice.moved")).to_be_visible()
    await studio.shoot(screen, "moved")
    await host.ok("report_problem", {"table_id": table_id, "reason": "A card fell to the floor."})
    await expect(second.table.locator(".notice.paused")).to_be_visible()
    await studio.shoot(second, "paused")
    manager = await studio.clients.host("max")
    await manager.ok("cancel_round", {"table_id": table_id, "reason": "The deck is not complete."})
    await expect(second.table.locator(".notice.cancelled")).to_be_visible()
    await studio.shoot(second, "cancelled")
    await second.notice.locator("button").click()
    await studio.shoot(second, "cancelled-read")
    await host.ok("close_table", {"table_id": table_id})
    await expect(second.table.locator(".notice.closed")).to_be_visible()
    await studio.shoot(second, "no-presenter")
    await second.page.context.set_offline(True)
    await expect(second.table.locator(".notice.gone")).to_be_visible(timeout=30_000)
    await studio.shoot(second, "service-gone")


async def absences(studio: Studio) -> None:
    """Returned bets, a round that ended during an absence, a closed table, and the chat after a late join."""
    screen, host, table_id = await studio.hosted("quick")
    round_id = await host.start(table_id)
    await studio.keys(screen, "2 a")
    await screen.page.context.set_offline(True)
    await host.phase(table_id, round_id, "idle")
    await screen.page.context.set_offline(False)
    await expect(screen.table.locator(".notice.returned")).to_be_visible()
    await studio.shoot(screen, "returned")
    await screen.notice.locator("button").click()
    round_id = await host.start(table_id)
    await studio.keys(screen, "Space")
    await host.phase(table_id, round_id, "dealing_hole")
    await host.scan(table_id, round_id, FLUSH.player)
    await screen.table.locator(".options .play_4x").click()
    await host.phase(table_id, round_id, "dealing_flop")
    await screen.page.context.set_offline(True)
    await expect(screen.notice).to_be_visible()
    for cards, after in ((FLUSH.flop, "dealing_river"), (FLUSH.turn_river, "showdown"), (FLUSH.dealer, "settled")):
        await host.scan(table_id, round_id, cards)
        await host.phase(table_id, round_id, after)
    await host.start(table_id)
    await screen.page.context.set_offline(False)
    await expect(screen.table.locator(".notice.returned")).to_be_visible()
    await studio.shoot(screen, "settled-while-away")
    machine = studio.service.table("machine")
    manager = await studio.clients.host("max")
    await manager.ok("watch", {"table_id": machine})
    await manager.ok("close_table", {"table_id": machine})
    closed = await studio.guest(machine)
    await expect(closed.table.locator(".notice.closed")).to_be_visible(timeout=30_000)
    await studio.shoot(closed, "table-closed")


async def silence(studio: Studio) -> None:
    """The classic view with its traffic lights, and silence, which is answered for the player."""
    screen, host, table_id = await studio.hosted("hasty")
    await studio.change(screen, view="classic")
    await expect(screen.table).to_contain_class("classic")
    round_id = await host.start(table_id)
    await studio.keys(screen, "3 a")
    await studio.shoot(screen, "classic-betting")
    await host.phase(table_id, round_id, "dealing_hole")
    await studio.shoot(screen, "classic-closed", 300)
    await host.scan(table_id, round_id, FLUSH.player)
    await expect(screen.table.locator(".options")).to_be_visible()
    await studio.shoot(screen, "classic-deciding", 400)
    await host.phase(table_id, round_id, "dealing_flop")
    await studio.shoot(screen, "classic-auto-checked")
    await studio.change(screen, view="immersive")
    for cards, after in ((FLUSH.flop, "dealing_river"), (FLUSH.turn_river, "showdown")):
        await host.scan(table_id, round_id, cards)
        await host.phase(table_id, round_id, after)
    await studio.shoot(screen, "auto-folded")


async def own_hands(studio: Studio) -> None:
    table_id = studio.service.table("seven")
    screen = await studio.guest(table_id)
    others = await studio.clients.players(6)
    for other in others:
        joined = await other.join(table_id)
        await other.bet(table_id, joined["round"]["round_id"], 500)
    await studio.keys(screen, "3 a")
    await studio.shoot(screen, "own-hands-betting")
    watcher = await studio.guest(table_id)
    await expect(screen.table.locator(".options")).to_be_visible(timeout=20_000)
    await studio.shoot(screen, "own-hands-deciding")
    await studio.shoot(watcher, "own-hands-watching", 0)
    await screen.table.locator(".options .play_4x").click()
    round_id = (await others[0].phase(table_id, None, "deciding_preflop"))["round_id"]
    for other in others:
        await other.decide(table_id, round_id, "play_3x")
    await others[0].phase(table_id, round_id, "settled")
    await expect(screen.table.locator("section li").first).to_be_visible(timeout=20_000)
    await studio.shoot(screen, "own-hands-settled")


async def several(studio: Studio) -> None:
    """Two, three and four tables side by side, betting and deciding at once."""
    host = await studio.clients.host()
    tables = [studio.service.table("several") for _ in range(4)]
    for table_id in tables:
        await host.take_over(table_id)
    first = await studio.guest(tables[0])
    page = first.page
    for count, table_id in enumerate(tables[1:], start=2):
        await page.locator("nav .add").click()
        await page.get_by_role("button", name=f"Table {table_id}").click()
        await studio.shoot(first, f"tables-{count}-waiting")
    rounds = {table_id: await host.start(table_id) for table_id in tables}
    for table_id in tables:
        screen = Screen(page, table_id)
        await screen.ribbon.click()
        await studio.keys(screen, "2 a")
    await studio.shoot(first, "tables-4-betting")
    for table_id in tables[:3]:
        await host.phase(table_id, rounds[table_id], "dealing_hole")
        await host.scan(table_id, rounds[table_id], FLUSH.player)
    await studio.shoot(first, "tables-4-deciding")
    await Screen(page, tables[0]).table.locator(".options .play_4x").click()
    for cards, after in ((FLUSH.flop, "dealing_river"), (FLUSH.turn_river, "showdown"), (FLUSH.dealer, "settled")):
        await host.scan(tables[0], rounds[tables[0]], cards)
        await host.phase(tables[0], rounds[tables[0]], after)
    await expect(Screen(page, tables[0]).table.locator(".celebration")).to_be_attached(timeout=20_000)
    await studio.shoot(first, "tables-4-won")
    for table_id in tables[2:]:
        await Screen(page, table_id).table.locator(".leave").click()
    await studio.shoot(first, "tables-2")
