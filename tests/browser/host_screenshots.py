"""Screenshots of the host console in its states: `python -m tests.browser.host_screenshots FOLDER`.

They are for people to look at; nothing is compared.
"""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import async_playwright, expect

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.host_album import KINDS
from tests.browser.host_managers import Managers
from tests.browser.host_presenters import Presenters
from tests.live.clients import clients_of
from tests.live.service import started_service


class Evening(Presenters, Managers):
    async def all(self) -> None:
        await self.signing_in()
        paula, max_ = await self.come("paula"), await self.come("max")
        players, table_id = await self.clients.players(2), self.service.table("live")
        await self.whole_round(paula, players, table_id)
        round_id = await self.wrong_cards_and_stop(paula, max_, players, table_id)
        await self.correct_and_resume(paula, max_)
        await self.cancel(paula, max_, players, round_id)
        await self.hand_over(table_id)
        await self.leave(paula)
        await self.rounds(max_, table_id)
        await self.correction(max_)
        await self.own_hands(paula)
        await self.count(paula)
        await self.practice(paula)
        await paula.page.context.close()  # the tables she was on shift at have an alarm now
        await self.around(max_)


async def shoot_all(folder: Path) -> None:
    expect.set_options(timeout=15_000)
    with started_service(KINDS, staff=("paula", "max", "mona", "fiona", "pest")) as service:
        async with clients_of(service) as clients, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            await Evening(browser, service, clients, folder).all()
            await browser.close()


if __name__ == "__main__":
    wanted = Path(sys.argv[1])
    wanted.mkdir(parents=True, exist_ok=True)
    asyncio.run(shoot_all(wanted))
