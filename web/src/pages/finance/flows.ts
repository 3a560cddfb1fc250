// Sums of money in and out by kind, within one currency.
import type { Flow } from './api';

export function flowTotals(flows: readonly Flow[]): [kind: string, amount: number][] {
  const sums = new Map<string, number>();
  for (const { kind, amount } of flows) sums.set(kind, (sums.get(kind) ?? 0) + amount);
  return [...sums].sort(([one], [other]) => one.localeCompare(other));
}
