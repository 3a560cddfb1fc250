// Last bets of this player on this device, so that REPEAT works after a reload and at another table; and the open bet of a
// page that was closed or reloaded, so that the next page can say what became of it.
import { initialStake } from '../../lib/bets';
import type { Amounts } from './composer.svelte';
import type { Table } from './table.svelte';

const kept = 'casino.bets';
const open = (table: string): string => `casino.open.${table}`;

/** A bet that was open when its page was closed. */
interface Parted {
  player: string;
  round_id: string;
  staked: number;
}

interface Kept {
  player: string;
  latest: string;
  tables: Record<string, Amounts>;
}

function read(player: string): Kept {
  try {
    const found = JSON.parse(localStorage.getItem(kept) ?? 'null') as Kept | null;
    if (found?.player === player) return found;
  } catch {
    // What cannot be read is forgotten.
  }
  return { player, latest: '', tables: {} };
}

/** The last bets at this table, else the last ones anywhere. */
export function recall(player: string, table: string): Amounts | null {
  const { latest, tables } = read(player);
  return tables[table] ?? tables[latest] ?? null;
}

export function keep(player: string, table: string, { ante, trips }: Amounts): void {
  const { tables } = read(player);
  try {
    localStorage.setItem(kept, JSON.stringify({ player, latest: table, tables: { ...tables, [table]: { ante, trips } } } satisfies Kept));
  } catch {
    // A browser that keeps nothing repeats until it is loaded again.
  }
}

/** Notes the open bet of a table when its page is closed. */
export function follow(table: Table, player: string): void {
  globalThis.addEventListener?.('pagehide', () => {
    if (table.joinState === 'left') return;
    const { stored } = table.composer;
    const staked = table.joinState === 'here' && table.phase === 'betting' ? initialStake(stored) : 0;
    if (staked > 0) keep(player, table.id, stored);
    try {
      sessionStorage.removeItem(open(table.id));
      if (staked > 0) sessionStorage.setItem(open(table.id), JSON.stringify({ player, round_id: table.round?.round_id ?? '', staked } satisfies Parted));
    } catch {
      // A browser that keeps nothing cannot tell it later.
    }
  });
}

/** The open bet that the last page of this window left at the table. It is told once. */
export function parted(player: string, table: string): Parted | null {
  try {
    const found = JSON.parse(sessionStorage.getItem(open(table)) ?? 'null') as Parted | null;
    sessionStorage.removeItem(open(table));
    return found?.player === player ? found : null;
  } catch {
    return null;
  }
}
