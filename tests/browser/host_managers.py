"""Pictures of what happens after STOP, and of what managers see: alarms, incidents, limits, rounds, corrections."""

from playwright.async_api import expect

from tests.browser.consoles import Console
from tests.browser.host_album import Album
from tests.live.clients import Player


class Managers(Album):
    async def wrong_cards_and_stop(self, paula: Console, max_: Console, players: list[Player], table_id: str) -> str:
        round_id = await self.bet(paula, table_id, players)
        await paula.shows("DEAL PLAYER 1")
        await paula.scan("As", "As")
        await self.shoot(paula, "13-already-out")
        await paula.scan("9780201379624")
        await self.shoot(paula, "14-not-a-card")
        await paula.press("Escape")
        await expect(paula.page.get_by_text("What happened?")).to_be_visible()
        await self.shoot(paula, "15-what-happened")
        await self.shoot(max_, "30-floor-alarm")
        await max_.page.locator(f'[data-floor="{table_id}"]').click()
        await max_.page.mouse.move(0, 0)
        await max_.shows("What is to be done?")
        await self.shoot(max_, "31-incident-unnamed")
        await paula.press("2")
        await paula.shows("Show the card on the table to the camera.")
        await self.shoot(paula, "16-stopped")
        await self.shoot(max_, "31-incident")
        return round_id

    async def correct_and_resume(self, paula: Console, max_: Console) -> None:
        await max_.click("Correct a card Choose the wrong card, then the right one")
        await self.shoot(max_, "32-which-card")
        await max_.page.get_by_role("button", name="PLAYER 1 As", exact=True).click()
        await max_.page.mouse.move(0, 0)
        await max_.click("A of hearts")
        await max_.fill("Reason", "The camera shows hearts.")
        await self.shoot(max_, "32-correct-a-card")
        await max_.click("Confirm: Correct a card")
        await paula.card_at("player_1", "ace of hearts")
        await self.shoot(paula, "16-corrected")
        await max_.click("Resume The round goes on, with full time to decide")
        await max_.fill("Reason", "Corrected.")
        await self.shoot(max_, "33-resume")
        await max_.click("Confirm: Resume")
        await paula.shows("DEAL PLAYER 2")
        await self.shoot(paula, "17-resumed")
        await self.shoot(max_, "33-resumed")

    async def cancel(self, paula: Console, max_: Console, players: list[Player], round_id: str) -> None:
        await paula.press("Escape")
        await expect(paula.page.get_by_text("What happened?")).to_be_visible()
        await paula.press("5")
        await max_.shows("This class of incident allows only what is offered here.")
        await self.shoot(max_, "34-only-cancel")
        await max_.click("Cancel and refund Every bet goes back")
        await max_.fill("Reason", "Two cards at once.")
        await expect(max_.page.locator("[data-move]")).to_have_count(2)
        await self.shoot(max_, "34-preview")
        await max_.click("Confirm: Cancel and refund")
        await players[0].result(round_id)
        await paula.shows("ROUND CANCELLED")
        await self.shoot(paula, "17-cancelled")
        await self.shoot(max_, "34-ended")
        await max_.click("Change limits")
        await self.shoot(max_, "35-limits")
        await max_.fill("ANTE from", "0")
        await max_.fill("Reason", "A quiet evening")
        await max_.click("Change limits")
        await expect(max_.page.get_by_role("alert")).to_be_visible()
        await self.shoot(max_, "35-limits-refused")

    async def hand_over(self, table_id: str) -> None:
        """Somebody else comes to the table while paula is on shift."""
        other = await self.come("pest")
        await self.shoot(other, "02-choose-table-taken")
        await other.page.get_by_role("button", name=f"Table {table_id}").click()
        await other.shows("TAKE OVER FROM PAULA")
        await self.shoot(other, "03-hand-over")
        await other.page.context.close()

    async def rounds(self, max_: Console, table_id: str) -> None:
        await max_.click("Corrections")
        await self.shoot(max_, "36-no-corrections")
        await max_.click("Rounds")
        await max_.fill("Table", "nowhere")
        await max_.click("Search")
        await expect(max_.page.get_by_text("Nothing was found.")).to_be_visible()
        await self.shoot(max_, "36-rounds-none")
        await max_.fill("Table", table_id)
        await max_.click("Search")
        await expect(max_.page.get_by_role("button", name=f"{table_id}")).to_have_count(2)
        await self.shoot(max_, "36-rounds")
        await max_.page.get_by_role("button", name=f"{table_id}").last.click()
        await max_.shows("Settled")
        await self.shoot(max_, "37-replay")
        await max_.page.get_by_label("Replay").fill("4")
        await self.shoot(max_, "37-replay-earlier")

    async def correction(self, max_: Console) -> None:
        await max_.click("Correct this round")
        await max_.page.get_by_role("button", name="DEALER 1 Qh", exact=True).click()
        await max_.page.mouse.move(0, 0)
        await self.shoot(max_, "38-correct-this-round")
        await max_.click("8 of hearts")
        await expect(max_.page.locator("[data-move]")).to_have_count(2)
        await max_.fill("Reason", "The camera shows 8h.")
        await self.shoot(max_, "39-correction-preview")
        await max_.click("Propose correction")
        await expect(max_.page.get_by_text("Now a second person")).to_be_visible()
        await self.shoot(max_, "39-proposed")
        await max_.click("Corrections")
        await expect(max_.page.locator("[data-move]").first).to_be_visible()
        await self.shoot(max_, "40-same-person-refused")
        mona = await self.come("mona")
        await mona.click("Corrections")
        await expect(mona.page.locator("[data-move]").first).to_be_visible()
        await self.shoot(mona, "40-second-person")
        await mona.click("Approve")
        await expect(mona.page.get_by_text("settled anew")).to_be_visible()
        await self.shoot(mona, "40-approved")
        await mona.page.context.close()

    async def around(self, max_: Console) -> None:
        await max_.click("Audit log")
        await self.shoot(max_, "41-audit")
        await max_.click("Floor")
        await self.shoot(max_, "42-floor")
        await max_.page.context.set_offline(True)
        await max_.shows("NO CONNECTION")
        await self.shoot(max_, "43-floor-no-connection")
        await max_.page.context.set_offline(False)
        fiona = await self.come("fiona")
        await self.shoot(fiona, "44-finance-at-the-console")

    async def come_to_the_office(self) -> Console:
        return await self.come("fiona")
