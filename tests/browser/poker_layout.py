"""Layout of a poker table in a browser: seats, head line, tools and buttons lie over nothing and are cut nowhere."""

from typing import Final

from tests.browser.poker_people import Guest

_FAULTS: Final = """() => {
  const boxes = (from, selector) => [...from.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const parts = [];
  for (const seat of document.querySelectorAll('.seat:has(.plate)'))
    parts.push([`seat ${seat.dataset.seat}`, boxes(seat, '.plate, .card')]);
  for (const selector of ['h2', '.tools', '.actions button', '[data-own-seat] .row'])
    parts.push([selector, boxes(document, selector)]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const isCut = ({ left, top, right, bottom }) =>
    left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  const faults = parts.filter(([, own]) => own.some(isCut)).map(([name]) => `${name} is cut`);
  parts.forEach(([name, own], at) => {
    for (const [other, others] of parts.slice(at + 1))
      if (own.some((a) => others.some((b) => over(a, b)))) faults.push(`${name} and ${other}`);
  });
  return faults;
}"""


async def faults(guest: Guest) -> list[str]:
    found: list[str] = await guest.page.evaluate(_FAULTS)
    return found
