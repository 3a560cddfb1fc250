// The house over HTTP: every route a page asks, typed. The session is the cookie; no token is ever held by a script.
import type { TableLimits } from './protocol';

export type Role = 'player' | 'presenter' | 'manager' | 'finance' | 'admin';

export interface User {
  id: string;
  name: string;
  role: Role;
}

/** Staff have no wallet: for them the last three are null. */
export interface Me extends User {
  currency: string | null;
  balance: number | null;
  available: number | null;
}

export interface LobbyTable {
  id: string;
  name: string;
  dealing: 'auto' | 'presenter';
  hands: 'shared' | 'own';
  seats: number | null;
  language: string;
  multi_table: boolean;
  limits: TableLimits;
  status: string;
  players: number;
  presenter: string | null;
}

export interface Seconds {
  betting: number;
  decide_preflop: number;
  decide_flop: number;
  decide_river: number;
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

/** The house said no, in a sentence; `unreachable` when it said nothing at all. */
export class HouseRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const patienceMs = 15_000;

export async function ask<T>(method: string, path: string, body?: unknown, fetcher: typeof fetch = fetch): Promise<T> {
  let answer: Response;
  try {
    answer = await fetcher(path, {
      method,
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new HouseRefusal('unreachable', 'The service cannot be reached.', 0);
  }
  const said: unknown = await answer.json().catch(() => null);
  if (answer.ok) return said as T;
  throw refusalIn(said, answer.status);
}

function refusalIn(said: unknown, status: number): HouseRefusal {
  const error = typeof said === 'object' && said !== null && 'error' in said ? said.error : null;
  if (typeof error === 'object' && error !== null && 'code' in error && 'message' in error) {
    return new HouseRefusal(String(error.code), String(error.message), status);
  }
  return new HouseRefusal('internal', 'The service failed.', status);
}

export const house = {
  me: () => ask<Me>('GET', '/api/me'),
  guest: () => ask<{ user: User }>('POST', '/api/guest', {}),
  signIn: (name: string, password: string) => ask<{ user: User }>('POST', '/api/login', { name, password }),
  register: (name: string, password: string) => ask<{ user: User }>('POST', '/api/register', { name, password }),
  signOut: () => ask<unknown>('POST', '/api/logout', {}),
  tables: async () => (await ask<{ tables: LobbyTable[] }>('GET', '/api/tables')).tables,
  table: (id: string) => ask<TableDetails>('GET', `/api/tables/${encodeURIComponent(id)}`),
};
