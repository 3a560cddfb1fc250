import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServerClock } from '../../lib/clock';
import { lang } from '../../lib/language.svelte';
import type { Joined, Phase, Round, RoundResult, Seat } from '../../lib/protocol';
import type { TableEvent } from './tableContext';
import { Table } from './table.svelte';

const noBets = { ante: 0, blind: 0, trips: 0, play: 0 };
const round = (seq: number, phase: Phase, more: Partial<Round> = {}): Round => ({
  table_id: 't', seq, server_time: 0, round_id: 'r1', game_number: '12:00:00', phase, deadline: null, paused: null,
  player_cards: [], board: [], dealer_cards: [], player_hand: null, dealer_hand: null, dealer_qualifies: null,
  players: 1, commitment: null, ...more,
});
const seat = (more: Partial<Seat> = {}): Seat => ({
  table_id: 't', round_id: 'r1', bets: noBets, decision: null, automatic: null, options: [], covers_4x: null,
  hand: null, seat_no: null, player_cards: [], seed: null, ...more,
});
const bets = { ante: 500, blind: 500, trips: 0, play: 0 };
const spot = { bet: 500, outcome: 'win' as const, returned: 1_000 };
const result: RoundResult = {
  table_id: 't', round_id: 'r1', status: 'settled', result: 'win', staked: 1_000, returned: 2_000, balance: 101_000,
  spots: { ante: spot, blind: spot, trips: { ...spot, outcome: 'none' }, play: { ...spot, outcome: 'none' } },
};

class FakeContext {
  snapshot = { ok: true, round: round(7, 'betting'), seat: seat(), table: { limits: {} }, chat: [] } as unknown as Joined;
  joins = 0;
  withheld = 0;
  announced: TableEvent[] = [];
  readonly table = new Table('t', {
    clock: new ServerClock(() => 0),
    available: () => 100_000,
    player: () => 'ann',
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
    announce: (event) => this.announced.push(event),
  });
}

let context: FakeContext;
let table: Table;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ hands: 'shared', chips: [100], seconds: {} })));
  context = new FakeContext();
  table = context.table;
  await table.join();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a new round', () => {
  test('starts with an empty felt: nothing of the last seat stays', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ hands: 'own', chips: [100], seconds: {} })));
    const own = new FakeContext().table;
    await own.join();
    own.onRound(round(8, 'deciding_preflop'));
    own.onSeat(seat({ bets, seat_no: 3, player_cards: ['As', 'Kd'], hand: { category: 'high_card', cards: [] }, automatic: 'auto_folded', options: ['check'] }));
    expect([own.playerCards.length, own.hasBet, own.mustDecide, own.dealerHasCards]).toEqual([2, true, true, true]);
    own.onRound(round(9, 'betting', { round_id: 'r2' }));
    expect([own.playerCards, own.hand, own.totalBet, own.roundSeat, own.dealerHasCards]).toEqual([[], null, 0, null, false]);
    own.onRound(round(10, 'deciding_preflop', { round_id: 'r2' }));
    expect([own.playerCards, own.hasBet, own.mustDecide, own.isWatching]).toEqual([[], false, false, false]);
  });
});

describe('the numbers of broadcast events', () => {
  test('the next one is taken, an old one is not', () => {
    table.onRound(round(8, 'dealing_hole'));
    table.onRound(round(8, 'betting'));
    expect([table.phase, context.joins]).toEqual(['dealing_hole', 1]);
  });

  test('a gap makes the table ask for everything', () => {
    table.onRound(round(10, 'dealing_flop'));
    expect([table.phase, context.joins]).toEqual(['dealing_flop', 2]);
  });
});

describe('the end of a round', () => {
  const settle = () => {
    table.onSeat(seat({ bets }));
    table.onRound(round(8, 'settled', { dealer_cards: ['Qh', 'Qd'], dealer_qualifies: true }));
    table.onResult(result);
  };

  test('takes at most four seconds, and only then the money is shown', () => {
    settle();
    expect([table.reveal.stage, context.withheld]).toEqual(['turn', 2_000]);
    vi.advanceTimersByTime(4_000);
    expect([table.reveal.stage, context.withheld]).toEqual(['done', 0]);
    expect(context.announced.at(-1)).toBe('result');
  });

  test('stays explained for eight seconds of the next round, or until the first chip', () => {
    settle();
    table.onRound(round(9, 'betting', { round_id: 'r2' }));
    expect(table.explained).toMatchObject({ result, qualifies: true, game_number: '12:00:00' });
    vi.advanceTimersByTime(7_900);
    expect(table.explained).not.toBeNull();
    vi.advanceTimersByTime(200);
    expect(table.explained).toBeNull();
  });

  test('is interrupted by the next round without losing money or result', () => {
    settle();
    vi.advanceTimersByTime(1_000);
    table.onRound(round(9, 'betting', { round_id: 'r2' }));
    expect([table.reveal.stage, context.withheld, table.result]).toEqual(['none', 0, null]);
    expect(table.lastResult?.result).toEqual(result);
    vi.advanceTimersByTime(10_000);
    expect(context.withheld).toBe(0);
  });

  test('of a cancelled round is a refund, not a story', () => {
    table.onSeat(seat({ bets }));
    table.onRound(round(8, 'cancelled'));
    table.onResult({ ...result, status: 'cancelled', result: null, returned: 1_000, incident_id: '12:00:00-1' });
    expect(table.mishap).toEqual({ kind: 'cancelled', amount: 1_000, incident: '12:00:00-1' });
    expect([table.reveal.stage, context.withheld, table.totalBet]).toEqual(['none', 0, 0]);
  });

  test('is covered by no notice of an earlier round once a decision waits', () => {
    table.mishap = { kind: 'returned', amount: 200 };
    table.onRound(round(8, 'deciding_preflop'));
    expect(table.mishap).not.toBeNull();
    table.onSeat(seat({ bets, options: ['check'] }));
    expect(table.mishap).toBeNull();
  });
});

describe('a corrected round', () => {
  const corrected = { ...result, result: 'lose' as const, returned: 0 };
  const notice = { table_id: 't', level: 'info' as const, code: 'round_corrected', text: 'Round 12:00:00 has been corrected.' };
  const settle = () => {
    table.onSeat(seat({ bets }));
    table.onRound(round(8, 'settled', { dealer_cards: ['Qh', 'Qd'], dealer_qualifies: true }));
    table.onResult(result);
    vi.advanceTimersByTime(4_000);
  };

  test('shows its new result if it is still on the felt, and announces no new win', () => {
    settle();
    table.onResult(corrected);
    table.onNotice(notice);
    expect([table.result, table.past[0]?.net, context.withheld]).toEqual([corrected, -1_000, 0]);
    expect(context.announced.slice(-2)).toEqual(['result', 'corrected']);
    expect(table.notice).toEqual(notice);
  });

  test('leaves the round that is played now alone, and what is to be read stays until it is read', () => {
    settle();
    table.onRound(round(9, 'betting', { round_id: 'r2' }));
    table.onResult(corrected);
    table.onNotice(notice);
    table.onRound(round(10, 'betting', { round_id: 'r3' }));
    expect([table.result, table.past[0]?.net, table.notice]).toEqual([null, -1_000, notice]);
  });
});

test('service messages in the chat are in the language of the player, and no others are', async () => {
  const text = 'The round is cancelled and every bet is refunded. Incident 12:00:00-1.';
  const line = { table_id: 't', from: 'Table t', role: 'table', text, at: 0, code: 'round_cancelled', incident_id: '12:00:00-1' };
  await table.join(); // a later join has missed the notice
  expect(table.chatText(line)).toBe(text);
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  vi.stubGlobal('navigator', { languages: ['fr-FR'] });
  await lang.speak('fr');
  expect(table.chatText(line)).toBe('La partie est annulée et toutes les mises sont remboursées. Incident 12:00:00-1.');
  expect(table.chatText({ ...line, role: 'player', code: null })).toBe(text);
  const tip = { ...line, code: 'tip', text: '', player: 'Ann', presenter: 'paula', amount: 500, currency: 'FUN' };
  expect(table.chatText(tip)).toEqual(expect.stringMatching(/^Ann donne 5[,.]00\sFUN de pourboire à paula\. Merci\s!$/));
  await lang.speak('en');
});

describe('after a lost connection', () => {
  test('bets lost while betting is open are reported as returned', async () => {
    table.onSeat(seat({ bets }));
    await table.join();
    expect(table.mishap).toEqual({ kind: 'returned', amount: 1_000 });
  });

  test('a round that ended in the meantime is looked up in the history', async () => {
    table.onSeat(seat({ bets }));
    table.onRound(round(8, 'dealing_hole'));
    const game = { status: 'settled', round_id: 'r1', game_number: '12:00:00', spots: result.spots, staked: 1_000, returned: 2_000 };
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(game)));
    context.snapshot = { ...context.snapshot, round: round(20, 'betting', { round_id: 'r2' }), seat: seat({ round_id: 'r2' }) };
    await table.join();
    await vi.waitUntil(() => table.mishap !== null);
    expect(table.mishap).toEqual({ kind: 'settled', game: '12:00:00', net: 1_000 });
  });

  test.each([
    ['settled as lost, if the house noticed the loss too late', 200, { status: 'settled', game_number: '12:00:00', spots: result.spots, staked: 1_000, returned: 0 }, { kind: 'settled', game: '12:00:00', net: -1_000 }],
    ['returned, if the history does not know the round', 404, { error: { code: 'not_found', message: '' } }, { kind: 'returned', amount: 1_000 }],
  ])('open bets of an earlier round are told as %s', async (_, code, answer, told) => {
    table.onSeat(seat({ bets }));
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ round_id: 'r1', ...answer }, { status: code })));
    context.snapshot = { ...context.snapshot, round: round(20, 'betting', { round_id: 'r2' }), seat: seat({ round_id: 'r2' }) };
    await table.join();
    await vi.waitUntil(() => table.mishap !== null);
    expect(table.mishap).toEqual(told);
  });

  test('bets that stand are not', async () => {
    table.onSeat(seat({ bets }));
    context.snapshot = { ...context.snapshot, round: round(9, 'dealing_hole'), seat: seat({ bets }) };
    await table.join();
    expect([table.mishap, table.bets]).toEqual([null, bets]);
  });
});

test('a lost or found seat is explained until the notice is read', () => {
  for (const code of ['seat_lost', 'seat_found']) {
    const notice = { table_id: 't', level: 'info' as const, code, text: 'The seat.' };
    table.onNotice(notice);
    expect(table.notice).toEqual(notice);
    table.read();
    expect(table.notice).toBeNull();
  }
});
