// Which key does what at the poker tables. Each action has one key, and each key one action.

export const keyActions = [
  'fold',
  'call',
  'raise',
  'size1',
  'size2',
  'size3',
  'size4',
  'size5',
  'more',
  'less',
  'muchMore',
  'muchLess',
  'nextTable',
  'foldAhead',
  'lastHand',
  'amounts',
  'clear',
] as const;
export type KeyAction = (typeof keyActions)[number];
export type Bindings = Readonly<Record<KeyAction, string>>;

export const usualBindings: Bindings = {
  fold: 'F',
  call: 'C',
  raise: 'R',
  size1: '1',
  size2: '2',
  size3: '3',
  size4: '4',
  size5: '5',
  more: 'ArrowUp',
  less: 'ArrowDown',
  muchMore: 'Shift+ArrowUp',
  muchLess: 'Shift+ArrowDown',
  nextTable: 'Tab',
  foldAhead: 'Space',
  lastHand: 'L',
  amounts: 'B',
  clear: 'Escape',
};

const shown: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' };
const modifiers = ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Dead'];

/** The key of an event as it is kept: `F`, `Space`, `Shift+ArrowUp`; null for keys that mean nothing by themselves. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>): string | null {
  if (event.ctrlKey || event.altKey || event.metaKey || modifiers.includes(event.key)) return null;
  if (event.key === ' ') return 'Space';
  if (event.key.length === 1) return event.key.toUpperCase();
  return event.shiftKey ? `Shift+${event.key}` : event.key;
}

/** As people read it. */
export const keyText = (key: string): string =>
  key
    .split('+')
    .map((part) => shown[part] ?? part)
    .join(' ');

export const actionOf = (bindings: Bindings, key: string): KeyAction | null =>
  keyActions.find((action) => bindings[action] === key) ?? null;

/** The bindings with this key for this action; the action that had the key gets the other's. */
export function bound(bindings: Bindings, action: KeyAction, key: string): Bindings {
  const other = actionOf(bindings, key);
  return { ...bindings, ...(other === null ? {} : { [other]: bindings[action] }), [action]: key };
}
