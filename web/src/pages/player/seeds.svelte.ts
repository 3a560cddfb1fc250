// Record of the values this page received about each round: the commitment published before betting, the result, and the
// seed sent with the bet. Fairness proofs are checked against it.
import type { Round } from '../../lib/protocol';

export interface Testimony {
  commitment: string;
  seed: string | null;
  ended: Round | null;
}

const key = 'fairness';
const roundsMax = 50;
const lengthMax = 64;
let rounds: Record<string, Testimony> = {};
try {
  rounds = JSON.parse(localStorage.getItem(key) ?? '{}') as typeof rounds;
} catch {
  // Without storage the page remembers for as long as it is open.
}

export const testimonyOf = (id: string): Testimony | undefined => rounds[id];

function keep(id: string, testimony: Testimony): void {
  rounds = Object.fromEntries([...Object.entries({ ...rounds, [id]: testimony })].slice(-roundsMax));
  try {
    localStorage.setItem(key, JSON.stringify(rounds));
  } catch {
    // As above.
  }
}

/** The seed this player contributes to the shuffle: random for every round, unless the player has chosen one. */
class Seed {
  /** What the player has typed; empty for a random one in every round. */
  #chosen = $state('');
  readonly #random = new Map<string, string>();

  get chosen(): string {
    return this.#chosen;
  }

  /** Only printable ASCII is hashed alike everywhere: other characters never enter the field. */
  set chosen(typed: string) {
    this.#chosen = typed.replace(/[^ -~]/g, '').slice(0, lengthMax);
  }

  /** The random seed of this round, the same from the first look at it to the last bet. */
  random(round: string): string {
    const known = this.#random.get(round) ?? crypto.getRandomValues(new Uint32Array(3)).join('-');
    this.#random.set(round, known);
    return known;
  }

  /** The seed for a bet in this round: 1 to 64 printable ASCII characters. */
  for(round: string): string {
    return this.#chosen || this.random(round);
  }
}

export const seed = new Seed();

/** A commitment counts only if it was received while betting was open; later ones never replace it. */
export function see(round: Round): void {
  const { round_id: id, commitment, phase } = round;
  if (!id || !commitment) return;
  const known = rounds[id];
  if (!known && phase === 'betting') keep(id, { commitment, seed: null, ended: null });
  else if (known && ['settled', 'cancelled'].includes(phase)) keep(id, { ...known, ended: round });
}

type Message = { table_id: string; round_id: string; ante: number; trips: number; seed?: string };

/** Send a bet with this player's seed; without one where a presenter deals. */
export async function bet<T extends { ok: boolean }>(message: Message, send: (message: Message) => Promise<T>): Promise<T> {
  const id = message.round_id;
  const sent = rounds[id] && message.ante > 0 ? seed.for(id) : null;
  const answer = await send(sent === null ? message : { ...message, seed: sent });
  const known = rounds[id];
  if (known && answer.ok) keep(id, { ...known, seed: sent });
  return answer;
}
