// What became of a bet while its player could not be told: the snapshot shows that something was missed, and the
// history knows how it ended.
import { house } from '../../lib/api';
import type { Joined, Phase, RoundResult } from '../../lib/protocol';

export type Mishap =
  | { kind: 'returned'; amount: number }
  | { kind: 'cancelled'; amount: number; incident: string | null }
  | { kind: 'settled'; game: string; net: number };

/** What this window knew before the connection was lost. */
interface Known {
  round_id: string | null;
  phase: Phase;
  isIn: boolean;
  isEndKnown: boolean;
}

/** The round this player had bets in and whose end was not heard. */
export function missed(known: Known, { round, seat }: Joined): string | null {
  if (round.phase === 'settled' && seat.bets.ante > 0 && !known.isEndKnown) return round.round_id;
  const isOver = ['idle', 'betting', 'settled', 'cancelled'].includes(known.phase);
  if (isOver || !known.isIn || known.round_id === null) return null;
  return round.round_id !== known.round_id || round.phase === 'cancelled' ? known.round_id : null;
}

/** A result for the round that still lies on the felt, a mishap to be told for every other. */
export async function learn(roundId: string, lying: string | null): Promise<{ result: RoundResult } | { mishap: Mishap } | null> {
  const game = await house.game(roundId).catch(() => null);
  if (game === null) return null;
  const { table_id, round_id, status, spots, staked, returned } = game;
  if (status === 'cancelled') {
    return { mishap: { kind: 'cancelled', amount: returned, incident: game.incidents.at(-1)?.incident_id ?? null } };
  }
  if (status === 'open' || !spots) return null;
  if (round_id !== lying) return { mishap: { kind: 'settled', game: game.game_number, net: returned - staked } };
  return { result: { table_id, round_id, status: 'settled', result: game.result, spots, staked, returned, balance: 0 } };
}
