// HTTP client of the back office, typed. Amounts are whole numbers of minor units.
import { ask } from '../../lib/api';
import type { BalanceMove, MoveTotal, Phase, Proposal } from '../../lib/protocol';
import type { Cancelled } from '../host/api';
import { queryOf, type Asked } from './route';

export type By = 'day' | 'week' | 'month' | 'table' | 'presenter' | 'player';
export const groups: readonly By[] = ['day', 'week', 'month', 'table', 'presenter', 'player'];
export const exports = ['settlements', 'summary', 'ledger', 'poker_hands', 'poker_players'] as const;
export const formats = ['csv', 'xlsx', 'parquet', 'json'] as const;
export type Export = (typeof exports)[number];

/** What is null is not counted yet. */
export interface Figures {
  rounds_ended: number;
  players: number;
  /** Stakes without those of refunded rounds. */
  turnover: number;
  /** Returns without those of refunded rounds. */
  payout: number;
  house_result: number;
  /** In percent of the turnover. */
  hold: number | null;
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
  proposed_by: string | null;
  approved_by: string | null;
  lapsed: boolean;
  phase: Phase | null;
  reason: string;
  rows_at: string;
}

/** A decision about a running round that waits for a second person. */
export interface OpenProposal extends Proposal {
  table_id: string;
  round_id: string;
  game_number: string;
  phase: Phase;
  moves: BalanceMove[];
  totals: MoveTotal[];
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
  /** Null for chips of a poker table. */
  round_id: string | null;
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
  player: string;
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
  /** The second person; null for a close from the command line. */
  confirmed_by: string | null;
  audit_row: number;
  /** Totals by currency and column, in major units as they are written in the audit chain. */
  exports: Partial<Record<Export, { rows: number; sha256: string; totals: Record<string, Record<string, string | number>> }>>;
}

export interface OpenDays {
  days: { day: string; next: boolean }[];
  /** Null values: the month can be locked. */
  months: { month: string; locked_at: number | null; by: string | null; confirmed_by: string | null }[];
}

export interface Receivable {
  player_id: string;
  player: string;
  currency: string;
  owed: number;
  available: number;
  account: string;
}

export const tournamentFigures = [
  'entries', 'returned', 'prizes', 'bounties', 'held', 'refunds', 'fees', 'paid_by_house', 'kept_by_house', 'tickets_issued', 'tickets_lapsed',
] as const;
export type TournamentFigure = (typeof tournamentFigures)[number];
export type TournamentFigures = Record<TournamentFigure, number> & { currency: string };
/** All tournaments of one template or line; without a source, tickets. */
export type EventFigures = TournamentFigures & { source: string; name: string };

export interface HexaProduct {
  product: string;
  name: string;
  currency: string;
  games: number;
  entries: number;
  pools: number;
  expected: number | null;
  deviation: number | null;
  z: number | null;
  chi_square: number | null;
  degrees: number | null;
  p: number | null;
  multipliers: { multiplier: number; drawn: number; expected: number | null }[];
}

export interface HexaGame {
  tournament_id: string;
  started_at: number;
  name: string;
  currency: string;
  buy_in: number;
  multiplier: number;
  pool: number;
  status: string;
  account: string;
}

export interface OpenTicket {
  ticket_id: string;
  player_id: string;
  player: string;
  currency: string;
  value: number;
  origin: string;
  issued_at: number;
  expires_at: number;
  age_days: number;
}

export interface OpenTickets {
  rows: OpenTicket[];
  totals: Record<string, { tickets: number; value: number; balance: number; account: string }>;
}

export interface HeldPrize {
  tournament_id: string;
  tournament: string;
  player_id: string;
  name: string;
  account: string;
  currency: string;
  amount: number;
}

/** Something of finance that needs a second person. */
export interface FinanceRequest {
  id: string;
  kind: string;
  target: string;
  player: string | null;
  amount: number | null;
  currency: string | null;
  reason: string;
  requested_by: string;
  requested_by_id: string;
  requested_at: number;
  status: string;
  decided_by: string | null;
  decided_at: number | null;
  remark: string;
}

export interface Wanted {
  kind: string;
  target: string;
  reason: string;
  amount?: number;
  key?: string;
  /** In which the prize is held. */
  tournament?: string;
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
  key: string;
  round_id: string | null;
  table_id: string | null;
  source: string;
  destination: string;
  currency: string;
  amount: number;
  actor: string;
  reason: string;
  /** Names of the players or presenters whose accounts these are. */
  source_owner: string | null;
  destination_owner: string | null;
  /** Of the player who did it; null where the actor is recorded by name. */
  actor_name: string | null;
  /** Of the account that was asked for, and its balance after the posting. */
  change?: number;
  balance?: number | null;
  /** In the line of totals only. */
  in?: number;
  out?: number;
}

export interface Paged<T> {
  rows: T[];
  next_page: number | null;
  /** Sums of all pages by currency. */
  totals: Record<string, Record<string, number>>;
}

const patienceMs = 120_000; // a year of many rounds takes a while
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

export const financeApi = {
  house: () => read<{ tables: string[]; play_currency: string; currency: string; server_time: number }>('house'),
  overview: (asked: Asked) => read<Overview>('overview', asked),
  tips: (asked: Asked) => read<{ rows: PresenterTips[] }>('tips', asked),
  refunds: (asked: Asked) => read<{ rows: Refund[]; cancellations: Cancelled[] }>('refunds', asked),
  proposals: async () => (await read<{ proposals: OpenProposal[] }>('proposals')).proposals,
  approve: (id: string) => ask<unknown>('POST', `/api/finance/proposals/${encodeURIComponent(id)}/approve`, {}),
  reject: (id: string, reason: string) => ask<unknown>('POST', `/api/finance/proposals/${encodeURIComponent(id)}/reject`, { reason }),
  unresolved: () => read<{ rows: Unresolved[] }>('unresolved'),
  charity: () => read<Charity>('charity'),
  cashier: (asked: Asked) => read<{ flows: Flow[]; pending: PendingPayment[] }>('cashier', asked),
  balance: () => read<{ rows: BalanceRow[]; totals: Record<string, number> }>('balance'),
  accounts: (asked: Asked) => read<Paged<Account>>('accounts', asked),
  days: () => read<{ rows: ClosedDay[] }>('days'),
  openDays: () => read<OpenDays>('open-days'),
  receivables: () => read<{ rows: Receivable[] }>('receivables'),
  requests: async () => (await read<{ requests: FinanceRequest[] }>('requests')).requests,
  request: (wanted: Wanted) => ask<{ id: string; done: boolean }>('POST', '/api/finance/requests', wanted),
  approveRequest: (id: string, remark: string) => ask<unknown>('POST', `/api/finance/requests/${encodeURIComponent(id)}/approve`, { remark }, fetch, patienceMs),
  rejectRequest: (id: string, reason: string) => ask<unknown>('POST', `/api/finance/requests/${encodeURIComponent(id)}/reject`, { reason }),
  tournaments: (asked: Asked) => read<{ rows: TournamentFigures[]; events: EventFigures[] }>('poker/tournaments', asked),
  hexapro: (asked: Asked) => read<{ rows: HexaProduct[] }>('poker/hexapro', asked),
  games: (asked: Asked) => read<Paged<HexaGame>>('poker/hexapro/games', asked),
  tickets: () => read<OpenTickets>('poker/tickets'),
  heldPrizes: async () => (await read<{ rows: HeldPrize[] }>('poker/held')).rows,
  settled: (asked: Asked) => read<Paged<SettledRow>>('rows', asked),
  posted: (asked: Asked) => read<Paged<PostedRow>>('postings', asked),
  /** The hash an export has now, without taking it. */
  hash: async (what: Export, day: string) =>
    (await read<{ sha256: string }>(what, { from: day, to: day, format: 'csv', manifest: 'true' })).sha256,
};

export const exportAt = (what: Export, format: string, asked: Asked): string => `/api/finance/${what}?${queryOf({ ...asked, format })}`;
export const roundFileAt = (id: string, format: 'html' | 'json', player: string | null = null): string =>
  `/api/finance/rounds/${encodeURIComponent(id)}?${queryOf({ format, player })}`;
