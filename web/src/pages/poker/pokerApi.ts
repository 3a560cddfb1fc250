// The poker room over HTTP: the own day, own hands, and the odds of HexaPro.
import { ask } from '../../lib/api';
import type { Card, DealtIn, DeckProof, Hand, LevelView, OwnEntry, PokerHand, PokerStep, PrizeView, TournamentParameters, TournamentRow } from '../../lib/protocol';

export type PokerGame = PokerHand['game'];

/** A stack the player left with lately, and the buy-in it decides. */
export interface TableLeft {
  pool: string;
  /** Null: the offer holds at every table of the pool. */
  table_id: string | null;
  table: string | null;
  stack: number;
  left_at: number;
  until: number;
  min: number;
  max: number;
  amounts: number[];
}

export interface OwnPoker {
  today: { since: number; hands: number; net: number };
  left: TableLeft[];
}

export interface PlayedHand {
  hand_id: string;
  table_id: string;
  number: number;
  pool: string;
  tournament_id: string | null;
  /** Null for a hand of a tournament: amounts are chips. */
  currency: string | null;
  game: PokerGame;
  started_at: number;
  ended_at: number;
  status: 'settled' | 'void';
  cards: Card[];
  board: Card[];
  staked: number;
  returned: number;
  net: number;
}

/** A hand as the server shows it, without the numbers of a live table. */
export type PastView = Omit<PokerHand, 'seq' | 'server_time' | 'turn'>;
export type PastStep = Omit<PokerStep, 'table_id' | 'hand_id' | 'seq' | 'server_time' | 'turn'>;

export interface PastHand extends PlayedHand {
  seat_no: number;
  best: Hand | null;
  rake_share: number;
  automatic: number;
  opened: PastView;
  steps: PastStep[];
  ended: PastView & { seats: DealtIn[] };
  proofs: DeckProof[];
}

export type Outcome = 'won' | 'lost' | 'showdown';

export interface HandFilter {
  pool: string;
  /** Days as `2026-11-19`; empty: no bound. */
  from: string;
  to: string;
  outcome: Outcome | '';
}

export interface ProductPrize {
  multiplier: number;
  chances: number;
  /** Shares of the prize pool by place. */
  percents: number[];
  stack: number;
  level_minutes: number;
}

export interface ProductOdds {
  product: string;
  name: string;
  game: PokerGame;
  buy_ins: number[];
  odds: ProductPrize[];
  of: number;
  mean: string;
  rake: string;
}

export interface TournamentPlayer {
  name: string;
  status: OwnEntry['status'];
  /** Of a player who is out. */
  place: number | null;
  chips: number;
  table_no: number | null;
  bounty: number;
  prize: number;
}

export interface TournamentTableRow {
  table_id: string;
  table_no: number;
  players: number;
  largest: number;
  smallest: number;
}

export interface TournamentStructure {
  name: string;
  level_minutes: number;
  levels: LevelView[];
}

export interface Ticket {
  ticket_id: string;
  value: number;
  currency: string;
  origin: 'satellite' | 'refund' | 'promotion';
  event: string | null;
  issued_at: number;
  expires_at: number;
  status: 'open' | 'used' | 'expired';
}

export interface TournamentResult {
  entry_id: string;
  /** Null for a HexaPro entry that was taken back while it waited. */
  tournament_id: string | null;
  kind: 'mtt' | 'sng' | 'hexapro';
  name: string;
  currency: string;
  registered_at: number;
  ended_at: number;
  is_returned: boolean;
  with_ticket: boolean;
  paid: number;
  won: number;
  /** Value of a ticket that was won. */
  ticket: number | null;
  place: number | null;
  draw: { multiplier: number } | null;
}

/** A tournament that is over. */
export interface FinishedRow extends Pick<TournamentRow, 'tournament_id' | 'kind' | 'name' | 'game' | 'currency' | 'seats' | 'price' | 'structure' | 'features' | 'guarantee'> {
  ticket_value: number;
  status: 'finished' | 'cancelled';
  starts_at: number;
  ended_at: number;
  entries: number;
  paid_out: number;
  winner: string | null;
}

export interface FinishedPlace {
  name: string;
  place: number | null;
  prize: number;
  /** The prize is an entry of that price. */
  ticket: boolean;
  bounties: number;
  refund: number;
  /** Of a survivor of a flight. */
  chips: number;
  rebuys: number;
  has_add_on: boolean;
}

export interface FinishedTournament extends FinishedRow {
  rebuys: number;
  add_ons: number;
  added: number;
  overlay: number;
  prizes: PrizeView[];
  level: number;
  parameters: TournamentParameters;
  levels: TournamentStructure;
  cancelled_because: string | null;
  draw: { multiplier: number; number: number; secret: string | null; commitment: string } | null;
  /** Stacks when it began, and what they were worth. */
  final_table: { name: string; chips: number; icm: number; place: number | null; prize: number }[];
  places: FinishedPlace[];
  total: number;
}

export const noFilter: HandFilter = { pool: '', from: '', to: '', outcome: '' };

const query = (values: Record<string, string>): string =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();

export const pokerApi = {
  own: () => ask<OwnPoker>('GET', '/api/poker/own'),
  hands: (filter: HandFilter, before: string | null, limit = 30) =>
    ask<{ hands: PlayedHand[]; next: string | null }>(
      'GET',
      `/api/poker/hands?${query({ ...filter, before: before ?? '', limit: String(limit) })}`,
    ),
  lastHand: async (tableId: string): Promise<string | null> =>
    (await ask<{ hands: PlayedHand[] }>('GET', `/api/poker/hands?${query({ table: tableId, limit: '1' })}`)).hands[0]?.hand_id ?? null,
  hand: (id: string) => ask<PastHand>('GET', `/api/poker/hands/${encodeURIComponent(id)}`),
  odds: async () => (await ask<{ products: ProductOdds[] }>('GET', '/api/poker/odds')).products,
  entries: () => ask<{ entries: OwnEntry[] }>('GET', '/api/poker/entries'),
  tickets: async () => (await ask<{ tickets: Ticket[] }>('GET', '/api/poker/tickets')).tickets,
  results: (kind: TournamentResult['kind'] | '', before: string | null, limit = 20) =>
    ask<{ results: TournamentResult[]; next: string | null }>(
      'GET',
      `/api/poker/results?${query({ kind, before: before ?? '', limit: String(limit) })}`,
    ),
  players: (id: string, search: string) =>
    ask<{ players: TournamentPlayer[]; total: number }>('GET', `/api/poker/tournaments/${id}/players?${query({ search })}`),
  tournamentTables: async (id: string) =>
    (await ask<{ tables: TournamentTableRow[] }>('GET', `/api/poker/tournaments/${id}/tables`)).tables,
  structure: (id: string) => ask<TournamentStructure>('GET', `/api/poker/tournaments/${id}/structure`),
  finishedList: (currency: string, before: string | null, limit = 30) =>
    ask<{ tournaments: FinishedRow[]; next: string | null }>(
      'GET',
      `/api/poker/finished-tournaments?${query({ currency, before: before ?? '', limit: String(limit) })}`,
    ),
  finished: (id: string, search: string) => ask<FinishedTournament>('GET', `/api/poker/finished-tournaments/${id}?${query({ search })}`),
  exportPath: (format: 'phh' | 'ohh', { from, to }: HandFilter) => `/api/poker/hands/export?${query({ format, from, to })}`,
};
