import { describe, expect, it } from 'vitest';
import type { PokerHand, PokerStep, RaiseRange } from '../../lib/protocol';
import { after, collected } from './handSteps';
import { clamp, isLarge, stepped, typedAmount } from './raiseAmounts';
import { inReadingOrder, placeOf } from './seatRing';

const seat = (seat_no: number, bet: number) => ({
  seat_no,
  name: `p${seat_no}`,
  start: 1000,
  stack: 1000 - bet,
  bet,
  folded: false,
  all_in: false,
  cards: [],
});

const opened: PokerHand = {
  table_id: 't',
  hand_id: 't-1',
  number: 1,
  game: 'nlhe',
  root: null,
  started_at: 0,
  positions: { button: 3, sb: 1, bb: 2, posters: [] },
  posts: [],
  status: 'playing',
  street: 'preflop',
  board: [],
  price: 10,
  pot: 15,
  pots: [{ amount: 15, contenders: [1, 2, 3] }],
  awards: [],
  uncalled: null,
  rake: 0,
  seats: [seat(1, 5), seat(2, 10), seat(3, 0)],
  seq: 4,
  server_time: 0,
  turn: null,
};

const step = (kind: PokerStep['kind'], fields: Partial<PokerStep>): PokerStep => ({
  kind,
  pot: 0,
  pots: [],
  at: 0,
  table_id: 't',
  hand_id: 't-1',
  seq: 5,
  server_time: 0,
  turn: null,
  ...fields,
});

const told = (...steps: PokerStep[]): PokerHand => steps.reduce(after, opened);

describe('steps of a hand', () => {
  const raised = step('acted', { seat: 3, action: 'raise_to', paid: 30, to: 30, stack: 970, all_in: false, pot: 45 });
  const folded = step('acted', { seat: 1, action: 'fold', paid: 0, to: 30, stack: 995, all_in: false, pot: 45 });
  const called = step('acted', { seat: 2, action: 'call', paid: 20, to: 30, stack: 970, all_in: false, pot: 65 });
  const flop = step('board', { street: 'flop', cards: ['2c', '3d', '4h'], pot: 65 });

  it('move chips from the stack in front of the seat, and into the pot with the next street', () => {
    const before = told(raised, folded, called);
    expect(before.price).toBe(30);
    expect(before.seats.map(({ bet, stack, folded: out }) => [bet, stack, out])).toEqual([
      [5, 995, true],
      [30, 970, false],
      [30, 970, false],
    ]);
    expect(collected(before)).toBe(0);
    const dealt = after(before, flop);
    expect([dealt.board, dealt.price, collected(dealt)]).toEqual([['2c', '3d', '4h'], 0, 65]);
  });

  it('return an uncalled bet, award the pots and end with the stacks of the server', () => {
    const award = { number: 1, amount: 65, rake: 3, contenders: [2, 3], winners: [{ seat: 3, amount: 62 }], hand: null };
    const stacks = [
      { seat: 1, amount: 995 },
      { seat: 2, amount: 970 },
      { seat: 3, amount: 1032 },
    ];
    const bet = step('acted', { seat: 3, action: 'raise_to', paid: 100, to: 100, stack: 870, all_in: false, pot: 165 });
    const over = told(
      raised,
      folded,
      called,
      flop,
      bet,
      step('uncalled', { seat: 3, amount: 100, stack: 970, pot: 65 }),
      step('pot', { award }),
      step('settled', { stacks, rake: 3 }),
    );
    expect(over.uncalled).toEqual({ seat: 3, amount: 100 });
    expect(over.awards).toEqual([award]);
    expect([over.status, over.rake, over.seats.map(({ stack, bet: rest }) => [stack, rest])]).toEqual([
      'settled',
      3,
      [
        [995, 0],
        [970, 0],
        [1032, 0],
      ],
    ]);
  });

  it('roll a void hand back to its start', () => {
    const gone = told(raised, step('void', { reason: 'An outage.' }));
    expect([gone.status, gone.seats.map(({ stack }) => stack)]).toEqual(['void', [1000, 1000, 1000]]);
  });

  it('change only the times of the turn with the clock', () => {
    const turn = { no: 1, seat: 3, deadline: 9, bank_until: null, protection_until: 20 };
    const later = told(step('clock', { pot: 15, pots: opened.pots, turn }));
    expect(later).toEqual({ ...opened, seq: 5, turn });
  });
});

describe('amounts of a raise', () => {
  const range: RaiseRange = { min: 20, max: 5_000, presets: [] };

  it('change by a big blind below twenty of them, by a twentieth above, within the range', () => {
    expect(stepped(20, 1, range, 10)).toBe(30);
    expect(stepped(1_000, 1, range, 10)).toBe(1_050);
    expect(stepped(4_990, 1, range, 10)).toBe(5_000);
    expect(stepped(20, -3, range, 10)).toBe(20);
    expect(clamp(7_000, range)).toBe(5_000);
  });

  it('are typed in money or in big blinds', () => {
    expect(typedAmount('12.5', 2, null)).toBe(1_250);
    expect(typedAmount('2,5', 2, 10)).toBe(25);
    expect(typedAmount('2.05', 2, 100)).toBe(205);
    expect(typedAmount('pot', 2, null)).toBeNull();
    expect(typedAmount('', 2, 10)).toBeNull();
  });

  it('are asked about twice from four fifths of the stack', () => {
    expect(isLarge(805, 0, 1_000)).toBe(true);
    expect(isLarge(800, 0, 1_000)).toBe(false);
    expect(isLarge(810, 10, 1_000)).toBe(false);
  });
});

describe('the ring of seats', () => {
  it('has the own seat at the bottom and the next one clockwise to its left', () => {
    expect(placeOf(4, 6, 4)).toEqual({ x: 0, y: 1 });
    expect(placeOf(5, 6, 4)).toEqual({ x: -0.866, y: 0.5 });
    expect(placeOf(1, 6, 4)).toEqual({ x: 0, y: -1 });
    expect(placeOf(1, 5, null)).toEqual({ x: 0, y: 1 });
    expect(inReadingOrder(6, 4)).toEqual([4, 5, 6, 1, 2, 3]);
  });
});
