// Result of a missed round, from the history.
import { api, ApiError } from '../../lib/api';
import type { RoundResult } from '../../lib/protocol';
import type { Mishap } from './missedRound';

/** A result for the round that is still on the felt; a notice for any other. A bet that was open when the connection was
 * lost stands if the service noticed the loss after betting had closed. Otherwise the history has no such round, and
 * `open` was returned. */
export async function learn(roundId: string, lying: string | null, open = 0): Promise<{ result: RoundResult } | { mishap: Mishap } | null> {
  const game = await api.game(roundId).catch((error: unknown) => (error instanceof ApiError && error.status === 404 ? 'unknown' : null));
  if (game === 'unknown' && open > 0) return { mishap: { kind: 'returned', amount: open } };
  if (game === null || game === 'unknown') return null;
  const { table_id, round_id, status, spots, staked, returned } = game;
  if (status === 'cancelled') {
    return { mishap: { kind: 'cancelled', amount: returned, incident: game.incidents.at(-1)?.incident_id ?? null } };
  }
  if (status === 'open' || !spots) return null;
  if (round_id !== lying) return { mishap: { kind: 'settled', game: game.game_number, net: returned - staked } };
  return { result: { table_id, round_id, status: 'settled', result: game.result, spots, staked, returned, balance: 0 } };
}
