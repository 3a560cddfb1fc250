// Names and drawing order of cards on the pages.
import type { Card, Rank, Suit, Round } from './protocol';

export const rankOf = (card: Card): Rank => card[0] as Rank;
export const suitOf = (card: Card): Suit => card[1] as Suit;
export const isRed = (suit: Suit): boolean => suit === 'd' || suit === 'h';
export const indexOf = (rank: Rank): string => (rank === 'T' ? '10' : rank);

/** Each suit in a square of 20 by 20. The shapes differ in outline, not only in colour: a point up, two lobes, an
 * edge, three leaves. */
export const suitPaths: Record<Suit, string> = {
  s: 'M10 .6C8.300 4.200 1.300 7.300 1.300 12.200c0 2.600 1.900 4.300 4.200 4.300 1.500 0 2.700-.7 3.400-1.800-.1 2-.7 3.600-2.100 4.700h6.400c-1.400-1.100-2-2.700-2.100-4.700.7 1.100 1.900 1.800 3.400 1.800 2.300 0 4.200-1.700 4.200-4.300C18.700 7.300 11.700 4.200 10 .6z',
  h: 'M10 19.200C7.900 15.600.9 11.600.9 6.300.9 3.200 3.100 1 5.700 1 7.700 1 9.300 2.200 10 4.300 10.700 2.200 12.300 1 14.300 1c2.600 0 4.800 2.200 4.800 5.300 0 5.300-7 9.300-9.100 12.900z',
  d: 'M10 .4C11.600 3.900 14 7.300 17.200 10c-3.200 2.700-5.600 6.100-7.200 9.600C8.400 16.100 6 12.700 2.800 10 6 7.300 8.400 3.900 10 .4z',
  c: 'M10 .8c2.400 0 4.200 1.800 4.200 4.100 0 1.400-.6 2.500-1.600 3.400.5-.2 1.100-.3 1.700-.3 2.500 0 4.400 1.800 4.400 4.300s-1.900 4.300-4.300 4.300c-1.500 0-2.700-.6-3.500-1.700.2 1.800.9 3.300 2.200 4.300H6.900c1.300-1 2-2.500 2.200-4.300-.8 1.100-2 1.700-3.500 1.700-2.400 0-4.300-1.800-4.300-4.300S3.200 8 5.700 8c.6 0 1.200.1 1.700.3-1-.9-1.600-2-1.600-3.400C5.800 2.600 7.600.8 10 .8z',
};

type Pip = readonly [x: number, y: number];

const L = 21.5;
const M = 31.500;
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
