// Poker tables that need somebody: paused, or out of order.
import type { PokerFloorTable } from '../api';

export const isAlarmed = (table: PokerFloorTable): boolean => table.paused !== null || table.phase === 'stopped';

/** Tables that need somebody first. */
export const byUrgency = (one: PokerFloorTable, other: PokerFloorTable): number =>
  Number(isAlarmed(other)) - Number(isAlarmed(one)) || one.table_id.localeCompare(other.table_id);

/** Whether the words typed are in the name or the stake. */
export const isMeant = ({ name, pool }: { name: string; pool: string }, wanted: string): boolean =>
  `${name} ${pool}`.toLowerCase().includes(wanted.trim().toLowerCase());
