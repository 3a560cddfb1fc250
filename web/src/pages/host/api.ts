// HTTP client of the console, typed.
import { ask, type Role } from '../../lib/api';
import type { BalanceMove, Bets, Card, Hand, HandOver, HostChatLine, Incident, MoveTotal, Pause, Phase, Proposal, TableLimits } from '../../lib/protocol';

export type Alarm = 'proposal' | 'hand_over' | 'paused' | 'failing' | 'no_presenter' | 'presenter_away' | 'count_due';

export interface FloorTable {
  table_id: string;
  name: string;
  dealing: 'auto' | 'presenter';
  hands: 'shared' | 'own';
  practice: boolean;
  confirm_ms: number;
  chips: number[];
  status: 'open' | 'closed';
  presenter: string | null;
  players: number;
  in_round: number;
  left_to_decide: number;
  limits: TableLimits;
  phase: Phase;
  game_number: string | null;
  started_at: number | null;
  paused: Pause | null;
  expects: string | null;
  incident: Incident | null;
  proposal: Proposal | null;
  hand_over: HandOver | null;
  tips: number;
  consoles: string[];
  alarms: Alarm[];
}

export interface StaffMember {
  name: string;
  role: string;
  tables: string[];
}

export interface IncidentClass {
  incident_class: string;
  title: string;
  situation: string;
  steps: string[];
  may_continue: boolean;
  resolutions: ('correct_card' | 'resume' | 'cancel')[];
}

export interface FoundRound {
  round_id: string;
  table_id: string;
  day: string;
  game_number: string;
  status: string;
  started_at: number;
  presenter: string | null;
  players: number;
}

/** One step of the journal; which of the other fields are there depends on its kind. */
export interface WholeStep {
  kind: string;
  at_ms: number;
  slot?: string | null;
  card?: Card | null;
  proposes?: Proposal['proposes'];
  was?: Card;
  other_slot?: string | null;
  other_card?: Card;
  cards?: Card[];
  phase?: Phase | null;
  action?: string;
  player_id?: string;
  automatic?: string[];
  stakes?: [player: string, ante: number, trips: number, seat: number | null][];
  reason?: string;
  by?: string;
  incident_id?: string;
  incident_class?: string;
}

export interface WholeSeat {
  player_id: string;
  name: string;
  currency: string;
  seat_no: number | null;
  player_cards: Card[];
  bets: Bets;
  decisions: { phase: Phase; action: string; automatic: boolean }[];
  result: string | null;
  staked: number;
  returned: number;
}

export interface WholeRound {
  round_id: string;
  table_id: string;
  day: string;
  game_number: string;
  status: string;
  phase: Phase;
  started_at: number;
  ended_at: number | null;
  presenter: string | null;
  /** How many cards each presenter has dealt. */
  dealers: Record<string, number>;
  hands: 'shared' | 'own';
  limits: TableLimits;
  cards: { slot: string; card: Card }[];
  slots: string[];
  player_hand: Hand | null;
  dealer_hand: Hand | null;
  dealer_qualifies: boolean | null;
  seats: WholeSeat[];
  incidents: { incident_id: string; reason: string; at: number; outcome: string; resolution: string; incident_class: string | null }[];
  steps: WholeStep[];
  chat: ArchivedLine[];
}

/** A stored line of the chat; `blocked` is why it was refused, null if it was sent. */
export interface ArchivedLine extends HostChatLine {
  id: string;
  blocked: string | null;
}

export interface Moves {
  round_id: string;
  moves: BalanceMove[];
  totals: MoveTotal[];
}

export interface Correction {
  id: string;
  round_id: string;
  table_id: string;
  game_number: string;
  cards: Record<string, Card>;
  reason: string;
  proposed_by: string;
  proposed_by_id: string;
  proposed_at: number;
  expires_at: number;
  status: 'open' | 'approved' | 'rejected' | 'expired';
  decided_by: string | null;
  decided_at: number | null;
  remark: string;
}

/** Rounds cancelled in this phase by one person, by a proposer and an approver, or by a proposal that lapsed; the phase of old rounds is unknown. */
export interface Cancelled {
  table_id: string;
  phase: Phase | null;
  by: string;
  proposed_by: string | null;
  approved_by: string | null;
  lapsed: boolean;
  rounds: number;
}

export interface AuditRow {
  id: number;
  at: number;
  actor: string;
  role: string;
  action: string;
  target: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  reason: string;
  action_text: string;
  subject: string;
  round: { round_id: string; table_id: string; day: string; game_number: string } | null;
  proposed_by: string | null;
  approved_by: string | null;
  before_text: string;
  after_text: string;
}

export interface PokerFloorTable {
  table_id: string;
  name: string;
  pool: string;
  currency: string;
  phase: 'waiting' | 'playing' | 'storing' | 'stopped';
  players: number;
  present: number;
  seats: number;
  hand_id: string | null;
  hand_no: number;
  pot: number;
  chips: number;
  idle_since: number | null;
  paused: Pause | null;
}

/** A table of an earlier run that cannot go on: staff return its chips. */
export interface UnreadablePokerTable {
  table_id: string;
  name: string;
  pool: string;
  currency: string;
  chips: number;
  players: { player_id: string; name: string; seat_no: number; chips: number }[];
  why: string;
  to_do: string;
}

export interface PokerFloor {
  tables: PokerFloorTable[];
  unreadable: UnreadablePokerTable[];
}

export interface PokerReport {
  id: string;
  at: number;
  table_id: string;
  hand_id: string;
  seat_no: number;
  author: { id: string; name: string };
  player: { id: string; name: string };
  text: string;
}

export interface VoidPreview {
  hand_id: string;
  returns: { player_id: string; name: string; seat_no: number; stack: number; start: number }[];
}

export interface ListedUser {
  id: string;
  name: string;
  role: Role;
  currency: string;
  play_money: boolean;
  disabled: boolean;
  second_factor: boolean;
  created_at: number;
}

export type Filters = Record<string, string>;

/** Only what was filled in. */
export function query(filters: Filters, more: Filters = {}): string {
  const asked = Object.entries({ ...filters, ...more }).filter(([, value]) => value.trim() !== '');
  return asked.length === 0 ? '' : `?${new URLSearchParams(asked.map(([name, value]) => [name, value.trim()]))}`;
}

const path = (id: string) => encodeURIComponent(id);

export const hostApi = {
  floor: () => ask<{ tables: FloorTable[]; staff: StaffMember[]; currency: string; play_currency: string; has_poker: boolean; server_time: number }>('GET', '/api/host/floor'),
  incidents: async () => (await ask<{ incidents: IncidentClass[] }>('GET', '/api/host/incidents')).incidents,
  rounds: (filters: Filters, more: Filters = {}) =>
    ask<{ rounds: FoundRound[]; next: string | null }>('GET', `/api/host/rounds${query(filters, more)}`),
  round: (id: string) => ask<WholeRound>('GET', `/api/host/rounds/${path(id)}`),
  preview: (id: string, cards: Record<string, string>) => ask<Moves>('POST', `/api/host/rounds/${path(id)}/preview`, { cards }),
  propose: (round_id: string, cards: Record<string, string>, reason: string) =>
    ask<{ id: string }>('POST', '/api/host/corrections', { round_id, cards, reason }),
  corrections: (more: Filters = {}) =>
    ask<{ corrections: Correction[]; next: string | null }>('GET', `/api/host/corrections${query(more)}`),
  approve: (id: string, remark: string) => ask<unknown>('POST', `/api/host/corrections/${path(id)}/approve`, { remark }),
  reject: (id: string, reason: string) => ask<unknown>('POST', `/api/host/corrections/${path(id)}/reject`, { reason }),
  tipsToday: () => ask<{ day: string; tips: Record<string, number> }>('GET', '/api/host/tips'),
  cancellations: async () => (await ask<{ rows: Cancelled[] }>('GET', '/api/host/cancellations')).rows,
  audit: (filters: Filters, more: Filters = {}) =>
    ask<{ rows: AuditRow[]; next: string | null }>('GET', `/api/host/audit${query(filters, more)}`),
  chat: (filters: Filters, more: Filters = {}) =>
    ask<{ lines: ArchivedLine[]; next: string | null; muted: string[] }>('GET', `/api/host/chat${query(filters, more)}`),
};

const pokerTable = (id: string) => `/api/host/poker/tables/${path(id)}`;

export const pokerApi = {
  floor: () => ask<PokerFloor>('GET', '/api/host/poker/floor'),
  pause: (id: string, reason: string) => ask<unknown>('POST', `${pokerTable(id)}/pause`, { reason }),
  resume: (id: string, reason: string) => ask<unknown>('POST', `${pokerTable(id)}/resume`, { reason }),
  preview: (id: string) => ask<VoidPreview>('POST', `${pokerTable(id)}/void/preview`, {}),
  void: (id: string, hand_id: string, reason: string) => ask<unknown>('POST', `${pokerTable(id)}/void`, { hand_id, reason }),
  returnChips: (id: string, reason: string) => ask<unknown>('POST', `${pokerTable(id)}/return_chips`, { reason }),
  reports: (more: Filters = {}) => ask<{ reports: PokerReport[]; next: string | null }>('GET', `/api/host/poker/reports${query(more)}`),
};

export const auditFileAt = (filters: Filters): string => `/api/host/audit.csv${query(filters)}`;

export const adminApi = {
  users: (filters: Filters, more: Filters = {}) =>
    ask<{ users: ListedUser[]; next: string | null }>('GET', `/api/admin/users${query(filters, more)}`),
  add: (name: string, role: Role, password: string) => ask<ListedUser>('POST', '/api/admin/users', { name, role, password }),
  change: (id: string, what: 'password' | 'role' | 'disable' | 'enable' | 'second-factor/reset', body: Record<string, string> = {}) =>
    ask<unknown>('POST', `/api/admin/users/${path(id)}/${what}`, body),
};
