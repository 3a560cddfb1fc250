// A stake as people call it.
import { lang } from '../../../lib/language.svelte';
import type { PokerPool } from '../../../lib/protocol';
import { words } from '../words.svelte';

export const blindsOf = ({ blinds: { sb, bb } }: PokerPool): string => `${lang.money(sb)}/${lang.money(bb)}`;

export const stakeName = (pool: PokerPool): string => [blindsOf(pool), words.w.format[pool.format]].filter(Boolean).join(' ');

/** The name of a pool that may be gone by now. */
export function poolName(pools: readonly PokerPool[], id: string): string {
  const pool = pools.find((one) => one.pool === id);
  if (id.startsWith('tournament:')) return words.w.lobby.tournament;
  return pool ? `${words.w.game[pool.game]} ${stakeName(pool)}` : id.split(':')[0]!;
}
