// Sizes a player keeps as buttons: times the price, parts of the pot, and all-in.
import type { RaiseRange } from '../../lib/protocol';
import { clamp } from './raiseAmounts';

export interface Sizes {
  preflop: readonly string[];
  postflop: readonly string[];
}

export const usualSizes: Sizes = {
  preflop: ['2.2x', '2.5x', '3x', 'pot', 'all_in'],
  postflop: ['1/3', '1/2', '2/3', 'pot', 'all_in'],
};
export const sizesMax = 6;

/** What a size depends on: totals for the street, and the pot with all bets in it. */
export interface Situation {
  price: number;
  pot: number;
  bet: number;
  stack: number;
}

/** One size as it is kept, from what a player writes: `2.5x`, `75%`, `1/2`, `pot` or `all-in`; null if it is none. */
export function readSize(text: string): string | null {
  const typed = text.trim().toLowerCase().replace(',', '.');
  if (/^all[ _-]?in$/.test(typed)) return 'all_in';
  if (typed === 'pot' || /^[1-9]\/[1-9]$/.test(typed)) return typed;
  const [, times] = /^(\d{1,2}(?:\.\d)?)x$/.exec(typed.replace(' ', '')) ?? [];
  if (times !== undefined && Number(times) > 1) return `${Number(times)}x`;
  const [, percent] = /^(\d{1,3}) ?%$/.exec(typed) ?? [];
  return percent !== undefined && Number(percent) > 0 ? `${Number(percent)}%` : null;
}

const written = /all[ _-]?in|pot|\d\/\d|\d+(?:[.,]\d)? ?[x%]/gi;

/** Sizes written with commas or spaces between them; null if something else is among them, or too many. */
export function readSizes(text: string): string[] | null {
  if (/[^\s,;]/.test(text.replace(written, ''))) return null;
  const found = (text.match(written) ?? []).map(readSize);
  return found.length <= sizesMax && found.every((size) => size !== null) ? [...new Set(found as string[])] : null;
}

export const writeSizes = (sizes: readonly string[]): string => sizes.map((size) => size.replace('all_in', 'all-in')).join(', ');

/** The total for the street, as the server works its own presets out. */
function totalOf(size: string, { price, pot, bet, stack }: Situation): number {
  const afterCall = pot + price - bet;
  if (size === 'all_in') return bet + stack;
  if (size === 'pot') return price + afterCall;
  if (size.endsWith('x')) return Math.floor((price * Math.round(parseFloat(size) * 10)) / 10);
  if (size.endsWith('%')) return price + Math.floor((afterCall * parseInt(size, 10)) / 100);
  const [part = 0, whole = 1] = size.split('/').map(Number);
  return price + Math.floor((afterCall * part) / whole);
}

/** The sizes that are legal now, each with its total; all-in also where the pot limits it. */
export function sizesNow(sizes: readonly string[], situation: Situation, range: RaiseRange): { name: string; amount: number }[] {
  return sizes
    .map((name) => ({ name, amount: totalOf(name, situation) }))
    .filter(({ amount }) => amount === clamp(amount, range));
}
