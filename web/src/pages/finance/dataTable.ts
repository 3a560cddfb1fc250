// Columns of a data table: their values, formats, order and CSV text.
import { decimalsOf, money, plainMoney } from '../../lib/money';
import { timeText } from './periods';

export type Kind = 'text' | 'name' | 'prose' | 'code' | 'money' | 'count' | 'sigma' | 'percent' | 'time';
export type Value = string | number | null;

export interface Column<T> {
  name: string;
  kind: Kind;
  value: (row: T) => Value;
  /** Where the rows behind the value are. */
  link?: (row: T) => string | null;
  /** A value to highlight, with the reason. */
  mark?: (row: T) => string | null;
}

export interface Order {
  column: number;
  isDown: boolean;
}

/** A result farther away from the expected one than this is marked. */
export const sigmasMax = 3;
const locale = 'en-GB';
const counts = new Intl.NumberFormat(locale);

export const isNumber = (kind: Kind): boolean => kind === 'money' || kind === 'count' || kind === 'sigma' || kind === 'percent';

/** Of the row's own currency: two rows may have different ones. */
export function currencyOf(row: unknown): string | null {
  const { currency } = row as { currency?: unknown };
  return typeof currency === 'string' ? currency : null;
}

/** Without the currency, which is shown next to it; with the currency's decimals. */
export function amountText(minor: number, currency: string | null): string {
  return (minor < 0 ? '−' : '') + money(Math.abs(minor), locale, null, decimalsOf(currency));
}

/** What the audit chain has in major units, as people read it: `-1234.50` is `−1,234.50`. */
export function majorText(written: string): string {
  const [whole = '', fraction] = written.replace('-', '−').split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}

export function text(kind: Kind, value: Value, currency: string | null = null): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'money') return amountText(value, currency);
  if (kind === 'time') return timeText(value);
  if (kind === 'sigma') return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)} σ`;
  if (kind === 'percent') return `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)} %`;
  return (value < 0 ? '−' : '') + counts.format(Math.abs(value));
}

/** What is not known comes last in both directions. */
export function ordered<T>(rows: readonly T[], column: Column<T> | undefined, isDown: boolean): readonly T[] {
  if (column === undefined) return rows;
  const compare = (one: Value, other: Value) => {
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    const difference = typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), locale);
    return isDown ? -difference : difference;
  };
  return rows.toSorted((one, other) => compare(column.value(one), column.value(other)));
}

/** As RFC 4180 has it, with formulas neutralised as in the exports: after every separator that a spreadsheet may use. */
export function csv<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const header = columns.map(({ name }) => quoted(name));
  const lines = rows.map((row) => columns.map(({ kind, value }) => plain(kind, value(row), currencyOf(row))));
  return [header, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

function plain(kind: Kind, value: Value, currency: string | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return quoted(value.replace(FORMULA, "'$&"));
  if (kind === 'money') return plainMoney(value, decimalsOf(currency));
  return kind === 'time' ? new Date(value).toISOString() : String(value);
}

const FORMULA = /(?<![\p{L}\p{N}=+\-@＝＋－＠])[=+\-@＝＋－＠]|^[\t\r\n]/gu;

const quoted = (value: string): string => (/[",;|\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
