// Formatting of amounts. On the wire and in sums an amount is a whole number of minor units.
import { unusualDecimals } from './currencies';

const usual = 2;
const formats = new Map<string, Intl.NumberFormat>();

/** Number of decimals of a currency; play money has two. */
export function decimalsOf(currency: string | null): number {
  return (currency === null ? undefined : unusualDecimals[currency]) ?? usual;
}

function format(locale: string, currency: string | null, decimals: number): Intl.NumberFormat {
  const key = `${locale} ${currency ?? ''} ${decimals}`;
  const known = formats.get(key);
  if (known) return known;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const made = new Intl.NumberFormat(locale, currency ? { style: 'currency', currency, ...digits } : digits);
  formats.set(key, made);
  return made;
}

/** `12.50` or, with a currency, `€12.50`. */
export function money(minor: number, locale: string, currency: string | null = null, decimals = decimalsOf(currency)): string {
  return format(locale, currency, decimals).format(minor / 10 ** decimals);
}

/** With its sign, also a plus. */
export function signedMoney(minor: number, locale: string, currency: string | null = null, decimals = decimalsOf(currency)): string {
  return (minor > 0 ? '+' : minor < 0 ? '−' : '') + money(Math.abs(minor), locale, currency, decimals);
}

/** Tournament chips, which have no value and no decimals. */
export function signedChips(chips: number, locale: string): string {
  return signedMoney(chips, locale, null, 0);
}

/** With a point and nothing else, as fields and files have it: `-1234.50`. */
export function plainMoney(minor: number, decimals: number): string {
  return (minor / 10 ** decimals).toFixed(decimals);
}

/** Typed text as minor units; null if it is no amount. Both `,` and `.` are decimal separators. */
export function readMoney(text: string, decimals = usual): number | null {
  const found = /^\s*(\d{1,10})(?:[.,](\d{1,4}))?\s*$/.exec(text);
  const fraction = found?.[2] ?? '';
  if (!found || fraction.length > decimals) return null;
  return Number(found[1] + fraction.padEnd(decimals, '0'));
}
