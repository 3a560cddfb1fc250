// Grouping by currency: currencies are never added up or mixed in a table; play and practice money come last.
/** The code ISO 4217 keeps for testing: the money of practice tables. */
export const practiceCurrency = 'XTS';

export interface Purse<T> {
  currency: string;
  /** Worth nothing: play money or practice money. */
  isPlay: boolean;
  isPractice: boolean;
  rows: T[];
}

export function byCurrency<T extends { currency: string }>(rows: readonly T[], play: string, also: readonly string[] = []): Purse<T>[] {
  const found = new Map<string, T[]>(also.map((currency) => [currency, []]));
  for (const row of rows) {
    const own = found.get(row.currency);
    if (own) own.push(row);
    else found.set(row.currency, [row]);
  }
  const purses = [...found].map(([currency, own]) => ({
    currency,
    isPlay: currency === play || currency === practiceCurrency,
    isPractice: currency === practiceCurrency,
    rows: own,
  }));
  return purses.sort((one, other) => Number(one.isPlay) - Number(other.isPlay) || Number(one.isPractice) - Number(other.isPractice) || one.currency.localeCompare(other.currency));
}
