import { describe, expect, it } from 'vitest';
import { pad, readCode, Wedge, type Pressed } from './wedge';

function typed(keys: string[], wedge = new Wedge()): (Pressed | null)[] {
  return keys.map((key, at) => wedge.press(key, at * 10));
}

describe('a scanner typing into the console', () => {
  it('gives a code when Enter follows, and nothing before', () => {
    expect(typed(['A', 's', 'Enter'])).toEqual([{ kind: 'typing' }, { kind: 'typing' }, { kind: 'code', code: 'As' }]);
  });

  it('drives the round with SPACE and with an Enter that ends no code', () => {
    expect(typed([' '])).toEqual([{ kind: 'go' }]);
    expect(typed(['Enter'])).toEqual([{ kind: 'go' }]);
    expect(typed(['A', ' ', 'Enter']).at(-1)).toEqual({ kind: 'code', code: 'A' });
  });

  it('stops and takes back only when no code has begun', () => {
    expect(typed(['Escape', 'Backspace'])).toEqual([{ kind: 'stop' }, { kind: 'undo' }]);
    expect(typed(['A', 'Escape', 'Enter']).at(-1)).toEqual({ kind: 'go' });
    expect(typed(['A', 'x', 'Backspace', 's', 'Enter']).at(-1)).toEqual({ kind: 'code', code: 'As' });
  });

  it('forgets what was typed long ago', () => {
    const wedge = new Wedge();
    wedge.press('A', 0);
    wedge.press('K', 60_000);
    expect(wedge.press('Enter', 60_001)).toEqual({ kind: 'code', code: 'K' });
  });

  it('leaves other keys to the page', () => {
    expect(typed(['Tab', 'F5', 'Shift', 'é'])).toEqual([null, null, null, null]);
  });

  it('bounds a code however long somebody leans on a key', () => {
    const wedge = new Wedge();
    for (let at = 0; at < 500; at += 1) wedge.press('x', at);
    expect(wedge.typed.length).toBe(40);
  });
});

describe('a code', () => {
  it('is a card however it is written', () => {
    expect(['as', 'AS', 'As', '10h', 'tH', 'kd'].map(readCode)).toEqual(['As', 'As', 'As', 'Th', 'Th', 'Kd']);
  });

  it('stays as it was read if it is none', () => {
    expect(['0401', '1s', 'ass', '9780201379624'].map(readCode)).toEqual(['0401', '1s', 'ass', '9780201379624']);
  });
});

it('shows every card of the deck once on the pad', () => {
  expect(pad.length).toBe(4);
  expect(new Set(pad.flat()).size).toBe(52);
});
