import { describe, expect, test } from 'vitest';
import type { Category, Hand } from '../protocol';
import { da } from './da';
import { en } from './en';
import { fr } from './fr';
import { sayKickers } from './hands';
import { beats } from './kickers';

const hand = (category: Category, cards: string): Hand => ({ category, cards: cards.split(' ') }) as Hand;
const aceKing = hand('high_card', 'As Kd 9c 7h 4s');
const aceQueen = hand('high_card', 'Ac Qd 9c 7h 4s');
const ninesAce = hand('pair', '9s 9d Ac 7h 4s');
const ninesKing = hand('pair', '9c 9h Kc 7h 4s');

describe('the better hand', () => {
  test('is the one of the higher category, else the one with the higher deciding card', () => {
    expect(beats(ninesKing, aceKing)).toBe(true);
    expect(beats(aceKing, aceQueen)).toBe(true);
    expect(beats(aceQueen, aceKing)).toBe(false);
    expect(beats(hand('straight', '6s 5d 4c 3h 2s'), hand('straight', '5d 4c 3h 2s As'))).toBe(true);
  });

  test('is neither in a tie', () => {
    expect(beats(aceKing, aceKing)).toBe(false);
    expect(sayKickers(aceKing, aceKing, en.hands)).toBeNull();
  });
});

describe('the kicker', () => {
  test('is named when both hands have the same name', () => {
    expect(sayKickers(aceKing, aceQueen, en.hands)).toEqual(['ace-king', 'ace-queen']);
    expect(sayKickers(aceKing, hand('high_card', 'Ah Kc 8c 7h 4s'), en.hands)).toEqual(['ace-king-nine', 'ace-king-eight']);
    expect(sayKickers(ninesAce, ninesKing, en.hands)).toEqual(['a pair of nines, ace kicker', 'a pair of nines, king kicker']);
    expect(sayKickers(aceKing, aceQueen, da.hands)).toEqual(['es-konge', 'es-dame']);
    expect(sayKickers(aceKing, aceQueen, fr.hands)).toEqual(['as-roi', 'as-dame']);
  });

  test('is not named when the names say enough', () => {
    expect(sayKickers(ninesAce, aceKing, en.hands)).toBeNull();
    expect(sayKickers(hand('pair', 'Ts Td 9c 7h 4s'), ninesAce, en.hands)).toBeNull();
  });
});
