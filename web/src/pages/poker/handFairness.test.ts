import { beforeAll, describe, expect, it } from 'vitest';
import type { Card, DealtIn, DeckProof } from '../../lib/protocol';
import { checkHand } from './handFairness';
import type { PastHand, PastView } from './pokerApi';

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const text = (written: string): Uint8Array => new TextEncoder().encode(written);
const sha = async (...parts: Uint8Array[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((part) => [...part]))));
const saltAt = (at: number): Promise<Uint8Array> => sha(text(`salt ${at}`));
const order = [...'23456789TJQKA'].flatMap((rank) => [...'cdhs'].map((suit) => (rank + suit) as Card));

/** Levels of the tree over a deck, the leaves first. */
async function treeOf(deck: readonly Card[]): Promise<Uint8Array[][]> {
  const leaves = await Promise.all(deck.map(async (card, at) => sha(await saltAt(at), Uint8Array.of(at), text(card))));
  const levels = [[...leaves, ...Array.from({ length: 64 - leaves.length }, () => new Uint8Array(32))]];
  while (levels.at(-1)!.length > 1) {
    const below = levels.at(-1)!;
    levels.push(await Promise.all(Array.from({ length: below.length / 2 }, (_, at) => sha(below[2 * at]!, below[2 * at + 1]!))));
  }
  return levels;
}

/** Three seats; seat 3 is the reader, and seat 1 has shown its cards. */
async function handOf(deck: readonly Card[]): Promise<PastHand> {
  const levels = await treeOf(deck);
  const proof = async (index: number): Promise<DeckProof> => ({
    index,
    card: deck[index]!,
    salt: hex(await saltAt(index)),
    path: levels.slice(0, 6).map((level, depth) => hex(level[(index >> depth) ^ 1]!)),
  });
  const seat = (seat_no: number, cards: Card[]): DealtIn => ({ seat_no, name: '', start: 0, stack: 0, bet: 0, folded: false, all_in: false, cards });
  const view = (shown: Card[]) => ({ root: hex(levels.at(-1)![0]!), seats: [seat(1, shown), seat(2, []), seat(3, [])] }) as unknown as PastView;
  return {
    game: 'nlhe',
    seat_no: 3,
    cards: [deck[2]!, deck[5]!],
    board: deck.slice(6, 11),
    opened: view([]),
    ended: view([deck[0]!, deck[3]!]),
    proofs: await Promise.all([0, 2, 3, 5, 6, 7, 8, 9, 10].map(proof)),
  } as unknown as PastHand;
}

describe('the fairness check of a hand', () => {
  let fair: PastHand;

  beforeAll(async () => {
    fair = await handOf(order);
  });

  it('finds every card in its place', async () => {
    const checked = await checkHand(fair, fair.opened.root);
    expect(checked.faults).toEqual([]);
    expect(checked.cards).toHaveLength(9);
    expect(checked.isWitnessed).toBe(true);
    expect((await checkHand(fair, null)).isWitnessed).toBe(false);
  });

  it('finds another deck than the one announced', async () => {
    const other = await handOf([...order].reverse());
    const checked = await checkHand(other, fair.opened.root);
    expect(checked.faults).toContain('root');
    expect(checked.cards.every(({ isRight }) => !isRight)).toBe(true);
  });

  it('finds a card that is not proven', async () => {
    const [first, ...rest] = fair.proofs;
    expect((await checkHand({ ...fair, proofs: rest }, null)).faults).toEqual(['proof']);
    const forged = { ...first!, salt: hex(await saltAt(1)) };
    expect((await checkHand({ ...fair, proofs: [forged, ...rest] }, null)).faults).toEqual(['proof']);
  });

  it('finds cards that are proven, but came from other places', async () => {
    const [a, b] = fair.cards;
    expect((await checkHand({ ...fair, cards: [b!, a!] }, null)).faults).toEqual(['place']);
    const [one, two, ...rest] = fair.board;
    expect((await checkHand({ ...fair, board: [two!, one!, ...rest] }, null)).faults).toEqual(['place']);
  });
});
