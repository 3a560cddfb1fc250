"""What four tables cost the browser, measured: `python -m tests.browser.smoothness [SECONDS]`.

Four machine tables are played beside each other while Chromium writes down what its main thread does. Told
is the processor's time of each task, which does not depend on what else the machine is busy with.
"""

import asyncio
import json
import sys
from collections import Counter
from typing import Any

from playwright.async_api import CDPSession, async_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.people import CALM, Screen, Visitors
from tests.live.house import House, Kind, open_house

KINDS = {"machine": Kind(4, dealing="auto", seconds=CALM | {"betting": 5.0, "card": 0.2})}
CATEGORIES = "toplevel,devtools.timeline,disabled-by-default-devtools.timeline"
WORK = ("Paint", "Layout", "UpdateLayoutTree", "PrePaint", "Layerize", "FunctionCall", "Commit", "HitTest")
LONG_MS = 50
# A page has one mouse for all its tables, so the player sits inside it: bets where nothing lies, plays when asked.
PLAYER = """() => setInterval(() => {
  for (const table of document.querySelectorAll('[data-table]')) {
    const ante = table.querySelector('[data-spot="ante"]');
    if (!ante.querySelector('.amount')) ante.click();
    table.querySelector('.options button')?.click();
  }
}, 400)"""


async def four_tables(visitors: Visitors, house: House) -> list[Screen]:
    tables = [house.table("machine") for _ in range(4)]
    first = await visitors.guest(tables[0])
    for table_id in tables[1:]:
        await first.page.get_by_role("button", name="Add a table").click()
        await first.page.get_by_role("button", name=f"Play beside: Table {table_id}", exact=True).click()
    return [Screen(first.page, table_id) for table_id in tables]


async def traced(cdp: CDPSession, seconds: float) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    done = asyncio.Event()
    cdp.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    cdp.on("Tracing.tracingComplete", lambda _: done.set())
    await cdp.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReportEvents"})
    await asyncio.sleep(seconds)
    await cdp.send("Tracing.end")
    await done.wait()
    return events


def told(events: list[dict[str, Any]]) -> dict[str, Any]:
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    here = [event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) in main]
    tasks = sorted((event.get("tdur", 0) / 1000 for event in here if event["name"] == "RunTask"), reverse=True)
    spent: Counter[str] = Counter()
    for event in here:
        if event["name"] in WORK:
            spent[event["name"]] += event.get("tdur", 0)
    paints = [event.get("tdur", 0) / 1000 for event in here if event["name"] == "Paint"]
    return {
        "tasks over 50 ms": sum(task > LONG_MS for task in tasks),
        "longest tasks, ms": [round(task, 1) for task in tasks[:8]],
        "all tasks, ms": round(sum(tasks)),
        "paints": len(paints),
        "ms": {name: round(micro / 1000) for name, micro in spent.most_common()},
    }


async def measure(seconds: float) -> None:
    with open_house(KINDS, staff=()) as house:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            visitors = Visitors(browser, house.address)
            screens = await four_tables(visitors, house)
            page = screens[0].page
            cdp = await page.context.new_cdp_session(page)
            await page.evaluate(PLAYER)
            for screen in screens:  # what is fetched once is fetched
                await screen.table.get_by_role("region", name="Results").wait_for(timeout=60_000)
            found = told(await traced(cdp, seconds))
            sys.stdout.write(json.dumps(found, indent=1) + "\n")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 30))
