// HTTP client of managers for tournaments, typed. Amounts are whole numbers of minor units.
import { ask } from '../../../../lib/api';
import type { Pause, TournamentParameters, TournamentRow, TournamentView } from '../../../../lib/protocol';

/** A cancellation outside the published cases that waits for a second person. */
export interface ProposedRefund {
  by: string;
  reason: string;
}

export interface FloorTournament {
  tournament: TournamentRow;
  is_paused: boolean;
  proposal: ProposedRefund | null;
  tables: number;
  paused_tables: string[];
}

export interface TournamentPreview {
  tournament: TournamentRow;
  parameters: TournamentParameters;
  structure: { name: string; level_minutes: number; levels: { number: number; sb: number; bb: number; ante: number }[] };
  promised: number;
  needs_second_person: boolean;
}

export interface ProposedTournament {
  proposal_id: string;
  act: 'create' | 'change';
  tournament_id: string;
  name: string;
  currency: string;
  promised: number;
  by: string;
  at: number;
  reason: string;
  preview: TournamentPreview | null;
  /** Why it is not possible any more. */
  refusal: string | null;
}

export interface UnreadableTournament {
  tournament_id: string;
  name: string;
  currency: string;
  starts_at: number;
  entries: number;
  money: number;
  why: string;
  to_do: string;
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

export interface TournamentFloor {
  tournaments: FloorTournament[];
  proposals: ProposedTournament[];
  unreadable: UnreadableTournament[];
  held: HeldPrize[];
}

export interface ManagedPlayer {
  player_id: string;
  entry_id: string;
  name: string;
  status: 'waiting' | 'registered' | 'playing' | 'out' | 'finished' | 'returned';
  chips: number;
  table_no: number | null;
  is_disqualified: boolean;
}

export interface ManagedTournament {
  view: TournamentView;
  is_paused: boolean;
  proposal: ProposedRefund | null;
  tables: { table_id: string; table_no: number; phase: 'waiting' | 'playing' | 'storing' | 'stopped'; players: number; hand_id: string | null; hand_no: number; paused: Pause | null }[];
  players: ManagedPlayer[];
  acts: { action: string; by: string; at: number; reason: string; about: string | null }[];
}

export interface Cancellation {
  tournament_id: string;
  currency: string;
  case: '52' | '53' | '54a' | '54b' | '55' | 'full';
  to_house: number;
  refunds: { player_id: string; name: string; chips: number; fees: number; share: number; bounty: number; ticket: number | null }[];
}

/** An entry of `schedule.toml`; keys with their default are left out. */
export type Template = Readonly<Record<string, unknown>>;

export interface Templates {
  templates: Template[];
  structures: { name: string; level_minutes: number; stack: number }[];
  prizes: string[];
  currencies: string[];
  promised_alone_max: number;
}

export interface Changed {
  waits_for_second_person: boolean;
}

export interface Changes {
  changes: Readonly<Record<string, unknown>>;
  starts_at: number | null;
}

const at = (id: string) => `/api/host/poker/tournaments/${encodeURIComponent(id)}`;
const all = '/api/host/poker/tournaments';

export const tournamentApi = {
  floor: () => ask<TournamentFloor>('GET', all),
  templates: () => ask<Templates>('GET', '/api/host/poker/tournament-templates'),
  one: (id: string) => ask<ManagedTournament>('GET', at(id)),
  preview: (template: Template, currency: string) => ask<TournamentPreview>('POST', `${all}/preview`, { template, currency }),
  create: (template: Template, currency: string, reason: string) =>
    ask<Changed & { tournament_id: string }>('POST', all, { template, currency, reason }),
  previewChange: (id: string, changes: Changes) => ask<TournamentPreview>('POST', `${at(id)}/change/preview`, changes),
  change: (id: string, changes: Changes, reason: string) => ask<Changed>('POST', `${at(id)}/change`, { ...changes, reason }),
  pause: (id: string, reason: string) => ask<unknown>('POST', `${at(id)}/pause`, { reason }),
  resume: (id: string, reason: string) => ask<unknown>('POST', `${at(id)}/resume`, { reason }),
  previewCancel: (id: string, in_full: boolean) => ask<Cancellation>('POST', `${at(id)}/cancel/preview`, { in_full }),
  cancel: (id: string, reason: string) => ask<unknown>('POST', `${at(id)}/cancel`, { reason }),
  refund: (id: string, reason: string) => ask<unknown>('POST', `${at(id)}/refund`, { reason }),
  answerRefund: (id: string, is_approved: boolean, reason: string) => ask<unknown>('POST', `${at(id)}/refund/answer`, { is_approved, reason }),
  disqualify: (id: string, player_id: string, reason: string) => ask<unknown>('POST', `${at(id)}/disqualify`, { player_id, reason }),
  answer: (proposalId: string, is_approved: boolean, reason: string) =>
    ask<unknown>('POST', `/api/host/poker/tournament-proposals/${encodeURIComponent(proposalId)}/answer`, { is_approved, reason }),
};
