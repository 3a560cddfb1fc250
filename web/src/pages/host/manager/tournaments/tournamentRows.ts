// Tournaments that need a manager, their order, and their state in words.
import { money } from '../../../../lib/money';
import type { TournamentRow } from '../../../../lib/protocol';
import { t } from './texts';
import type { FloorTournament, TournamentFloor } from './tournamentApi';

export type KindFilter = TournamentRow['kind'] | 'all';

export const isAlarmed = ({ is_paused, proposal, paused_tables }: FloorTournament): boolean => is_paused || proposal !== null || paused_tables.length > 0;

export const alarmsOf = (floor: TournamentFloor): number =>
  floor.unreadable.length + floor.proposals.length + floor.tournaments.filter(isAlarmed).length;

const never = Number.MAX_SAFE_INTEGER;
/** Those that need somebody, then running ones, then by start. */
export const byUrgency = (one: FloorTournament, other: FloorTournament): number =>
  Number(isAlarmed(other)) - Number(isAlarmed(one)) ||
  Number(other.tournament.status === 'running') - Number(one.tournament.status === 'running') ||
  (one.tournament.starts_at ?? never) - (other.tournament.starts_at ?? never) ||
  one.tournament.name.localeCompare(other.tournament.name, 'en-GB');

export const isShown = ({ tournament }: FloorTournament, kind: KindFilter, wanted: string): boolean =>
  (kind === 'all' || tournament.kind === kind) && tournament.name.toLowerCase().includes(wanted.trim().toLowerCase());

export const amount = (minor: number, currency: string): string => money(minor, 'en-GB', currency);

export function stateText(row: TournamentRow): string {
  if (row.status === 'running') return t.level(row.level) + (row.is_registration_open ? `, ${t.late}` : '');
  return row.is_registration_open ? t.registering : t.opens;
}

/** A refusal that begins with the name of a field has its label instead: `Start (UTC): this time is over.` */
export function inWords(message: string): string {
  const [, key = '', rest = ''] = /^([a-z_]+)(?:\.[a-z_.]+)?: (.*)$/s.exec(message) ?? [];
  const label = t.fields[key];
  return label === undefined ? message : `${label}: ${rest}`;
}

/** The field that a refusal is about. */
export const fieldIn = (message: string): string | null => /^([a-z_]+)[.:]/.exec(message)?.[1] ?? null;
