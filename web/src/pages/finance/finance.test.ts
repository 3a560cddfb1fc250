import { describe, expect, it } from 'vitest';
import { byCurrency } from './currencies';
import { flowTotals } from './flows';
import type { Line } from './api';
import { columnsOf } from './lines';
import { ageText, daysIn, isDay, neighbour, periodName, periodOf, spanOf } from './periods';
import { changeText } from './proposals';
import { linkTo, linkToRows, readPlace } from './route';
import { accountName, actionText, askedFor, posted, settledSum } from './rows';
import { edge, runOf } from './cumulativeResult';
import { w } from './texts';
import { csv, majorText, ordered, text, type Column } from './dataTable';

const line = (more: Partial<Line>): Line => ({
  key: '2026-10-01',
  name: '2026-10-01',
  currency: 'EUR',
  rounds_ended: 1,
  players: 1,
  turnover: 0,
  payout: 0,
  house_result: 0, hold: null,
  expected_house_result: 0,
  standard_deviation: 0,
  sigmas: 0,
  is_outlier: false,
  tips: 0,
  cancelled: 0,
  refunded: 0,
  corrected: 0,
  rows_at: '/api/finance/rows?from=2026-10-01&to=2026-10-01&currency=EUR',
  ...more,
});

describe('periods', () => {
  it('a week goes from Monday to Sunday, a month to its last day, also in a leap year', () => {
    expect(periodOf('week', '2026-11-15')).toEqual({ from: '2026-11-09', to: '2026-11-15' });
    expect(periodOf('week', '2026-11-16')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
    expect(periodOf('month', '2028-02-29')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
    expect(periodOf('month', '2026-12-31')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
  });

  it('a period knows what it is, and what comes before and after it', () => {
    expect(spanOf({ from: '2026-10-01', to: '2026-10-31' })).toBe('month');
    expect(spanOf({ from: '2026-10-01', to: '2026-10-30' })).toBeNull();
    expect(neighbour({ from: '2026-01-01', to: '2026-01-31' }, 1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(neighbour({ from: '2026-03-01', to: '2026-03-31' }, -1)).toEqual({ from: '2026-02-01', to: '2026-02-28' });
    expect(neighbour({ from: '2026-10-10', to: '2026-10-12' }, -1)).toEqual({ from: '2026-10-07', to: '2026-10-09' });
    expect(neighbour({ from: '2026-10-10', to: '2026-10-12' }, 1)).toEqual({ from: '2026-10-13', to: '2026-10-15' });
    expect(daysIn({ from: '2026-10-01', to: '2026-10-31' })).toBe(31);
  });

  it('is named in words, and a day that does not exist has no name', () => {
    expect(periodName({ from: '2026-10-01', to: '2026-10-31' })).toBe('October 2026');
    expect(periodName({ from: '2026-10-03', to: '2026-10-03' })).toBe('Saturday 3 October 2026');
    expect([isDay('2026-02-29'), isDay('2028-02-29'), isDay('today')]).toEqual([false, true, false]);
    expect([ageText(30_000), ageText(3_600_000), ageText(90 * 86_400_000)]).toEqual(['0 minutes', '1 hour', '90 days']);
  });
});

describe('places', () => {
  it('what is asked for survives the address, and an unknown place is the overview', () => {
    const asked = { from: '2026-10-01', presenter: '=a&b?c#d', table: '' };
    expect(readPlace(linkTo('rows', asked))).toEqual({ view: 'rows', asked });
    expect(readPlace('#nowhere?x=1').view).toBe('overview');
    expect(linkTo('tips', { from: null })).toBe('#tips');
  });

  it('the address of rows leads to the place that shows them', () => {
    expect(linkToRows('/api/finance/rows?currency=EUR', { status: 'cancelled' })).toBe('#rows?currency=EUR&status=cancelled');
    expect(linkToRows('/api/finance/postings?kind=tip')).toBe('#postings?kind=tip');
    expect(linkToRows('/api/finance/rounds/abc-1')).toBe('#round?id=abc-1');
  });

  it('tips of a day lead to postings of that day, tips of a presenter to payroll', () => {
    const tips = (by: 'day' | 'presenter') => columnsOf(by).find(({ name }) => name === 'Tips')!.link!(line({}));
    expect(readPlace(tips('day')!)).toEqual({ view: 'postings', asked: { from: '2026-10-01', to: '2026-10-01', currency: 'EUR', kind: 'tip' } });
    expect(readPlace(tips('presenter')!).view).toBe('tips');
  });
});

describe('sheets', () => {
  it('amounts have the decimals of their currency and a sign when they are negative; what is not known is a dash', () => {
    expect(['EUR', 'JPY', 'KWD', 'CLF', 'FUN', 'XTS', null].map((currency) => text('money', -123456, currency))).toEqual([
      '−1,234.56',
      '−123,456',
      '−123.456',
      '−12.3456',
      '−1,234.56',
      '−1,234.56',
      '−1,234.56',
    ]);
    expect(text('money', 5, 'EUR')).toBe('0.05');
    expect(text('sigma', 3.2)).toBe('+3.20 σ');
    expect(text('sigma', -0.5)).toBe('−0.50 σ');
    expect(text('money', null)).toBe('–');
    expect(text('time', 0)).toBe('1970-01-01 00:00:00');
  });

  it('amounts of the audit chain are read like all others', () => {
    expect(['1817.00', '-1234567', '-123.456', '0.05'].map(majorText)).toEqual(['1,817.00', '−1,234,567', '−123.456', '0.05']);
  });

  it('rows are ordered by any column, and the unknown comes last both ways', () => {
    const column: Column<number | null> = { name: 'n', kind: 'count', value: (row) => row };
    expect(ordered([2, null, 10, 1], column, false)).toEqual([1, 2, 10, null]);
    expect(ordered([2, null, 10, 1], column, true)).toEqual([10, 2, 1, null]);
  });

  it('CSV quotes what must be quoted and disarms formulas, but not negative amounts', () => {
    const columns: Column<[string, number | null]>[] = [
      { name: 'who', kind: 'text', value: ([name]) => name },
      { name: 'a,b', kind: 'money', value: ([, amount]) => amount },
    ];
    const rows: [string, number | null][] = [['=1+1', -150], ['Al "Ace", jr.', null], ['two\nlines', 7]];
    expect(csv(columns, rows)).toBe('who,"a,b"\r\n\'=1+1,-1.50\r\n"Al ""Ace"", jr.",\r\n"two\nlines",0.07\r\n');
  });

  it('CSV disarms formulas after every separator', () => {
    const columns: Column<string>[] = [{ name: 'who', kind: 'text', value: (name) => name }];
    for (const separator of [',', ';', '|', '\t', ':', ' ', '\n', '\r\n', '"'])
      expect(csv(columns, [`a${separator}=1+1`])).toContain(`${separator}'=1+1`);
    expect(csv(columns, ['Jean-Luc', 'a--b'])).toBe('who\r\nJean-Luc\r\na--b\r\n');
  });

  it('CSV writes every amount with the decimals of its row’s currency, as the exports do', () => {
    const columns: Column<{ currency: string; amount: number }>[] = [
      { name: 'currency', kind: 'text', value: (row) => row.currency },
      { name: 'amount', kind: 'money', value: (row) => row.amount },
    ];
    const rows = ['EUR', 'JPY', 'KWD', 'IQD', 'FUN'].map((currency) => ({ currency, amount: -1234567 }));
    expect(csv(columns, rows)).toBe('currency,amount\r\nEUR,-12345.67\r\nJPY,-1234567\r\nKWD,-1234.567\r\nIQD,-1234.567\r\nFUN,-12345.67\r\n');
  });

  it('an action is called as on the felt', () => {
    expect([actionText('play_4x'), actionText('fold'), actionText(null)]).toEqual(['PLAY 4x', 'fold', null]);
  });
});

describe('postings', () => {
  it('accounts, operations and people are named, never shown by their ids', () => {
    expect(accountName('player:3f9a:cash', 'Ann')).toBe('Ann (cash)');
    expect(accountName('presenter:77:tips:EUR', 'Paula')).toBe('Paula (tips)');
    expect(accountName('receivable:3f9a:EUR', 'Ann')).toBe('Ann (owed)');
    expect(accountName('seat:nl10-1:3f9a', 'Ann')).toBe('Ann (chips at nl10-1)');
    expect(accountName('held:mtt-5b0a:3f9a', 'Ann')).toBe('Ann (prize held in mtt-5b0a)');
    expect(['mtt:mtt-5b0a:pool:EUR', 'mtt:daily:fees:EUR', 'promo:EUR', 'tickets:EUR', 'fees:EUR'].map((one) => accountName(one, null))).toEqual([
      'Prize pool of mtt-5b0a', 'Fees of daily', 'Promotions of the house', 'Tickets', 'Tournament fees',
    ]);
    expect(['house:EUR', 'cashier:EUR', 'round:r1:escrow:EUR', 'pot:nl10-1:EUR', 'withdrawal:p1:EUR'].map((one) => accountName(one, null))).toEqual([
      'House', 'Cashier', 'Stakes of the round', 'Pot at nl10-1', 'Withdrawal under way',
    ]);
    const row = { kind: 'play_return', key: 'k', table_id: 'uth-1', actor: '3f9a', actor_name: 'Ann' };
    const shown = (name: string) => posted.find((column) => column.name === name)!.value(row as never);
    expect([shown(w.kind), shown(w.actor)]).toEqual(['PLAY bets returned', 'Ann']);
  });

  it('a kind is one of operations above postings, and one of accounts above accounts', () => {
    const names = { kind: 'Kind' };
    expect(askedFor('postings', { kind: 'withdrawal', account: 'player:3f9a:cash' }, names)).toBe('Kind: Withdrawals requested');
    expect(askedFor('accounts', { kind: 'withdrawal' }, names)).toBe('Kind: Withdrawals under way');
  });
});

describe('sums', () => {
  it('currencies stay apart, and play money comes last', () => {
    const rows = [{ currency: 'XTS' }, { currency: 'FUN' }, { currency: 'USD' }, { currency: 'EUR' }, { currency: 'FUN' }];
    expect(byCurrency(rows, 'FUN').map(({ currency, isPlay, rows: own }) => [currency, isPlay, own.length])).toEqual([
      ['EUR', false, 1],
      ['USD', false, 1],
      ['FUN', true, 2],
      ['XTS', true, 1],
    ]);
    expect(byCurrency([], 'FUN', ['EUR'])).toEqual([{ currency: 'EUR', isPlay: false, isPractice: false, rows: [] }]);
  });

  it('flows add up by kind, rows show the totals of all pages', () => {
    const flow = (kind: string, amount: number) => ({ day: '', kind, currency: 'EUR', payments: 1, amount, rows_at: '' });
    expect(flowTotals([flow('payout', 5), flow('deposit', 1), flow('deposit', 2)])).toEqual([['deposit', 3], ['payout', 5]]);
    const row = { ante: 1, blind: 1, trips: 0, play: 4, staked: 6, returned: 0, net: -6, round_id: 'a' };
    const sum = settledSum(row as never, { staked: 12, net: -12 });
    expect([sum.staked, sum.net, sum.round_id]).toEqual([12, -12, '']);
  });
});

describe('the cumulative result', () => {
  it('results and expectations add up, deviations add up squared, the band lies around the expectation', () => {
    const run = runOf([
      line({ house_result: 100, expected_house_result: 10, standard_deviation: 30 }),
      line({ key: '2026-10-02', house_result: -40, expected_house_result: 20, standard_deviation: 40 }),
    ]);
    expect(run.result).toEqual([100, 60]);
    expect(run.expected).toEqual([10, 30]);
    expect(run.deviation).toEqual([30, 50]);
    expect(edge(run, 3)).toEqual([100, 180]);
    expect(edge(run, -3)).toEqual([-80, -120]);
    expect(run.at[1]! - run.at[0]!).toBe(86_400);
  });

  it('from the first day on that is not counted, nothing is expected', () => {
    const run = runOf([line({}), line({ expected_house_result: null, standard_deviation: null }), line({})]);
    expect(run.expected).toEqual([0, null, null]);
    expect(edge(run, 1)).toEqual([0, null, null]);
    expect(run.result).toEqual([0, 0, 0]);
  });
});

it('says what a proposal would change, a swap with both cards', () => {
  expect(changeText({ slot: 'flop_1', was: '8s', card: '8c', other_slot: null })).toBe('FLOP 1: 8♠ → 8♣');
  expect(changeText({ slot: 'flop_3', was: '2s', card: 'Th', other_slot: 'player_2' })).toBe('FLOP 3: 2♠ → 10♥, PLAYER 2: 10♥ → 2♠');
  expect(changeText({ slot: null, was: null, card: null, other_slot: null })).toBe('');
  expect(Object.values(w.proposes)).toContain('Swap two cards');
});
