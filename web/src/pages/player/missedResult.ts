// Result of a missed round, from the history.
import { api } from '../../lib/api';
import type { RoundResult } from '../../lib/protocol';
import type { Mishap } from './missedRound';

/** A result for the round that is still on the felt; a notice for any other. */
export async function learn(roundId: string, lying: string | null): Promise<{ result: RoundResult } | { mishap: Mishap } | null> {
  const game = await api.game(roundId).catch(() => null);
  if (game === null) return null;
  const { table_id, round_id, status, spots, staked, returned } = game;
  if (status === 'cancelled') {
    return { mishap: { kind: 'cancelled', amount: returned, incident: game.incidents.at(-1)?.incident_id ?? null } };
  }
  if (status === 'open' || !spots) return null;
  if (round_id !== lying) return { mishap: { kind: 'settled', game: game.game_number, net: returned - staked } };
  return { result: { table_id, round_id, status: 'settled', result: game.result, spots, staked, returned, balance: 0 } };
}
