// A table of the back office: what its columns hold, how a value reads, how rows are ordered and written as CSV.
import { money } from '../../lib/money';
import { timeText } from './periods';

export type Kind = 'text' | 'name' | 'prose' | 'code' | 'money' | 'count' | 'sigma' | 'time';
export type Value = string | number | null;

export interface Column<T> {
  name: string;
  kind: Kind;
  value: (row: T) => Value;
  /** Where the rows behind the value are. */
  link?: (row: T) => string | null;
  /** A value nobody should overlook, and why. */
  mark?: (row: T) => string | null;
}

export interface Order {
  column: number;
  isDown: boolean;
}

const locale = 'en-GB';
const counts = new Intl.NumberFormat(locale);

export const isNumber = (kind: Kind): boolean => kind === 'money' || kind === 'count' || kind === 'sigma';

export function amountText(minor: number): string {
  return (minor < 0 ? '−' : '') + money(Math.abs(minor), locale);
}

export function text(kind: Kind, value: Value): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (kind === 'money') return amountText(value);
  if (kind === 'time') return timeText(value);
  if (kind === 'sigma') return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)} σ`;
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

/** As RFC 4180 has it. What a spreadsheet would take for a formula gets an apostrophe before it, as in the exports. */
export function csv<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const header = columns.map(({ name }) => quoted(name));
  const lines = rows.map((row) => columns.map(({ kind, value }) => plain(kind, value(row))));
  return [header, ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

function plain(kind: Kind, value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return quoted(/^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value);
  if (kind === 'money') return (value / 100).toFixed(2);
  return kind === 'time' ? new Date(value).toISOString() : String(value);
}

const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
