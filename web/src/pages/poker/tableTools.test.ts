import { describe, expect, it } from 'vitest';
import type { RaiseRange } from '../../lib/protocol';
import { read, write } from './address';
import { readSizes, sizesNow, usualSizes, writeSizes } from './betSizes';
import { actionOf, bound, keyOf, keyText, usualBindings } from './keyBindings';
import { stops, WheelSteps } from './raiseAmounts';
import { roomFor } from './tiles';

describe('sizes of a bet', () => {
  const range: RaiseRange = { min: 20, max: 985, presets: [] };

  it('are worked out as the server does', () => {
    // Blinds 5 and 10, one caller: 25 in the pot, the button has bet nothing.
    const situation = { price: 10, pot: 25, bet: 0, stack: 985 };
    expect(sizesNow(usualSizes.preflop, situation, range)).toEqual([
      { name: '2.2x', amount: 22 },
      { name: '2.5x', amount: 25 },
      { name: '3x', amount: 30 },
      { name: 'pot', amount: 45 },
      { name: 'all_in', amount: 985 },
    ]);
    const flop = { price: 0, pot: 100, bet: 0, stack: 985 };
    expect(sizesNow(['1/3', '75%', 'pot'], flop, range).map(({ amount }) => amount)).toEqual([33, 75, 100]);
  });

  it('that are illegal now are left out', () => {
    expect(sizesNow(['1/3', 'pot', 'all_in'], { price: 0, pot: 30, bet: 0, stack: 5_000 }, range)).toEqual([{ name: 'pot', amount: 30 }]);
  });

  it('are read as people write them', () => {
    expect(readSizes('2.2x, 2,5x,3x pot; all-in')).toEqual(['2.2x', '2.5x', '3x', 'pot', 'all_in']);
    expect(readSizes('1/3, 75 %, pot')).toEqual(['1/3', '75%', 'pot']);
    expect(readSizes('')).toEqual([]);
    expect(readSizes('half')).toBeNull();
    expect(readSizes('1/0')).toBeNull();
    expect(readSizes('10%, 20%, 30%, 40%, 50%, 60%, 70%')).toBeNull();
    expect(writeSizes(usualSizes.preflop)).toBe('2.2x, 2.5x, 3x, pot, all-in');
  });

  it('are not the only amounts: a slider stops at both ends and every step between', () => {
    expect(stops({ min: 20, max: 55, presets: [] }, 10)).toEqual([20, 30, 40, 50, 55]);
    expect(stops({ min: 50, max: 50, presets: [] }, 10)).toEqual([50]);
  });
});

describe('keys', () => {
  const event = (key: string, more: Partial<KeyboardEvent> = {}) => ({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });

  it('are named by what is on them', () => {
    expect(keyOf(event('f'))).toBe('F');
    expect(keyOf(event(' '))).toBe('Space');
    expect(keyOf(event('ArrowUp', { shiftKey: true }))).toBe('Shift+ArrowUp');
    expect(keyOf(event('c', { ctrlKey: true }))).toBeNull();
    expect(keyOf(event('Shift', { shiftKey: true }))).toBeNull();
    expect(keyText('Shift+ArrowUp')).toBe('Shift ↑');
  });

  it('have one action each: a key taken from another action is exchanged', () => {
    const changed = bound(usualBindings, 'fold', 'C');
    expect(actionOf(changed, 'C')).toBe('fold');
    expect(actionOf(changed, 'F')).toBe('call');
    expect(new Set(Object.values(changed)).size).toBe(Object.values(usualBindings).length);
    expect(actionOf(bound(usualBindings, 'fold', 'X'), 'F')).toBeNull();
  });
});

describe('wheel', () => {
  const turn = (deltaY: number, more: Partial<WheelEvent> = {}) => ({ deltaX: 0, deltaY, deltaMode: 0, ctrlKey: false, ...more });
  it('steps once a notch, up when turned away', () => {
    const wheel = new WheelSteps();
    expect([turn(-100), turn(-100), turn(100), turn(3, { deltaMode: 1 })].map((one) => wheel.of(one))).toEqual([1, 1, -1, -1]);
  });
  it('adds up the small turns of a touchpad, and forgets them when it turns back', () => {
    const wheel = new WheelSteps();
    expect([20, 20, 20, 20, -30, -30].map((delta) => wheel.of(turn(delta)))).toEqual([0, 0, -1, 0, 0, 1]);
  });
  it('means nothing to the side, and with Ctrl, which zooms', () => {
    const wheel = new WheelSteps();
    expect([turn(0, { deltaX: 90 }), turn(60, { deltaX: 90 }), turn(-100, { ctrlKey: true })].map((one) => wheel.of(one))).toEqual([0, 0, 0]);
  });
});

describe('tables beside each other', () => {
  it.each([
    [390, 844, 1],
    [844, 390, 1],
    [1024, 768, 2],
    [1280, 720, 4],
    [1440, 900, 4],
    [1920, 1080, 8],
    [1000, 480, 1],
  ])('on %i by %i', (width, height, count) => {
    expect(roomFor(width, height, 0)).toBe(count);
    expect(roomFor(width, height, 2)).toBe(2);
  });
});

describe('addresses', () => {
  it('name tabs and hands, and nothing else', () => {
    for (const hash of ['#lobby/mine', '#history', '#hand/nl10-fun-1-22', '#']) expect(write(read(hash))).toBe(hash);
    expect(read('#hand/../x')).toEqual({ view: 'tables' });
    expect(read('#lobby/other')).toEqual({ view: 'lobby', tab: 'cash' });
  });
});
