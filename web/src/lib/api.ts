// HTTP client: every route that a page requests, typed. The session is the cookie; no script ever holds a token.
import type { Proof } from './fairness';
import type { Action, Bets, Card, Hand, LobbyTable, Phase, RefusalParams, Result, Settings, Spots } from './protocol';

export type Role = 'player' | 'presenter' | 'manager' | 'finance' | 'admin';

export interface User {
  id: string;
  name: string;
  role: Role;
}

/** Staff have no wallet: for them the last three are null. */
export interface Me extends User {
  /** The role needs a second factor, and none is set up. */
  must_enrol?: true;
  currency: string | null;
  balance: number | null;
  available: number | null;
}

export interface Seconds {
  betting: number;
  decide_preflop: number;
  decide_flop: number;
  decide_river: number;
  between_rounds: number;
  /** The pause between two cards dealt by the machine. */
  card: number;
}

export interface Returns {
  house_edge: number;
  rtp_initial: number;
  rtp_total: number;
  element_of_risk: number;
  average_bet: number;
  trips_rtp: number;
}

export interface TableDetails extends LobbyTable {
  chips: number[];
  seconds: Seconds;
  paytables: { blind: Record<string, string>; trips: Record<string, string> };
  /** Null until they are counted. */
  returns: Returns | null;
}

export interface PlayedRound {
  round_id: string;
  table_id: string;
  game_number: string;
  started_at: number;
  status: string;
  staked: number;
  returned: number;
  currency: string;
}

/** One step of a replay; which of the other fields are there depends on its kind. */
export interface Step {
  kind: string;
  at: number;
  slot?: string;
  card?: Card;
  phase?: Phase;
  action?: Action | null;
  automatic?: boolean;
  bets?: Bets;
  reason?: string;
  incident_id?: string;
  spots?: Spots;
  staked?: number;
  returned?: number;
}

/** A whole round as this player lived it. */
export interface Game extends PlayedRound {
  ended_at: number | null;
  hands: 'shared' | 'own';
  presenter: string | null;
  seat_no: number | null;
  player_cards: Card[];
  board: Card[];
  dealer_cards: Card[];
  player_hand: Hand | null;
  dealer_hand: Hand | null;
  dealer_qualifies: boolean | null;
  bets: Bets;
  decisions: { phase: Phase; action: Action; automatic: boolean; at: number }[];
  result: Result | null;
  spots: Spots | null;
  incidents: { incident_id: string; reason: string; at: number; outcome: string | null; resolution: string | null }[];
  commitment: string | null;
  fairness: Proof | null;
  steps: Step[];
}

export interface Payment {
  id: string;
  kind: string;
  amount: number;
  currency: string;
  status: string;
  reason: string | null;
  at: number;
}

export interface CashierPage {
  payments: Payment[];
  next: string | null;
  currency: string;
  amount_min: number;
  amount_max: number;
  may_withdraw: boolean;
}

export type LimitKind = 'deposit' | 'loss' | 'session';
export type LimitPeriod = 'day' | 'week' | 'month';

/** Amounts are minor units; of a session limit minutes. */
export interface OwnLimit {
  kind: LimitKind;
  period: LimitPeriod;
  amount: number | null;
  used: number | null;
  remaining: number | null;
  ends_at: number;
  pending: { amount: number | null; at: number } | null;
}

export interface Responsible {
  now: number;
  currency: string;
  limits: OwnLimit[];
  reality_check: { minutes: number | null; due: boolean };
  exclusion: { kind: string; until: number | null } | null;
  session: { since: number; elapsed: number; staked: number; returned: number; net: number } | null;
  policy: { operator: string; url: string; help_lines: HelpLine[] };
}

/** An organisation that helps players of a country; `ZZ` means all countries. */
export interface HelpLine {
  country: string;
  name: string;
  phone: string;
  url: string;
}

/** Public result of a round. */
export interface PastRound {
  round_id: string;
  game_number: string;
  status: string;
  board: Card[];
  player_hand: Hand | null;
  dealer_hand: Hand | null;
  dealer_qualifies: boolean | null;
  player_cards: Card[];
  dealer_cards: Card[];
  /** Null where each seat has a hand of its own. */
  winner: 'player' | 'dealer' | 'tie' | null;
}

/** A refusal of the service with its sentence; `unreachable` without any reply. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly params: RefusalParams = {},
  ) {
    super(message);
  }
}

const patienceMs = 15_000;

export async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  fetcher: typeof fetch = fetch,
  patience = patienceMs,
): Promise<T> {
  let answer: Response;
  try {
    answer = await fetcher(path, {
      method,
      cache: 'no-store',
      signal: AbortSignal.timeout(patience),
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError('unreachable', 'The service cannot be reached.', 0);
  }
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  throw refusalIn(said, answer.status);
}

function refusalIn(said: unknown, status: number): ApiError {
  const error = typeof said === 'object' && said !== null && 'error' in said ? said.error : null;
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    const params = 'params' in error ? (error.params as RefusalParams) : {};
    return new ApiError(String(error.code), String(error.message), status, params);
  }
  return new ApiError('internal', 'The service failed.', status);
}

export const api = {
  me: () => ask<Me>('GET', '/api/me'),
  guest: () => ask<{ user: User }>('POST', '/api/guest', {}),
  signIn: (name: string, password: string, code = '') =>
    ask<{ user: User; must_enrol?: true }>('POST', '/api/login', code === '' ? { name, password } : { name, password, code }),
  register: (name: string, password: string) => ask<{ user: User }>('POST', '/api/register', { name, password }),
  signOut: () => ask<unknown>('POST', '/api/logout', {}),
  tables: async () => (await ask<{ tables: LobbyTable[] }>('GET', '/api/tables')).tables,
  results: async (id: string) =>
    (await ask<{ rounds: PastRound[] }>('GET', `/api/tables/${encodeURIComponent(id)}/results`)).rounds,
  settings: () => ask<Settings>('GET', '/api/settings'),
  changeSettings: (settings: Settings) => ask<Settings>('PUT', '/api/settings', settings),
  history: (before: string | null) =>
    ask<{ rounds: PlayedRound[]; next: string | null }>(
      'GET',
      `/api/history?limit=30${before === null ? '' : `&before=${encodeURIComponent(before)}`}`,
    ),
  game: (id: string) => ask<Game>('GET', `/api/history/${encodeURIComponent(id)}`),
  cashier: () => ask<CashierPage>('GET', '/api/cashier'),
  pay: (kind: 'deposit' | 'withdraw', amount: number, key: string) =>
    ask<{ payment: Payment; balance: number; available: number }>('POST', `/api/cashier/${kind}`, { amount, key }),
  responsible: () => ask<Responsible>('GET', '/api/responsible'),
  limit: (kind: LimitKind, period: LimitPeriod, amount: number | null) =>
    ask<Responsible>('PUT', '/api/responsible/limits', { kind, period, amount }),
  realityCheck: (minutes: number | null) => ask<Responsible>('PUT', '/api/responsible/reality-check', { minutes }),
  realitySeen: () => ask<Responsible>('POST', '/api/responsible/reality-check/seen', {}),
  timeOut: (days: number) => ask<Responsible>('POST', '/api/responsible/time-out', { days }),
  selfExclude: (months: number | null) => ask<Responsible>('POST', '/api/responsible/self-exclusion', { months }),
  table: (id: string) => ask<TableDetails>('GET', `/api/tables/${encodeURIComponent(id)}`),
};
