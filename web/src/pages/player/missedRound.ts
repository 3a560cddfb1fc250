// Detects from a snapshot that the player missed the end of a round with their bet.
import type { Joined, Phase } from '../../lib/protocol';

export type Mishap =
  | { kind: 'returned'; amount: number }
  | { kind: 'cancelled'; amount: number; incident: string | null }
  | { kind: 'settled'; game: string; net: number };

/** What this window knew before the connection was lost. */
interface Known {
  round_id: string | null;
  phase: Phase;
  hasBet: boolean;
  isEndKnown: boolean;
}

/** The round with this player's bets whose end was missed. */
export function missed(known: Known, { round, seat }: Joined): string | null {
  if (round.phase === 'settled' && seat.bets.ante > 0 && !known.isEndKnown) return round.round_id;
  const isOver = ['idle', 'betting', 'settled', 'cancelled'].includes(known.phase);
  if (isOver || !known.hasBet || known.round_id === null) return null;
  return round.round_id !== known.round_id || round.phase === 'cancelled' ? known.round_id : null;
}
