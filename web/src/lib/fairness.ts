// The fairness promise of a machine-dealt shoe, checked here: nothing is taken on trust from the server.
import type { Card } from './protocol';

export interface RevealedShoe {
  deck: readonly string[];
  secret: string;
}

export type Fault = 'deck' | 'hash' | 'order';

const ranks = '23456789TJQKA';
const suits = 'cdhs';
const fullDeck = [...ranks].flatMap((rank) => [...suits].map((suit) => rank + suit)).sort();

/** SHA-256, in hexadecimal, of the ASCII text `secret:card card card …`. */
export async function commitmentOf(shoe: RevealedShoe): Promise<string> {
  const text = new TextEncoder().encode(`${shoe.secret}:${shoe.deck.join(' ')}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Everything wrong with a revealed shoe; nothing wrong proves the deal fair. `dealt` in the order it was dealt. */
export async function faultsOf(commitment: string, shoe: RevealedShoe, dealt: readonly Card[]): Promise<Fault[]> {
  const faults: Fault[] = [];
  if ([...shoe.deck].sort().join() !== fullDeck.join()) faults.push('deck');
  if ((await commitmentOf(shoe)) !== commitment) faults.push('hash');
  if (dealt.some((card, place) => shoe.deck[place] !== card)) faults.push('order');
  return faults;
}
