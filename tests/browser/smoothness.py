"""Browser cost of four tables, measured: `python -m tests.browser.smoothness [SECONDS]`, or `make smoothness`.

Four machine tables are played beside each other. Told are the long tasks as the browser itself reports them (by the
wall clock, so whatever else the machine does counts too); and then, while Chromium writes down what its threads do,
what the page's own thread spent on each frame and on what (processor time, which only the page causes), and which
frames were shown in time, with the stage the late ones waited in. The one comes before the other: handing over what
was written down keeps both cores busy and makes tasks long by itself. Without a GPU the pixels are drawn by the
processor as well: that is a stage of its own.
"""

import asyncio
import json
import sys
from collections import Counter, defaultdict
from typing import Any, Final

from playwright.async_api import CDPSession, async_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.browser.people import CALM, Screen, Visitors
from tests.live.service import Kind, LiveService, started_service

Event = dict[str, Any]
KINDS = {"machine": Kind(4, dealing="auto", seconds=CALM | {"betting": 5.0, "card": 0.2})}
CATEGORIES = "toplevel,devtools.timeline,disabled-by-default-devtools.timeline,cc,benchmark"
WORK: Final = {
    "script": ("FunctionCall", "EvaluateScript", "FireAnimationFrame", "TimerFire", "RunMicrotasks"),
    "style": ("UpdateLayoutTree",),
    "layout": ("Layout",),
    "paint": ("PrePaint", "Paint", "Layerize", "Commit"),
}
STAGES: Final = {
    "SendBeginMainFrameToCommit": "page",
    "Commit": "commit",
    "EndCommitToActivation": "drawing tiles",
    "Activation": "activation",
    "EndActivateToSubmitCompositorFrame": "compositor",
    "SubmitCompositorFrameToPresentationCompositorFrame": "drawing the screen",
}
LONG_MS = 50
FRAME_MS = 1000 / 60
# A page has one mouse for all its tables, so the player sits inside it: bets on empty spots, plays in decisions.
PLAYER = """() => {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ type: 'longtask' });
  setInterval(() => {
    for (const table of document.querySelectorAll('[data-table]')) {
      const ante = table.querySelector('[data-spot="ante"]');
      if (!ante.querySelector('.amount')) ante.click();
      table.querySelector('.options button')?.click();
    }
  }, 400);
}"""


async def four_tables(visitors: Visitors, service: LiveService) -> list[Screen]:
    tables = [service.table("machine") for _ in range(4)]
    first = await visitors.guest(tables[0])
    for table_id in tables[1:]:
        await first.page.get_by_role("button", name="Add table").click()
        await first.page.get_by_role("button", name=f"Add table: Table {table_id}", exact=True).click()
    return [Screen(first.page, table_id) for table_id in tables]


async def traced(cdp: CDPSession, seconds: float) -> list[Event]:
    events: list[Event] = []
    done = asyncio.Event()
    cdp.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    cdp.on("Tracing.tracingComplete", lambda _: done.set())
    await cdp.send("Tracing.start", {"categories": CATEGORIES, "transferMode": "ReportEvents"})
    await asyncio.sleep(seconds)
    await cdp.send("Tracing.end")
    await done.wait()
    return events


def on_page(events: list[Event]) -> list[Event]:
    """What the thread of the page did, in the order it began."""
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    here = [event for event in events if event.get("ph") == "X" and (event["pid"], event["tid"]) in main]
    return sorted(here, key=lambda event: (event["ts"], -event.get("dur", 0)))


def spent_on(here: list[Event]) -> dict[str, int]:
    """Processor time by kind of work. Work inside other work counts once, for what it is itself."""
    kinds = {name: kind for kind, names in WORK.items() for name in names}
    spent: Counter[str] = Counter()
    open_work: list[tuple[float, str]] = []
    for event in here:
        if event["name"] not in kinds:
            continue
        while open_work and open_work[-1][0] <= event["ts"]:
            open_work.pop()
        if open_work:
            spent[open_work[-1][1]] -= event.get("tdur", 0)
        spent[kinds[event["name"]]] += event.get("tdur", 0)
        open_work.append((event["ts"] + event.get("dur", 0), kinds[event["name"]]))
    return {kind: round(micro / 1000) for kind, micro in spent.most_common()}


def rendering(here: list[Event]) -> list[float]:
    """Processor time, in ms, of each task in which the page made a frame."""
    frames: list[float] = []
    task: Event | None = None
    for event in here:
        if event["name"] == "RunTask":
            task = event
        elif event["name"] == "Commit" and task is not None and event["ts"] < task["ts"] + task["dur"]:
            frames.append(task.get("tdur", 0) / 1000)
            task = None
    return frames


def shown(events: list[Event]) -> dict[str, Any]:
    """Returns the share of visible frames in time, and the duration of the stages of a frame."""
    states: Counter[str] = Counter()
    begun: dict[tuple[str, str], float] = {}
    stages: defaultdict[str, list[float]] = defaultdict(list)
    for event in events:
        if event.get("name") == "PipelineReporter" and event["ph"] == "b":
            reporter = event["args"]["frame_reporter"]
            if reporter.get("frame_type") != "FORKED":
                states[reporter["state"].removeprefix("STATE_").lower()] += 1
                states["jerks"] += reporter["affects_smoothness"]
        elif event.get("name") in STAGES and "id2" in event:
            key = (event["name"], event["id2"]["local"])
            if event["ph"] == "b":
                begun[key] = event["ts"]
            elif key in begun:
                stages[STAGES[event["name"]]].append((event["ts"] - begun.pop(key)) / 1000)
    return {"frames": dict(states), "stages, ms": {stage: spread(found) for stage, found in stages.items()}}


def spread(found: list[float]) -> dict[str, float]:
    ordered = sorted(found) or [0.0]
    at = {"median": len(ordered) // 2, "p95": len(ordered) * 95 // 100, "longest": -1}
    return {name: round(ordered[place], 1) for name, place in at.items()}


def summary(events: list[Event], long_tasks: list[float]) -> dict[str, Any]:
    here = on_page(events)
    tasks = [event for event in here if event["name"] == "RunTask"]
    busy = [event.get("tdur", 0) / 1000 for event in tasks]
    waited = sum(event["dur"] - event.get("tdur", 0) for event in tasks) / sum(event["dur"] for event in tasks)
    frames = rendering(here)
    return {
        "long tasks the browser reports": {"count": len(long_tasks), "longest, ms": round(max(long_tasks, default=0))},
        "tasks over 50 ms of processor time": sum(ms > LONG_MS for ms in busy),
        "longest tasks, ms of processor time": [round(ms, 1) for ms in sorted(busy, reverse=True)[:5]],
        "share of its tasks the page waited for a processor": round(waited, 2),
        "processor time of the page, ms": {"all tasks": round(sum(busy))} | spent_on(here),
        "frames made by the page": {"count": len(frames), "over a frame's time": sum(ms > FRAME_MS for ms in frames)}
        | {f"{name}, ms": ms for name, ms in spread(frames).items()},
    } | shown(events)


async def measure(seconds: float) -> None:
    with started_service(KINDS, staff=()) as service:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            visitors = Visitors(browser, service.address)
            screens = await four_tables(visitors, service)
            page = screens[0].page
            cdp = await page.context.new_cdp_session(page)
            await page.evaluate(PLAYER)
            for screen in screens:  # what is fetched once is fetched
                await screen.table.get_by_role("region", name="Results").wait_for(timeout=60_000)
            await page.evaluate("longTasks.length = 0")
            await asyncio.sleep(seconds)
            long_tasks = await page.evaluate("longTasks")
            found = summary(await traced(cdp, seconds), long_tasks)
            sys.stdout.write(json.dumps(found, indent=1) + "\n")
            await browser.close()


if __name__ == "__main__":
    asyncio.run(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 30))
