import { describe, expect, it } from 'vitest';
import { Pace, pad, readCode, Wedge, type Pressed } from './wedge';

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

  it('stops whatever was typed before', () => {
    expect(typed(['Escape'])).toEqual([{ kind: 'stop' }]);
    expect(typed(['A', 'Escape', 'Enter']).slice(1)).toEqual([{ kind: 'stop' }, { kind: 'go' }]);
  });

  it('takes a card back only when no code has begun', () => {
    expect(typed(['Backspace'])).toEqual([{ kind: 'undo' }]);
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

describe('a scanner typing into a text field', () => {
  const typedAt = (keys: string[], gapMs: number, pace = new Pace(), fromMs = 0) => keys.map((key, at) => pace.press(key, fromMs + at * gapMs));

  it('is known by its pace, and the field is remembered from its first key on', () => {
    expect(typedAt(['Shift', 'A', 's', 'Enter'], 12)).toEqual([null, { kind: 'begins' }, null, { kind: 'code', code: 'As' }]);
  });

  it('is known behind words typed by hand', () => {
    const pace = new Pace();
    typedAt([...'Hello'], 110, pace);
    expect(typedAt([...'0401', 'Enter'], 5, pace, 2_000)).toEqual([{ kind: 'begins' }, null, null, null, { kind: 'code', code: '0401' }]);
  });

  it('is not mistaken for a person, however fast', () => {
    expect(typedAt([...'as', 'Enter'], 60).at(-1)).toBeNull();
    const pace = new Pace();
    typedAt([...'ok'], 20, pace);
    expect(pace.press('Enter', 150)).toBeNull();
    expect(typedAt(['a', 'Enter'], 10, new Pace()).at(-1)).toBeNull();
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
