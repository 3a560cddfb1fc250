// The time left of a turn: decision time first, then the time bank, or the protection of a lost connection.
import type { ServerClock } from '../../lib/clock';
import { ticking } from '../../lib/now.svelte';
import type { Turn } from '../../lib/protocol';

export interface TurnClock {
  stage: 'decision' | 'bank' | 'protection';
  leftMs: number;
  /** A whole ring. */
  windowMs: number;
}

const windows = { decision: 15_000, bank: 30_000, protection: 20_000 } as const;

/** Renewed with every beat of the page; null when all time is over. */
export function turnClock(turn: Pick<Turn, 'deadline' | 'bank_until' | 'protection_until'> | null, clock: ServerClock): TurnClock | null {
  if (turn === null) return null;
  ticking();
  const stages = [
    ['decision', turn.deadline],
    ['protection', turn.protection_until],
    ['bank', turn.bank_until],
  ] as const;
  for (const [stage, until] of stages) {
    const leftMs = until === null ? 0 : clock.msUntil(until);
    if (leftMs > 0) return { stage, leftMs, windowMs: windows[stage] };
  }
  return null;
}
