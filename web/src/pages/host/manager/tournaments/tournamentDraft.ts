// A tournament as it is typed into the form, and the entry of the schedule that it leads to.
import { decimalsOf, plainMoney, readMoney } from '../../../../lib/money';
import type { TournamentRow } from '../../../../lib/protocol';
import type { Changes, Template } from './tournamentApi';

/** Texts as typed. Empty fields have the defaults of the rules. */
export interface Draft {
  template: string;
  currency: string;
  id: string;
  name: string;
  /** `2026-11-19T19:00`, in UTC. */
  at: string;
  game: string;
  seats: string;
  total: string;
  fee: string;
  structure: string;
  stack: string;
  late_levels: string;
  entries_min: string;
  entries_max: string;
  reentries_max: string;
  guarantee: string;
  added: string;
  bounty: string;
  rebuy: boolean;
  addon: boolean;
  satellite_to: string;
  seats_guaranteed: string;
}

export type Field = Exclude<keyof Draft, 'template' | 'currency'>;
export class BadField extends Error {
  constructor(readonly field: Field, message: string) {
    super(message);
  }
}

const amounts: readonly Field[] = ['total', 'fee', 'guarantee', 'added'];
const numbers: readonly Field[] = ['seats', 'stack', 'late_levels', 'entries_min', 'entries_max', 'reentries_max', 'seats_guaranteed'];
const words: readonly Field[] = ['name', 'game', 'structure', 'satellite_to'];
/** Keys of the form; a template keeps its others, such as flights or requirements. */
const own: ReadonlySet<string> = new Set([...amounts, ...numbers, ...words, 'id', 'at', 'every', 'bounty', 'rebuy', 'addon']);

export const emptyDraft = (currency: string): Draft => ({
  template: '', currency, id: '', name: '', at: '', game: 'nlhe', seats: '6', total: '', fee: '', structure: 'regular', stack: '', late_levels: '6',
  entries_min: '3', entries_max: '10000', reentries_max: '0', guarantee: '', added: '', bounty: '', rebuy: false, addon: false, satellite_to: '', seats_guaranteed: '',
});

/** Fields filled from a template; time and currency stay as typed. The id is new: that of the template is the schedule's. */
export function draftOf(template: Template, draft: Draft): Draft {
  const decimals = decimalsOf(draft.currency);
  const said = (field: Field) => (template[field] === undefined ? undefined : String(template[field]));
  const filled = { ...emptyDraft(draft.currency), template: String(template['id']), at: draft.at };
  for (const field of [...numbers, ...words]) Object.assign(filled, { [field]: said(field) ?? filled[field] });
  for (const field of amounts) if (template[field] !== undefined) Object.assign(filled, { [field]: plainMoney(Number(template[field]), decimals) });
  const bounty = template['bounty'] as { kind?: string } | undefined;
  return {
    ...filled,
    id: `${String(template['id'])}-extra`,
    bounty: bounty === undefined ? '' : (bounty.kind ?? 'regular'),
    rebuy: template['rebuy'] !== undefined,
    addon: template['addon'] !== undefined,
  };
}

/** Keys of the template that the form does not show and that go along unchanged. */
export const kept = (template: Template | undefined): string[] => Object.keys(template ?? {}).filter((key) => !own.has(key));

/** Part of an address from a name: `The Feast 10` is `the-feast-10`. */
export const idOf = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 30);

export function timeOf(at: string): number {
  const ms = Date.parse(`${at}:00Z`);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(at) || Number.isNaN(ms)) throw new BadField('at', 'enter day and time.');
  return ms;
}

export const fieldOfTime = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

function amountOf(draft: Pick<Draft, 'currency'>, field: Field, text: string): number {
  const minor = readMoney(text, decimalsOf(draft.currency));
  if (minor === null) throw new BadField(field, 'enter an amount, such as 10 or 2.50.');
  return minor;
}

function numberOf(field: Field, text: string): number {
  if (!/^\s*\d{1,8}\s*$/.test(text)) throw new BadField(field, 'enter a whole number.');
  return Number(text);
}

/** Throws `BadField` for what is no number, amount or time. */
export function templateOf(draft: Draft, templates: readonly Template[]): Template {
  const from = templates.find(({ id }) => id === draft.template);
  const made: Record<string, unknown> = Object.fromEntries(kept(from).map((key) => [key, from![key]]));
  if (draft.name.trim() === '') throw new BadField('name', 'enter a name.');
  made['id'] = draft.id.trim() || idOf(draft.name);
  made['at'] = new Date(timeOf(draft.at)).toISOString();
  for (const field of words) if (String(draft[field]).trim() !== '') made[field] = String(draft[field]).trim();
  for (const field of numbers) if (String(draft[field]).trim() !== '') made[field] = numberOf(field, String(draft[field]));
  for (const field of amounts) if (String(draft[field]).trim() !== '') made[field] = amountOf(draft, field, String(draft[field]));
  if (made['total'] === undefined) throw new BadField('total', 'enter the buy-in; 0 for a freeroll.');
  const known = (key: 'rebuy' | 'addon') => from?.[key] ?? {};
  if (draft.bounty !== '') made['bounty'] = { ...(from?.['bounty'] as object | undefined), kind: draft.bounty };
  if (draft.rebuy) made['rebuy'] = known('rebuy');
  if (draft.addon) made['addon'] = known('addon');
  return made;
}

/** What can change before the start, as typed. */
export interface ChangeDraft {
  name: string;
  at: string;
  guarantee: string;
  added: string;
  entries_max: string;
}

export const changeDraftOf = (row: TournamentRow): ChangeDraft => ({
  name: row.name,
  at: row.starts_at === null ? '' : fieldOfTime(row.starts_at),
  guarantee: plainMoney(row.guarantee, decimalsOf(row.currency)),
  added: plainMoney(row.added, decimalsOf(row.currency)),
  entries_max: String(row.entries_max),
});

/** Only what differs from the tournament. */
export function changesOf(draft: ChangeDraft, row: TournamentRow): Changes {
  const changes: Record<string, unknown> = {};
  if (draft.name.trim() === '') throw new BadField('name', 'enter a name.');
  if (draft.name.trim() !== row.name) changes['name'] = draft.name.trim();
  for (const field of ['guarantee', 'added'] as const) {
    const minor = amountOf(row, field, draft[field]);
    if (minor !== row[field]) changes[field] = minor;
  }
  const most = numberOf('entries_max', draft.entries_max);
  if (most !== row.entries_max) changes['entries_max'] = most;
  const starts = timeOf(draft.at);
  const isSame = row.starts_at !== null && fieldOfTime(row.starts_at) === draft.at;
  return { changes, starts_at: isSame ? null : starts };
}
