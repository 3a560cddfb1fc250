// Keyboard shortcuts of the poker tables. They are off until the player switches them on.
import { display } from './display.svelte';
import type { PokerSession } from './pokerSession.svelte';

const fewSteps = 1;
const manySteps = 5;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, select, textarea, [role="dialog"]') !== null;
}

export function onKey(event: KeyboardEvent, session: PokerSession): void {
  if (!display.keys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const box = session.active?.box;
  if (!box || event.repeat) return;
  const steps = event.shiftKey ? manySteps : fewSteps;
  const done: Record<string, () => void> = {
    f: () => box.fold(),
    c: () => box.checkOrCall(),
    r: () => box.raiseByKey(),
    b: () => display.change({ inBigBlinds: !display.inBigBlinds }),
    arrowup: () => box.step(steps),
    arrowdown: () => box.step(-steps),
    escape: () => box.reset(),
    tab: () => next(session),
  };
  const digit = /^[1-9]$/.exec(event.key);
  const act = digit ? () => box.preset(Number(digit[0]) - 1) : done[event.key.toLowerCase()];
  // With one table, Tab moves the focus as everywhere.
  if (!act || (event.key === 'Tab' && session.tables.length < 2)) return;
  event.preventDefault();
  act();
}

function next(session: PokerSession): void {
  const at = session.tables.findIndex(({ id }) => id === session.activeId);
  session.activeId = session.tables[(at + 1) % session.tables.length]?.id ?? null;
}
