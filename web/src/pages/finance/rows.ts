// The columns of settlements, postings and accounts, wherever they are shown.
import type { Account, PostedRow, SettledRow } from './house';
import { linkTo } from './place';
import type { Column } from './sheet';
import { sumOf } from './sums';
import { w } from './words';

/** `PLAY 2x`, as the table calls it; null where the round was cancelled before anybody was asked. */
export const actionText = <T extends string | null>(action: T): T => (action?.replace(/^play_/, 'PLAY ') ?? null) as T;

const roundOf = (row: { round_id: string | null }) => (row.round_id ? linkTo('round', { id: row.round_id }) : null);

export const settled: Column<SettledRow>[] = [
  { name: w.time, kind: 'time', value: (row) => row.settled_at, link: roundOf },
  { name: w.table, kind: 'text', value: (row) => row.table_id },
  { name: w.game, kind: 'text', value: (row) => row.game_number, link: roundOf },
  { name: w.presenter, kind: 'name', value: (row) => row.presenter },
  { name: w.player, kind: 'name', value: (row) => row.player_name },
  { name: 'ANTE', kind: 'money', value: (row) => row.ante, link: roundOf },
  { name: 'BLIND', kind: 'money', value: (row) => row.blind, link: roundOf },
  { name: 'TRIPS', kind: 'money', value: (row) => row.trips, link: roundOf },
  { name: 'PLAY', kind: 'money', value: (row) => row.play, link: roundOf },
  { name: w.staked, kind: 'money', value: (row) => row.staked, link: roundOf },
  { name: w.returned, kind: 'money', value: (row) => row.returned, link: roundOf },
  { name: w.net, kind: 'money', value: (row) => row.net, link: roundOf },
  { name: w.action, kind: 'text', value: (row) => actionText(row.action) },
  { name: w.outcome, kind: 'text', value: (row) => row.result },
  { name: w.status, kind: 'text', value: (row) => row.status },
];

/** Where the round is known already; its players may have different currencies. */
export const settledInRound: Column<SettledRow>[] = settled
  .filter(({ name }) => name !== w.table && name !== w.game && name !== w.presenter)
  .toSpliced(2, 0, { name: w.currency, kind: 'text', value: (row) => row.currency });

export function settledSum(rows: readonly SettledRow[]): SettledRow {
  const amounts = ['ante', 'blind', 'trips', 'play', 'staked', 'returned', 'net'] as const;
  const sums = Object.fromEntries(amounts.map((name) => [name, sumOf(rows, name)]));
  return { ...rows[0]!, ...sums, round_id: '' };
}

export const posted: Column<PostedRow>[] = [
  { name: w.time, kind: 'time', value: (row) => row.posted_at, link: roundOf },
  { name: w.kind, kind: 'text', value: (row) => row.kind },
  { name: w.source, kind: 'code', value: (row) => row.source, link: (row) => accountAt(row.source, row) },
  { name: w.destination, kind: 'code', value: (row) => row.destination, link: (row) => accountAt(row.destination, row) },
  { name: w.amount, kind: 'money', value: (row) => row.amount, link: roundOf },
  { name: w.table, kind: 'text', value: (row) => row.table_id },
  { name: w.actor, kind: 'text', value: (row) => row.actor },
  { name: w.reason, kind: 'prose', value: (row) => row.reason },
];

/** A round's players may have different currencies, and its postings with them. */
export const postedInRound: Column<PostedRow>[] = posted.toSpliced(4, 0, { name: w.currency, kind: 'text', value: (row) => row.currency });

const ever = { from: '1970-01-01', to: '9998-12-31' };
const accountAt = (account: string, { currency }: { currency: string }) => linkTo('postings', { ...ever, account, currency });

export const postedSum = (rows: readonly PostedRow[]): PostedRow => ({ ...rows[0]!, round_id: null, amount: sumOf(rows, 'amount') });

/** What an account is for, in words. */
export const kindOfAccount = (kind: string): string => w.accountKinds[kind] ?? kind;

const movesOf = (row: Account) => (row.account === '' ? null : accountAt(row.account, row));

export const held: Column<Account>[] = [
  { name: w.account, kind: 'code', value: (row) => row.account, link: movesOf },
  { name: w.kind, kind: 'text', value: (row) => kindOfAccount(row.kind) },
  { name: w.owner, kind: 'text', value: (row) => row.owner },
  { name: w.balance, kind: 'money', value: (row) => row.balance, link: movesOf },
  { name: w.held, kind: 'money', value: (row) => row.held, link: movesOf },
];

export const heldSum = (rows: readonly Account[]): Account => ({
  ...rows[0]!,
  account: '',
  balance: sumOf(rows, 'balance'),
  held: sumOf(rows, 'held'),
});

/** What was asked for, in words, for the head of the rows. */
export function askedFor(asked: Readonly<Record<string, string>>, names: Readonly<Record<string, string>>): string {
  return Object.entries(asked)
    .filter(([name]) => name in names)
    .map(([name, value]) => `${names[name]}: ${name === 'kind' ? kindOfAccount(value) : value || w.noPresenter}`)
    .join(' · ');
}
