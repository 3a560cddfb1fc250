// Amounts as people read them. On every wire and in every sum an amount is a whole number of minor units.

const decimals = 2;
const formats = new Map<string, Intl.NumberFormat>();

function format(locale: string, currency: string | null): Intl.NumberFormat {
  const key = `${locale} ${currency ?? ''}`;
  const known = formats.get(key);
  if (known) return known;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const made = new Intl.NumberFormat(locale, currency ? { style: 'currency', currency, ...digits } : digits);
  formats.set(key, made);
  return made;
}

/** `12.50` or, with a currency, `€12.50`. */
export function money(minor: number, locale: string, currency: string | null = null): string {
  return format(locale, currency).format(minor / 10 ** decimals);
}

/** With its sign, also a plus. */
export function signedMoney(minor: number, locale: string, currency: string | null = null): string {
  return (minor > 0 ? '+' : minor < 0 ? '−' : '') + money(Math.abs(minor), locale, currency);
}

/** What somebody typed, as minor units; null if it is no amount. Both `,` and `.` may stand before the decimals. */
export function readMoney(text: string): number | null {
  const found = /^\s*(\d{1,10})(?:[.,](\d{1,2}))?\s*$/.exec(text);
  if (!found) return null;
  return Number(found[1]) * 10 ** decimals + Number((found[2] ?? '').padEnd(decimals, '0'));
}
