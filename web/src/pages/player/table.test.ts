import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServerClock } from '../../lib/clock';
import { lang } from '../../lib/language.svelte';
import type { Joined, Phase, Round, RoundResult, Seat } from '../../lib/protocol';
import type { TableEvent } from './surroundings';
import { Table } from './table.svelte';

const noBets = { ante: 0, blind: 0, trips: 0, play: 0 };
const round = (seq: number, phase: Phase, more: Partial<Round> = {}): Round => ({
  table_id: 't', seq, server_time: 0, round_id: 'r1', game_number: '12:00:00', phase, deadline: null, paused: null,
  player_cards: [], board: [], dealer_cards: [], player_hand: null, dealer_hand: null, dealer_qualifies: null,
  players: 1, commitment: null, ...more,
});
const seat = (more: Partial<Seat> = {}): Seat => ({
  table_id: 't', round_id: 'r1', bets: noBets, decision: null, automatic: null, options: [], covers_4x: null,
  hand: null, seat_no: null, player_cards: [], ...more,
});
const bets = { ante: 500, blind: 500, trips: 0, play: 0 };
const spot = { bet: 500, outcome: 'win' as const, returned: 1_000 };
const result: RoundResult = {
  table_id: 't', round_id: 'r1', status: 'settled', result: 'win', staked: 1_000, returned: 2_000, balance: 101_000,
  spots: { ante: spot, blind: spot, trips: { ...spot, outcome: 'none' }, play: { ...spot, outcome: 'none' } },
};

class Around {
  snapshot = { ok: true, round: round(7, 'betting'), seat: seat(), table: { limits: {} }, chat: [] } as unknown as Joined;
  joins = 0;
  withheld = 0;
  told: TableEvent[] = [];
  readonly table = new Table('t', {
    clock: new ServerClock(() => 0),
    available: () => 100_000,
    ask: {
      join: async () => {
        this.joins += 1;
        return this.snapshot;
      },
      bet: async () => new Promise(() => undefined),
      decide: async () => ({ ok: true, bets, available: 0 }),
      chat: async () => ({ ok: true }),
    },
    withhold: (minor) => (this.withheld += minor),
    tell: (event) => this.told.push(event),
  });
}

let around: Around;
let table: Table;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ hands: 'shared', chips: [100], seconds: {} })));
  around = new Around();
  table = around.table;
  await table.join();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the numbers of what everybody hears', () => {
  test('the next one is taken, an old one is not', () => {
    table.hearRound(round(8, 'dealing_hole'));
    table.hearRound(round(8, 'betting'));
    expect([table.phase, around.joins]).toEqual(['dealing_hole', 1]);
  });

  test('a gap makes the table ask for everything', () => {
    table.hearRound(round(10, 'dealing_flop'));
    expect([table.phase, around.joins]).toEqual(['dealing_flop', 2]);
  });
});

describe('the end of a round', () => {
  const settle = () => {
    table.hearSeat(seat({ bets }));
    table.hearRound(round(8, 'settled', { dealer_cards: ['Qh', 'Qd'], dealer_qualifies: true }));
    table.hearResult(result);
  };

  test('is told in at most four seconds, and only then the money is shown', () => {
    settle();
    expect([table.story.stage, around.withheld]).toEqual(['turn', 2_000]);
    vi.advanceTimersByTime(4_000);
    expect([table.story.stage, around.withheld]).toEqual(['told', 0]);
    expect(around.told.at(-1)).toBe('result');
  });

  test('is interrupted by the next round without losing money or result', () => {
    settle();
    vi.advanceTimersByTime(1_000);
    table.hearRound(round(9, 'betting', { round_id: 'r2' }));
    expect([table.story.stage, around.withheld, table.result]).toEqual(['none', 0, null]);
    expect(table.lastResult?.result).toEqual(result);
    vi.advanceTimersByTime(10_000);
    expect(around.withheld).toBe(0);
  });

  test('of a cancelled round is a refund, not a story', () => {
    table.hearSeat(seat({ bets }));
    table.hearNotice({ table_id: 't', level: 'warning', code: 'round_cancelled', text: 'Refunded. Incident 12:00:00-1.' });
    table.hearRound(round(8, 'cancelled'));
    table.hearResult({ ...result, status: 'cancelled', result: null, returned: 1_000 });
    expect(table.mishap).toEqual({ kind: 'cancelled', amount: 1_000, incident: '12:00:00-1' });
    expect([table.story.stage, around.withheld, table.totalBet]).toEqual(['none', 0, 0]);
  });
});

describe('a round that is corrected by the house', () => {
  const corrected = { ...result, result: 'lose' as const, returned: 0 };
  const notice = { table_id: 't', level: 'info' as const, code: 'round_corrected', text: 'Round 12:00:00 has been corrected.' };
  const settle = () => {
    table.hearSeat(seat({ bets }));
    table.hearRound(round(8, 'settled', { dealer_cards: ['Qh', 'Qd'], dealer_qualifies: true }));
    table.hearResult(result);
    vi.advanceTimersByTime(4_000);
  };

  test('shows its new result where it still lies there, and is not told as a win of its own', () => {
    settle();
    table.hearResult(corrected);
    table.hearNotice(notice);
    expect([table.result, table.past[0]?.net, around.withheld]).toEqual([corrected, -1_000, 0]);
    expect(around.told.slice(-2)).toEqual(['result', 'corrected']);
    expect(table.notice).toEqual(notice);
  });

  test('leaves the round that is played now alone, and what is to be read stays until it is read', () => {
    settle();
    table.hearRound(round(9, 'betting', { round_id: 'r2' }));
    table.hearResult(corrected);
    table.hearNotice(notice);
    table.hearRound(round(10, 'betting', { round_id: 'r3' }));
    expect([table.result, table.past[0]?.net, table.notice]).toEqual([null, -1_000, notice]);
  });
});

test('what the house says in the chat is said in the language of the player, and nothing else is', async () => {
  const text = 'The round is cancelled and every bet refunded. Incident 12:00:00-1.';
  const line = { table_id: 't', from: 'Table t', role: 'table', text, at: 0, code: 'round_cancelled' };
  await table.join(); // whoever comes later has heard no notice
  expect(table.worded(line)).toBe(text);
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  await lang.speak('fr');
  expect(table.worded(line)).toBe('La partie est annulée et toutes les mises remboursées. Incident 12:00:00-1.');
  expect(table.worded({ ...line, role: 'player', code: null })).toBe(text);
  const tip = { ...line, code: 'tip', text: 'Ann tips paula 5.00 FUN. Thank you!' };
  expect(table.worded(tip)).toBe('Ann → paula 5.00 FUN. Merci !');
  await lang.speak('en');
});

describe('after a lost connection', () => {
  test('bets that are gone with open betting are told as returned', async () => {
    table.hearSeat(seat({ bets }));
    await table.join();
    expect(table.mishap).toEqual({ kind: 'returned', amount: 1_000 });
  });

  test('a round that ended meanwhile is looked up in the history', async () => {
    table.hearSeat(seat({ bets }));
    table.hearRound(round(8, 'dealing_hole'));
    const game = { status: 'settled', round_id: 'r1', game_number: '12:00:00', spots: result.spots, staked: 1_000, returned: 2_000 };
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(game)));
    around.snapshot = { ...around.snapshot, round: round(20, 'betting', { round_id: 'r2' }), seat: seat({ round_id: 'r2' }) };
    await table.join();
    await vi.waitUntil(() => table.mishap !== null);
    expect(table.mishap).toEqual({ kind: 'settled', game: '12:00:00', net: 1_000 });
  });

  test('bets that stand are not', async () => {
    table.hearSeat(seat({ bets }));
    around.snapshot = { ...around.snapshot, round: round(9, 'dealing_hole'), seat: seat({ bets }) };
    await table.join();
    expect([table.mishap, table.bets]).toEqual([null, bets]);
  });
});

test('who has lost a seat, or found one, is told why until it is read', () => {
  for (const code of ['seat_lost', 'seat_found']) {
    const notice = { table_id: 't', level: 'info' as const, code, text: 'The seat.' };
    table.hearNotice(notice);
    expect(table.notice).toEqual(notice);
    table.read();
    expect(table.notice).toBeNull();
  }
});
