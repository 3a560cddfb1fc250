import { describe, expect, it } from 'vitest';
import type { Card } from '../../lib/protocol';
import { numberOf, oddsOf, omahaStrength, strength } from './equity';

const cards = (text: string): Card[] => text.split(' ') as Card[];
const of = (text: string): number => strength(cards(text).map(numberOf));

describe('the strength of a hand', () => {
  it('orders the categories, and hands within them by their cards', () => {
    const falling = [
      'Ah Kh Qh Jh Th 2c 3d', // royal flush
      '9h 8h 7h 6h 5h Ac Ad',
      'Ah 2h 3h 4h 5h Kd Kc', // the lowest straight flush
      '9c 9d 9h 9s Kd 2c 3h',
      '9c 9d 9h 9s Qd 2c 3h',
      'Ac Ad Ah Kc Kd 2c 3h',
      'Kc Kd Kh Ac Ad As 2h'.replace('As', 'Qs'),
      'Ah 9h 7h 5h 2h Kd Kc',
      'Kh 9h 7h 5h 2h Ad Ac',
      'Ac Kd Qh Js Tc 2c 3d',
      '5c 4d 3h 2s Ac Kd 9h', // the wheel
      '7c 7d 7h Ks Qc 2d 3h',
      'Ac Ad Kh Ks Qc 2d 3h',
      'Ac Ad Kh Ks Jc 2d 3h',
      'Ac Ad Qh Js 9c 2d 3h',
      'Ac Kd Qh Js 9c 2d 3h',
    ].map(of);
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    expect(new Set(falling).size).toBe(falling.length);
    expect(of('2h 3d Ah Kh Qh Jh Th')).toBe(of('2d 3c Ah Kh Qh Jh Th')); // the board plays
    expect(of('Ac Ad Kh Ks Qc Qd 2h')).toBe(of('Ac Ad Kh Ks Qc 3d 2h')); // two pairs at most
  });

  it('uses exactly two own cards in Omaha', () => {
    const board = cards('Kc 9c 6c 6h Qc').map(numberOf);
    expect(omahaStrength(cards('Ac Kd Td 8h').map(numberOf), board)).toBe(of('Kd Kc 6c 6h Ac')); // V1.1: no flush
    const other = cards('Ks Kc Tc Td 5d').map(numberOf);
    expect(omahaStrength(cards('Th 9h 7c 6c').map(numberOf), other)).toBe(of('Th Tc Td Ks 9h')); // V1.2: no full house
  });
});

describe('the odds of known hands', () => {
  it('are exact from the flop on', async () => {
    // Eight clubs and two nines make the flush or the set win; the pair of aces wins the rest.
    const odds = await oddsOf('nlhe', [cards('As Ad'), cards('9c 8c')], cards('2c 7c 9d Kh'));
    expect(odds.isExact).toBe(true);
    const outs = 9 + 2 + 3; // clubs, nines, eights
    expect(odds.shares[1]).toBeCloseTo(outs / 44, 10);
    expect(odds.shares[0]! + odds.shares[1]!).toBeCloseTo(1, 10);
  });

  it('share a tie, and leave dead cards out', async () => {
    const tied = await oddsOf('nlhe', [cards('2h 3d'), cards('2d 3c')], cards('Ah Kh Qh Jh Th'));
    expect(tied.shares).toEqual([0.5, 0.5]);
    const board = cards('2c 7c 9d Kh');
    const dead = await oddsOf('nlhe', [cards('As Ad'), cards('9c 8c')], board, cards('Ac Kc'));
    expect(dead.shares[1]).toBeCloseTo(12 / 42, 10);
  });

  it('are sampled before the flop, near the known value and always the same', async () => {
    const once = await oddsOf('nlhe', [cards('As Ah'), cards('Kd Kc')], []);
    const again = await oddsOf('nlhe', [cards('As Ah'), cards('Kd Kc')], []);
    expect(once.isExact).toBe(false);
    expect(once.shares[0]).toBeGreaterThan(0.8); // 81.9 %
    expect(once.shares[0]).toBeLessThan(0.84);
    expect(again).toEqual(once);
  });
});
