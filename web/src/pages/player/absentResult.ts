// Result of a round at a table that the player has left, from the history.
import { api, type Game } from '../../lib/api';

const firstMs = 2_000;
const lastMs = 15_000;

/** Waits until the round has ended. Null once the player is back at the table, which shows the result itself. */
export async function absentResult(roundId: string, isBack: () => boolean): Promise<Game | null> {
  for (let pauseMs = firstMs; ; pauseMs = Math.min(pauseMs * 1.2, lastMs)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (isBack()) return null;
    const game = await api.game(roundId).catch(() => null);
    if (game !== null && game.status !== 'open') return game;
  }
}
