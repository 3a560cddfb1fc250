// The address of what is shown: `#lobby/mine` is a tab, `#tournament/ID` a tournament, `#history` the own hands,
// `#hand/ID` one of them. It can be kept, shared between own devices, and opened again.

export const tabs = ['cash', 'sng', 'hexapro', 'tournaments', 'mine'] as const;
export type Tab = (typeof tabs)[number];

export type Address =
  | { view: 'tables' }
  | { view: 'lobby'; tab: Tab }
  | { view: 'tournament'; id: string }
  | { view: 'history'; hand: string | null };

/** What an address names; parts the page doesn't know name the tables. */
export function read(hash: string): Address {
  const [view = '', part = ''] = hash.slice(1).split('/');
  if (view === 'lobby') return { view, tab: tabs.find((tab) => tab === part) ?? 'cash' };
  if (view === 'history') return { view, hand: null };
  if (view === 'tournament' && /^[a-z0-9-]{1,20}$/.test(part)) return { view, id: part };
  if (view === 'hand' && /^[A-Za-z0-9_-]{1,40}$/.test(part)) return { view: 'history', hand: part };
  return { view: 'tables' };
}

export function write(address: Address): string {
  if (address.view === 'lobby') return `#lobby/${address.tab}`;
  if (address.view === 'tournament') return `#tournament/${address.id}`;
  if (address.view === 'history') return address.hand === null ? '#history' : `#hand/${address.hand}`;
  return '#';
}
