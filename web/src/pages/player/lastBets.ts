// Last bets of this player on this device, so that REPEAT works after a reload and at another table.
import type { Amounts } from './composer.svelte';

const kept = 'casino.bets';

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
