// Keyboard shortcuts of the poker tables. The first use asks the player whether they are wanted.
import { display } from './display.svelte';
import { actionOf, keyOf, type KeyAction } from './keyBindings';
import type { PokerSession } from './pokerSession.svelte';

const manySteps = 5;
const arrows = /Arrow|Home|End|Page/;
/** A key that is held down repeats these alone. */
const repeated: readonly KeyAction[] = ['more', 'less', 'muchMore', 'muchLess'];

/** Whether the key belongs to what has the focus: text, a list, a slider's arrows, a button's space bar. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], select, textarea')) return true;
  if (target instanceof HTMLInputElement) return target.type === 'range' ? arrows.test(key) : target.type !== 'checkbox' || key === 'Space';
  return key === 'Space' && target.closest('button, a, summary') !== null;
}

export function onKey(event: KeyboardEvent, session: PokerSession): void {
  const key = keyOf(event);
  const table = session.active;
  if (key === null || table === null || session.shown !== 'tables' || isTaken(event.target, key)) return;
  const action = actionOf(display.bindings, key);
  // With one table, Tab moves the focus as everywhere.
  if (action === null || (action === 'nextTable' && session.tables.length < 2)) return;
  if (!display.keys) {
    // Tab and Escape have a meaning without shortcuts: they ask nothing.
    if (display.keys === null && table.mustAct && key.length === 1) session.asksForKeys = true;
    return;
  }
  event.preventDefault();
  if (event.repeat && !repeated.includes(action)) return;
  const { box } = table;
  const perform: Record<KeyAction, () => unknown> = {
    fold: () => box.fold(),
    call: () => box.checkOrCall(),
    raise: () => box.raiseByKey(),
    size1: () => box.preset(0),
    size2: () => box.preset(1),
    size3: () => box.preset(2),
    size4: () => box.preset(3),
    size5: () => box.preset(4),
    more: () => box.step(1),
    less: () => box.step(-1),
    muchMore: () => box.step(manySteps),
    muchLess: () => box.step(-manySteps),
    nextTable: () => session.nextTable(),
    foldAhead: () => table.foldAhead(),
    lastHand: () => session.toggleLastHand(table),
    amounts: () => display.change({ inBigBlinds: !display.inBigBlinds }),
    clear: () => (table.replay ? (table.replay = null) : box.reset()),
  };
  perform[action]();
}
