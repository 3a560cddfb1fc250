// Currencies are never added up, nor shown in one table; play money stands apart and last.
export interface Purse<T> {
  currency: string;
  isPlay: boolean;
  rows: T[];
}

export function byCurrency<T extends { currency: string }>(rows: readonly T[], play: string, also: readonly string[] = []): Purse<T>[] {
  const found = new Map<string, T[]>(also.map((currency) => [currency, []]));
  for (const row of rows) {
    const own = found.get(row.currency);
    if (own) own.push(row);
    else found.set(row.currency, [row]);
  }
  const purses = [...found].map(([currency, own]) => ({ currency, isPlay: currency === play, rows: own }));
  return purses.sort((one, other) => Number(one.isPlay) - Number(other.isPlay) || one.currency.localeCompare(other.currency));
}
