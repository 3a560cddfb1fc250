// Names and drawing order of cards on the pages.
import type { Card, Rank, Suit, Round } from './protocol';

export const rankOf = (card: Card): Rank => card[0] as Rank;
export const suitOf = (card: Card): Suit => card[1] as Suit;
export const isRed = (suit: Suit): boolean => suit === 'd' || suit === 'h';
export const indexOf = (rank: Rank): string => (rank === 'T' ? '10' : rank);

/** Each suit in a square of 20 by 20. The shapes differ in outline, not only in colour: a point up, two lobes, an
 * edge, three leaves. */
export const suitPaths: Record<Suit, string> = {
  s: 'M10 .6C8.3 4.2 1.3 7.3 1.3 12.200c0 2.6 1.9 4.3 4.2 4.3 1.5 0 2.7-.7 3.4-1.8-.1 2-.7 3.6-2.1 4.700h6.400c-1.4-1.1-2-2.7-2.1-4.7.7 1.1 1.9 1.8 3.4 1.8 2.3 0 4.2-1.7 4.2-4.300C18.7 7.3 11.7 4.2 10 .6z',
  h: 'M10 19.200C7.9 15.6.9 11.6.9 6.3.9 3.2 3.1 1 5.7 1 7.7 1 9.3 2.2 10 4.3 10.7 2.2 12.3 1 14.3 1c2.6 0 4.8 2.2 4.8 5.3 0 5.3-7 9.3-9.1 12.900z',
  d: 'M10 .4C11.6 3.9 14 7.3 17.2 10c-3.2 2.7-5.6 6.1-7.2 9.600C8.4 16.1 6 12.7 2.8 10 6 7.3 8.4 3.9 10 .4z',
  c: 'M10 .8c2.4 0 4.2 1.8 4.2 4.1 0 1.4-.6 2.5-1.6 3.4.5-.2 1.1-.3 1.7-.3 2.5 0 4.4 1.8 4.4 4.300s-1.9 4.3-4.3 4.300c-1.5 0-2.7-.6-3.5-1.7.2 1.8.9 3.3 2.2 4.300H6.900c1.3-1 2-2.5 2.2-4.3-.8 1.1-2 1.7-3.5 1.7-2.4 0-4.3-1.8-4.3-4.300S3.2 8 5.7 8c.6 0 1.2.1 1.7.3-1-.9-1.6-2-1.6-3.400C5.8 2.6 7.6.8 10 .8z',
};

type Pip = readonly [x: number, y: number];

const L = 21.5;
const M = 31.5;
const R = 41.5;
const T = 21;
const B = 67;
const U = 36.3;
const D = 51.7;
const C = 44;

/** Positions of the pips on a number card of 63 by 88. Those in the lower half are upside down. */
export const pips: Partial<Record<Rank, readonly Pip[]>> = {
  A: [[M, C]],
  '2': [[M, T], [M, B]],
  '3': [[M, T], [M, C], [M, B]],
  '4': [[L, T], [R, T], [L, B], [R, B]],
  '5': [[L, T], [R, T], [M, C], [L, B], [R, B]],
  '6': [[L, T], [R, T], [L, C], [R, C], [L, B], [R, B]],
  '7': [[L, T], [R, T], [M, 32.5], [L, C], [R, C], [L, B], [R, B]],
  '8': [[L, T], [R, T], [M, 32.5], [L, C], [R, C], [M, 55.5], [L, B], [R, B]],
  '9': [[L, T], [R, T], [L, U], [R, U], [M, C], [L, D], [R, D], [L, B], [R, B]],
  T: [[L, T], [R, T], [M, 28.6], [L, U], [R, U], [L, D], [R, D], [M, 59.4], [L, B], [R, B]],
};

/** How many cards have been dealt face up in a round. */
export function cardsOut(round: Round | null): number {
  if (round === null) return 0;
  const dealt = (round.seats ?? []).reduce((sum, seat) => sum + seat.player_cards.length, 0);
  return dealt + round.player_cards.length + round.board.length + round.dealer_cards.length;
}
