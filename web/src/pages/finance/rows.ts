// Columns of settlements, postings and accounts.
import type { Account, HexaGame, PostedRow, SettledRow } from './api';
import { linkTo, type View } from './route';
import type { Column } from './dataTable';
import { w } from './texts';

/** `PLAY 2x`, as the table calls it; null if the round was cancelled before the first decision. */
export const actionText = <T extends string | null>(action: T): T => (action?.replace(/^play_/, 'PLAY ') ?? null) as T;

const roundOf = (row: { round_id: string | null }) => (row.round_id ? linkTo('round', { id: row.round_id }) : null);

export type Totals = Readonly<Record<string, number>>;

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
  { name: w.result, kind: 'money', value: (row) => -row.net, link: roundOf },
  { name: w.action, kind: 'text', value: (row) => actionText(row.action) },
  { name: w.outcome, kind: 'text', value: (row) => row.result },
  { name: w.status, kind: 'text', value: (row) => row.status },
];

const net: Column<SettledRow> = { name: w.net, kind: 'money', value: (row) => row.net, link: roundOf };

/** Where the round is known already; its players may have different currencies. */
export const settledInRound: Column<SettledRow>[] = settled
  .filter(({ name }) => name !== w.table && name !== w.game && name !== w.presenter)
  .map((column) => (column.name === w.result ? net : column))
  .toSpliced(2, 0, { name: w.currency, kind: 'text', value: (row) => row.currency });

/** A line of totals in the form of a row: the sums of all pages, which the service adds up. */
export const settledSum = (first: SettledRow, totals: Totals): SettledRow => ({ ...first, ...totals, round_id: '' });

export const posted: Column<PostedRow>[] = [
  { name: w.time, kind: 'time', value: (row) => row.posted_at, link: roundOf },
  { name: w.kind, kind: 'text', value: operationText },
  { name: w.source, kind: 'text', value: (row) => accountName(row.source, row.source_owner), link: (row) => accountAt(row.source, row) },
  { name: w.destination, kind: 'text', value: (row) => accountName(row.destination, row.destination_owner), link: (row) => accountAt(row.destination, row) },
  { name: w.amount, kind: 'money', value: (row) => row.amount, link: roundOf },
  { name: w.table, kind: 'text', value: (row) => row.table_id },
  { name: w.actor, kind: 'text', value: (row) => row.actor_name ?? row.actor },
  { name: w.reason, kind: 'prose', value: (row) => row.reason },
];

/** A round's players may have different currencies, and its postings with them. */
export const postedInRound: Column<PostedRow>[] = posted.toSpliced(4, 0, { name: w.currency, kind: 'text', value: (row) => row.currency });

const ever = { from: '1970-01-01', to: '9998-12-31' };
const accountAt = (account: string, { currency }: { currency: string }) => linkTo('postings', { ...ever, account, currency });

/** `Ann (cash)` instead of `player:3f9a…:cash`, `Ann (chips at nl10-1)` for a seat, `House` for `house:EUR`. */
export function accountName(account: string, owner: string | null): string {
  const [kind = '', place = '', use = account] = account.split(':');
  if (kind === 'mtt') return w.ofTournament(w.tournamentParts[use] ?? use, place);
  if (owner === null) return w.houseAccounts[kind] ?? (kind === 'pot' ? w.potOf(place) : account);
  if (kind === 'held') return `${owner} (${w.heldIn(place)})`;
  if (kind === 'seat') return `${owner} (${w.chipsAt(place)})`;
  return `${owner} (${kind === 'receivable' ? w.owedBy : use})`;
}

/** The account whose postings are shown, by one of them. */
export const accountAsked = (account: string, row: PostedRow): string => accountName(account, row.source === account ? row.source_owner : row.destination_owner);

/** What an operation was, in words: `Poker buy-in at nl10-1`, `Poker hand nl10-1-57`. */
function operationText({ kind, key, table_id }: PostedRow): string {
  if (kind === 'poker_hand') return `${w.kinds[kind]} ${key.replace(/:settle$/, '')}`;
  return kind.startsWith('poker_') && table_id !== null ? w.atTable(w.kinds[kind] ?? kind, table_id) : (w.kinds[kind] ?? kind);
}

/** Postings of one account: what went in and out, and its balance afterwards. */
export const postedOfAccount: Column<PostedRow>[] = posted.toSpliced(
  posted.findIndex(({ name }) => name === w.amount),
  1,
  { name: w.moneyIn, kind: 'money', value: ({ in: sum, change = 0 }) => sum ?? (change > 0 ? change : null), link: roundOf },
  { name: w.moneyOut, kind: 'money', value: ({ out, change = 0 }) => out ?? (change < 0 ? -change : null), link: roundOf },
  { name: w.balance, kind: 'money', value: ({ balance = null }) => balance },
);

export const postedSum = (first: PostedRow, totals: Totals): PostedRow => ({ ...first, balance: null, ...totals, round_id: null });

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

export const heldSum = (first: Account, totals: Totals): Account => ({ ...first, ...totals, account: '' });

const poolOf = (row: HexaGame) => (row.account === '' ? null : accountAt(row.account, row));

export const games: Column<HexaGame>[] = [
  { name: w.started, kind: 'time', value: (row) => row.started_at, link: poolOf },
  { name: w.product, kind: 'text', value: (row) => row.name },
  { name: w.game, kind: 'code', value: (row) => row.tournament_id, link: poolOf },
  { name: w.multiplier, kind: 'count', value: (row) => row.multiplier },
  { name: w.buyIn, kind: 'money', value: (row) => row.buy_in },
  { name: w.pools, kind: 'money', value: (row) => row.pool, link: poolOf },
  { name: w.status, kind: 'text', value: (row) => row.status },
];

/** Multipliers have no sum. */
export const gamesSum = (first: HexaGame, totals: Totals): HexaGame => ({ ...first, ...totals, account: '', multiplier: null as unknown as number });

/** A kind is one of accounts, or of the operations behind postings. */
function said(name: string, value: string, view: View): string {
  if (name === 'figure') return w.tournamentFigures[value] ?? value;
  if (name !== 'kind') return value || w.noPresenter;
  return view === 'accounts' ? kindOfAccount(value) : (w.kinds[value] ?? value);
}

/** What was asked for, in words, for the head of the rows. */
export function askedFor(view: View, asked: Readonly<Record<string, string>>, names: Readonly<Record<string, string>>): string {
  return Object.entries(asked)
    .filter(([name]) => name in names)
    .map(([name, value]) => `${names[name]}: ${said(name, value, view)}`)
    .join(' · ');
}
