// What the back office asks the house over HTTP, typed. Amounts are whole numbers of minor units.
import { ask } from '../../lib/api';
import { queryOf, type Asked } from './place';

export type By = 'day' | 'week' | 'month' | 'table' | 'presenter' | 'player';
export const groups: readonly By[] = ['day', 'week', 'month', 'table', 'presenter', 'player'];
export const exports = ['settlements', 'summary', 'ledger'] as const;
export const formats = ['csv', 'xlsx', 'parquet', 'json'] as const;
export type Export = (typeof exports)[number];

/** What is null is not counted yet. */
export interface Figures {
  rounds: number;
  players: number;
  staked: number;
  returned: number;
  house_result: number;
  expected_house_result: number | null;
  standard_deviation: number | null;
  sigmas: number | null;
  is_outlier: boolean;
  tips: number;
  cancelled: number;
  refunded: number;
  corrected: number;
  rows_at: string;
}

export interface Line extends Figures {
  key: string;
  name: string;
  currency: string;
}

export interface Overview {
  by: By;
  from: string;
  to: string;
  table: string | null;
  rows: Line[];
  totals: Record<string, Figures>;
}

export interface PresenterTips {
  presenter_id: string;
  presenter: string;
  currency: string;
  tips: number;
  amount: number;
  rows_at: string;
}

export interface Refund {
  round_id: string;
  table_id: string;
  game_number: string;
  at: number;
  currency: string;
  players: number;
  refunded: number;
  by: string;
  reason: string;
  rows_at: string;
}

export interface Unresolved {
  round_id: string;
  table_id: string;
  game_number: string;
  status: string;
  started_at: number;
  age_ms: number;
  currency: string;
  amount: number;
  rows_at: string;
}

export interface Forfeit {
  round_id: string;
  at: number;
  currency: string;
  amount: number;
  reason: string;
}

export interface Charity {
  balances: Record<string, number>;
  rows: Forfeit[];
}

export interface Flow {
  day: string;
  kind: string;
  currency: string;
  payments: number;
  amount: number;
  rows_at: string;
}

export interface PendingPayment {
  payment_id: string;
  player_id: string;
  kind: string;
  currency: string;
  amount: number;
  asked_at: number;
  tries: number;
}

export interface BalanceRow {
  currency: string;
  kind: string;
  accounts: number;
  balance: number;
  held: number;
}

export interface Account {
  account: string;
  kind: string;
  owner: string | null;
  currency: string;
  balance: number;
  held: number;
}

export interface ClosedDay {
  day: string;
  closed_at: number;
  by: string;
  audit_row: number;
  /** Totals by currency and column, in major units as they are written in the audit chain. */
  exports: Record<Export, { rows: number; sha256: string; totals: Record<string, Record<string, string | number>> }>;
}

export interface SettledRow {
  settled_at: number;
  table_id: string;
  round_id: string;
  game_number: string;
  presenter: string | null;
  player_id: string;
  player_name: string;
  currency: string;
  ante: number;
  blind: number;
  trips: number;
  play: number;
  staked: number;
  returned: number;
  net: number;
  action: string | null;
  result: string | null;
  status: string;
}

export interface PostedRow {
  posted_at: number;
  operation_id: string;
  line: number;
  kind: string;
  round_id: string | null;
  table_id: string | null;
  source: string;
  destination: string;
  currency: string;
  amount: number;
  actor: string;
  reason: string;
}

export interface Paged<T> {
  rows: T[];
  next_page: number | null;
}

const patienceMs = 120_000; // a year of a busy house takes its time
const underway = new Map<string, Promise<unknown>>();

/** Two parts of the page that want the same at the same time ask once. */
function read<T>(name: string, asked: Asked = {}): Promise<T> {
  const path = `/api/finance/${name}?${queryOf(asked)}`;
  const known = underway.get(path);
  if (known) return known as Promise<T>;
  const answer = ask<T>('GET', path, undefined, fetch, patienceMs).finally(() => underway.delete(path));
  underway.set(path, answer);
  return answer;
}

export const books = {
  house: () => read<{ tables: string[]; play_currency: string }>('house'),
  overview: (asked: Asked) => read<Overview>('overview', asked),
  tips: (asked: Asked) => read<{ rows: PresenterTips[] }>('tips', asked),
  refunds: (asked: Asked) => read<{ rows: Refund[] }>('refunds', asked),
  unresolved: () => read<{ rows: Unresolved[] }>('unresolved'),
  charity: () => read<Charity>('charity'),
  cashier: (asked: Asked) => read<{ flows: Flow[]; pending: PendingPayment[] }>('cashier', asked),
  balance: () => read<{ rows: BalanceRow[]; totals: Record<string, number> }>('balance'),
  accounts: (asked: Asked) => read<Paged<Account>>('accounts', asked),
  days: () => read<{ rows: ClosedDay[] }>('days'),
  settled: (asked: Asked) => read<Paged<SettledRow>>('rows', asked),
  posted: (asked: Asked) => read<Paged<PostedRow>>('postings', asked),
  /** The hash an export has now, without taking it. */
  hash: async (what: Export, day: string) =>
    (await read<{ sha256: string }>(what, { from: day, to: day, format: 'csv', manifest: 'true' })).sha256,
};

export const exportAt = (what: Export, format: string, asked: Asked): string => `/api/finance/${what}?${queryOf({ ...asked, format })}`;
export const roundFileAt = (id: string, format: 'html' | 'json'): string => `/api/finance/rounds/${encodeURIComponent(id)}?format=${format}`;
