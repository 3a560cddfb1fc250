"""Screenshots for presenters: a shift, a round card by card, every refusal, counts, practice."""

from playwright.async_api import expect

from casino.cards.card import DECK
from tests.browser.consoles import Console
from tests.browser.host_album import Album
from tests.live.clients import Player


class Presenters(Album):
    async def signing_in(self) -> None:
        page = await self.browser.new_page(locale="en-GB")
        await page.goto(f"{self.service.address}/host")
        await expect(page.get_by_label("Password")).to_be_visible()
        await self.shoot(Console(page), "01-sign-in")
        await page.get_by_label("Name").fill("paula")
        await page.get_by_label("Password").fill("not this one")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_be_visible()
        await self.shoot(Console(page), "01-sign-in-refused")
        await page.close()

    async def whole_round(self, paula: Console, players: list[Player], table_id: str) -> None:
        await self.shoot(paula, "02-choose-table")
        await self.sit_down(paula, table_id)
        await self.shoot(paula, "03-start-shift")
        await paula.press("Enter")
        await paula.shows("OPEN BETTING")
        await self.shoot(paula, "04-open-betting")
        await paula.press("Escape")
        await expect(paula.page.get_by_text("nothing to stop")).to_be_visible()
        await self.shoot(paula, "04-nothing-to-stop")
        await paula.scan("As")
        await self.shoot(paula, "04-unexpected-card")
        round_id = await self.bet(paula, table_id, players)
        await players[0].ok("chat", {"table_id": table_id, "text": "Good evening, Paula"})
        await players[1].ok("chat", {"table_id": table_id, "text": "You have no idea, have you? This goes on and on."})
        await players[1].ok("tip", {"table_id": table_id, "amount": 500, "key": "t"})
        await self.shoot(paula, "05-betting")
        await paula.shows("DEAL PLAYER 1")
        await self.shoot(paula, "06-deal-player")
        await paula.click(f"Mute {players[1].name}")
        await self.shoot(paula, "06-mute-with-reason")
        await paula.page.get_by_role("button", name="Mute", exact=True).click()
        await paula.scan("As")
        await self.shoot(paula, "06-muted-and-tipped")
        await paula.click("Say thank you")
        await paula.scan("Kd")
        await self.shoot(paula, "07-check-the-cards")
        await paula.press("Backspace")
        await expect(paula.scanner).to_contain_text("K♦ taken back")
        await self.shoot(paula, "07-taken-back")
        await paula.scan("Kd")
        await players[0].phase(table_id, round_id, "deciding_preflop")
        await self.shoot(paula, "08-players-decide")
        for player in players:
            await player.decide(table_id, round_id, "play_4x")
        await paula.shows("DEAL FLOP 1")
        await self.shoot(paula, "09-deal-flop-1")
        await paula.scan("7h", "7c")
        await self.shoot(paula, "09-deal-flop-3")
        await self._line_lost(paula)
        await paula.scan("2s")
        await paula.shows("DEAL TURN")
        await self.shoot(paula, "11-deal-turn")
        await paula.scan("Jd")
        await self.shoot(paula, "11-deal-river")
        await paula.scan("3c")
        await paula.shows("TURN DEALER 1")
        await self.shoot(paula, "11-turn-dealer")
        await paula.scan("Qh", "Qd")
        await paula.shows("RESULT")
        await self.shoot(paula, "12-result")

    async def _line_lost(self, paula: Console) -> None:
        await paula.page.context.set_offline(True)
        await paula.shows("NO CONNECTION")
        await self.shoot(paula, "10-no-connection")
        await paula.scan("2s")
        await self.shoot(paula, "10-no-connection-scan")
        await paula.page.context.set_offline(False)
        await paula.shows("DEAL FLOP 3")

    async def own_hands(self, paula: Console) -> None:
        table_id, players = self.service.table("own"), await self.clients.players(7)
        await self.sit_down(paula, table_id)
        await paula.press("Enter")
        await paula.shows("OPEN BETTING")
        round_id = await self.bet(paula, table_id, players)
        await paula.shows("DEAL SEAT 1 · CARD 1")
        await paula.scan(*DECK[:9])
        await self.shoot(paula, "18-own-hands")
        await paula.scan(*DECK[9:14])
        await players[0].phase(table_id, round_id, "deciding_preflop")
        for player in players:
            await player.decide(table_id, round_id, "play_4x")
        await paula.shows("DEAL FLOP 1")
        await paula.scan(*DECK[20:23])
        await paula.shows("DEAL TURN")
        await paula.scan(*DECK[30:32])
        await paula.shows("TURN DEALER 1")
        await paula.scan(*DECK[40:42])
        await expect(paula.page.get_by_text("Dealer has", exact=False).first).to_be_visible()
        await self.shoot(paula, "19-own-result")
        await self.leave(paula)

    async def count(self, paula: Console) -> None:
        await self.sit_down(paula, self.service.table("counted"))
        await paula.press("Enter")
        await paula.shows("COUNT THE DECK")
        await self.shoot(paula, "20-count-the-deck")
        await paula.press("Space")
        await expect(paula.page.get_by_text("DECK COUNT")).to_be_visible()
        await self.shoot(paula, "21-count-begins")
        await paula.scan(*DECK[:44])
        await self.shoot(paula, "21-counting")
        await paula.scan(DECK[0])
        for _ in range(2):
            await paula.page.keyboard.type("b08")
            await paula.press("Enter")
            await expect(paula.scanner).to_contain_text("WRONG DECK")
            await paula.page.wait_for_timeout(1100)  # within a second it is one reading
        await self.shoot(paula, "22-not-whole")
        await paula.click("Count again")
        await paula.scan(*DECK)
        await expect(paula.scanner).to_contain_text("The deck is complete")
        await self.shoot(paula, "22-whole")
        await self.leave(paula)

    async def practice(self, paula: Console) -> None:
        """Something goes wrong in every second round: rounds are dealt until it does."""
        await self.sit_down(paula, self.service.table("practice"))
        await self.shoot(paula, "23-practice")
        await paula.press("Enter")
        await paula.shows("OPEN BETTING")
        drill, title = paula.page.get_by_text("SOMETHING HAPPENS"), paula.page.locator("section > .title")
        cards = iter(DECK)
        while await drill.count() == 0:
            said = (await title.text_content() or "") if await title.count() else ""
            if said.startswith(("OPEN BETTING", "RESULT", "ROUND CANCELLED")):
                cards = iter(DECK)
                await paula.press("Space")
            elif said.startswith(("DEAL", "TURN")):
                await paula.scan(next(cards))
            await paula.page.wait_for_timeout(120)
        await self.shoot(paula, "23-drill")
        await paula.press("Escape")
        await expect(paula.page.get_by_text("What happened?")).to_be_visible()
        await self.shoot(paula, "24-drill-what-happened")
        await paula.press("2")
        await paula.shows("Show the card on the table to the camera.")
        await self.shoot(paula, "24-drill-answered")
        await self.leave(paula)
