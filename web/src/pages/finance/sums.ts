// Sums of a column, within one currency.

export function sumOf<K extends string>(rows: readonly Record<K, number>[], name: K): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
