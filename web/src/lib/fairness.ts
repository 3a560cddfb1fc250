// Verifier of fairness proofs, independent of the service's own: docs/fairness.md specifies every byte.
// A proof is checked against what this page received itself: the commitment before betting, and the cards settled on.
import type { Card, Round } from './protocol';

export interface Proof {
  version: 1 | 2;
  table_id: string;
  round_id: string;
  commitment: string;
  deck: Card[];
  dealt: Card[];
  slots: string[];
  /** Version 1. */
  secret?: string;
  /** Version 2. */
  server_seed?: string;
  seeds?: { player: string; seed: string }[];
  own_id?: string;
}

/** What this page knows by itself about a round. */
export interface Witnessed {
  commitment: string;
  cards: Readonly<Record<string, Card>>;
  seed: string | null;
}

export type Fault = 'deck' | 'hash' | 'order' | 'seed';

const startOrder = [...'23456789TJQKA'].flatMap((rank) => [...'cdhs'].map((suit) => (rank + suit) as Card));
const after = ['flop_1', 'flop_2', 'flop_3', 'turn', 'river', 'dealer_1', 'dealer_2'];
const sharedSlots = ['player_1', 'player_2', ...after];
const ownSlots = [...[1, 2, 3, 4, 5, 6, 7].flatMap((seat) => [`seat_${seat}_card_1`, `seat_${seat}_card_2`]), ...after];

const ascii = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hex = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256 = async (text: string): Promise<string> => hex(await crypto.subtle.digest('SHA-256', ascii(text)));

/** Version 1: SHA-256, in hexadecimal, of the ASCII text `secret:card card card …`. */
export const commitmentOfShoe = (secret: string, deck: readonly Card[]): Promise<string> => sha256(`${secret}:${deck.join(' ')}`);

/** Version 2: the commitment binds table, round and server seed. */
export const commitmentOf = (table: string, round: string, serverSeed: string): Promise<string> => sha256(`v2|${table}|${round}|${serverSeed}`);

async function keyOf(serverSeed: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(serverSeed.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

/** Under which id the seed of this account is listed in the proof. */
export async function opaquePlayer(table: string, round: string, serverSeed: string, userId: string): Promise<string> {
  return hex(await crypto.subtle.sign('HMAC', await keyOf(serverSeed), ascii(`v2|${table}|${round}|player|${userId}`))).slice(0, 16);
}

/** Fisher–Yates, driven by 32-bit words of HMAC-SHA256; words that would favour low places are rejected. */
export async function deckOf(table: string, round: string, serverSeed: string, seeds: Proof['seeds'] = []): Promise<Card[]> {
  const key = await keyOf(serverSeed);
  const listed = seeds.map(({ player, seed }) => ({ player, seed }));
  const message = `v2|${table}|${round}|${JSON.stringify(listed)}`;
  const words: number[] = [];
  let blocks = 0;
  const next = async (): Promise<number> => {
    if (words.length === 0) {
      const block = new DataView(await crypto.subtle.sign('HMAC', key, ascii(`${message}|${blocks++}`)));
      for (let at = 0; at < block.byteLength; at += 4) words.push(block.getUint32(at));
    }
    return words.shift()!;
  };
  const deck = [...startOrder];
  for (let last = 51; last > 0; last -= 1) {
    const limit = 2 ** 32 - (2 ** 32 % (last + 1));
    let word = await next();
    while (word >= limit) word = await next();
    const chosen = word % (last + 1);
    [deck[last], deck[chosen]] = [deck[chosen]!, deck[last]!];
  }
  return deck;
}

/** The cards of a round that this page has seen, by the names of their places. */
export function cardsOf({ player_cards, seats, board, dealer_cards }: Round): Record<string, Card> {
  const cards: Record<string, Card> = {};
  player_cards.forEach((card, at) => (cards[`player_${at + 1}`] = card));
  for (const seat of seats ?? []) {
    seat.player_cards.forEach((card, at) => (cards[`seat_${seat.seat_no}_card_${at + 1}`] = card));
  }
  [...board, ...dealer_cards].forEach((card, at) => (cards[after[at < board.length ? at : 5 + at - board.length]!] = card));
  return cards;
}

const isSorted = (seeds: NonNullable<Proof['seeds']>): boolean =>
  seeds.every(({ player, seed }, at) => /^[ -~]{1,64}$/.test(seed) && (at === 0 || seeds[at - 1]!.player < player));

async function isCommitted(proof: Proof, commitment: string): Promise<boolean> {
  const { table_id, round_id, server_seed = '', secret = '' } = proof;
  if (proof.version === 1) return (await commitmentOfShoe(secret, proof.deck)) === commitment;
  return /^[0-9a-f]{64}$/.test(server_seed) && (await commitmentOf(table_id, round_id, server_seed)) === commitment;
}

async function isDeck({ version, table_id, round_id, server_seed = '', seeds = [], deck }: Proof): Promise<boolean> {
  if (version === 1) return [...deck].sort().join() === [...startOrder].sort().join();
  return isSorted(seeds) && (await deckOf(table_id, round_id, server_seed, seeds)).join() === deck.join();
}

function isDealtFrom({ version, deck, dealt, slots }: Proof): boolean {
  const seated = ownSlots.slice(0, 14).filter((slot) => slots.some((one) => one.slice(0, 6) === slot.slice(0, 6)));
  const places = seated.length > 0 ? ownSlots : sharedSlots;
  const inOrder = seated.length > 0 ? [...seated, ...after] : sharedSlots;
  if (slots.length !== dealt.length || slots.join() !== inOrder.slice(0, slots.length).join()) return false;
  return dealt.every((card, at) => card === deck[version === 1 ? at : places.indexOf(slots[at]!)]);
}

/** Everything wrong with a proof; nothing wrong proves the round fair. */
export async function faultsOf(proof: Proof, seen: Witnessed): Promise<Fault[]> {
  const faults: Fault[] = [];
  if (proof.commitment !== seen.commitment || !(await isCommitted(proof, seen.commitment))) faults.push('hash');
  if (!(await isDeck(proof))) faults.push('deck');
  const inProof = new Map(proof.slots.map((slot, at) => [slot, proof.dealt[at]]));
  const sameCards = Object.entries(seen.cards).every(([slot, card]) => inProof.get(slot) === card);
  if (!isDealtFrom(proof) || !sameCards) faults.push('order');
  const own = proof.seeds?.find(({ player }) => player === proof.own_id)?.seed ?? null;
  if (seen.seed !== null && (proof.version !== 2 || own !== seen.seed)) faults.push('seed');
  return faults;
}
