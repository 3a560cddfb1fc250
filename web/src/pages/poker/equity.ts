// Odds of known hands: each hand's share of the pot over the boards that can still come. Exact from the flop on; before
// it, over a fixed sample of boards, so that the same hand always has the same odds.
import type { Card } from '../../lib/protocol';
import type { PokerGame } from './pokerApi';

export interface Odds {
  /** The part of the pot each hand wins on average, from 0 to 1, in the order given. */
  shares: readonly number[];
  isExact: boolean;
}

const boardCards = 5;
const sampled: Record<PokerGame, number> = { nlhe: 20_000, plo: 4_000 };
/** The odds are worked out in slices, so that the page never stands still. */
const sliceMs = 6;

const ranks = '23456789TJQKA';
const suits = 'cdhs';
const bits = Uint8Array.from({ length: 8192 }, (_, mask) => mask.toString(2).replaceAll('0', '').length);

/** A card as a number: rank times four plus suit. */
export const numberOf = (card: Card): number => ranks.indexOf(card[0]!) * 4 + suits.indexOf(card[1]!);

function highest(mask: number, count: number): number {
  let left = mask;
  while (bits[left]! > count) left &= left - 1;
  return left;
}

/** The highest rank of a straight as a bit; 0 without one. The ace counts below the two as well. */
function straight(mask: number): number {
  const wheel = (mask << 1) | (mask >> 12);
  const run = wheel & (wheel << 1) & (wheel << 2) & (wheel << 3) & (wheel << 4);
  return run === 0 ? 0 : highest(run >> 1, 1);
}

const value = (category: number, main: number, kickers = 0): number => (category << 26) | (main << 13) | kickers;

/** The strength of the best five of five to seven cards: the larger number wins. */
export function strength(cards: readonly number[]): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  const ofSuit = [0, 0, 0, 0];
  for (const card of cards) {
    const bit = 1 << (card >> 2);
    four |= three & bit;
    three |= two & bit;
    two |= one & bit;
    one |= bit;
    ofSuit[card & 3]! |= bit;
  }
  const flush = ofSuit.find((mask) => bits[mask]! >= boardCards) ?? 0;
  const straightFlush = flush && straight(flush);
  if (straightFlush) return value(8, straightFlush);
  if (four) return value(7, four, highest(one & ~four, 1));
  const set = three && highest(three, 1);
  const filled = set && highest(two & ~set, 1);
  if (filled) return value(6, set, filled);
  if (flush) return value(5, highest(flush, 5));
  const run = straight(one);
  if (run) return value(4, run);
  if (set) return value(3, set, highest(one & ~set, 2));
  const pairs = two && highest(two, 2);
  if (bits[pairs] === 2) return value(2, pairs, highest(one & ~pairs, 1));
  if (pairs) return value(1, pairs, highest(one & ~pairs, 3));
  return value(0, highest(one, 5));
}

/** Omaha: exactly two of the own cards and three of the board. */
export function omahaStrength(hole: readonly number[], board: readonly number[]): number {
  let best = 0;
  for (let a = 0; a < hole.length; a++)
    for (let b = a + 1; b < hole.length; b++)
      for (let x = 0; x < board.length; x++)
        for (let y = x + 1; y < board.length; y++)
          for (let z = y + 1; z < board.length; z++)
            best = Math.max(best, strength([hole[a]!, hole[b]!, board[x]!, board[y]!, board[z]!]));
  return best;
}

/** All ways to draw so many cards of a stub, or a fixed sample of them. */
function* boards(stub: readonly number[], missing: number, samples: number): Generator<readonly number[]> {
  if (missing === 0) yield [];
  else if (missing === 1) for (const card of stub) yield [card];
  else if (missing === 2) {
    for (let a = 0; a < stub.length; a++) for (let b = a + 1; b < stub.length; b++) yield [stub[a]!, stub[b]!];
  } else {
    const deck = [...stub];
    let seed = 0x9e3779b9;
    for (let drawn = 0; drawn < samples; drawn++) {
      for (let at = 0; at < missing; at++) {
        seed = (Math.imul(seed ^ (seed >>> 15), 0x85ebca6b) + 0x6d2b79f5) | 0;
        const other = at + (((seed ^ (seed >>> 13)) >>> 0) % (deck.length - at));
        [deck[at], deck[other]] = [deck[other]!, deck[at]!];
      }
      yield deck.slice(0, missing);
    }
  }
}

/** The odds of these hands on this board. `dead` are other cards known to be out. */
export async function oddsOf(
  game: PokerGame,
  hands: readonly (readonly Card[])[],
  board: readonly Card[],
  dead: readonly Card[] = [],
): Promise<Odds> {
  const holes = hands.map((cards) => cards.map(numberOf));
  const known = board.map(numberOf);
  const out = new Set([...holes.flat(), ...known, ...dead.map(numberOf)]);
  const stub = Array.from({ length: 52 }, (_, card) => card).filter((card) => !out.has(card));
  const missing = boardCards - known.length;
  const wins = holes.map(() => 0);
  let count = 0;
  let until = performance.now() + sliceMs;
  for (const coming of boards(stub, missing, sampled[game])) {
    const all = [...known, ...coming];
    const values = holes.map((hole) => (game === 'plo' ? omahaStrength(hole, all) : strength([...hole, ...all])));
    const best = Math.max(...values);
    const winners = values.filter((found) => found === best).length;
    values.forEach((found, at) => (wins[at]! += found === best ? 1 / winners : 0));
    count++;
    if (performance.now() > until) {
      await new Promise((resolve) => setTimeout(resolve));
      until = performance.now() + sliceMs;
    }
  }
  return { shares: wins.map((won) => won / count), isExact: missing <= 2 };
}
