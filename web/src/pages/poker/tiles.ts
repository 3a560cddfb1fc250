// How many tables are shown beside each other: 1, 2, 4, 6 or 8, as the screen allows or the player wants.

/** Bar above the tables. */
const barHeight = 50;
/** The tiles of a screen, as `PokerPage` lays them out. */
const grids = [
  { count: 8, columns: 4, rows: 2 },
  { count: 6, columns: 3, rows: 2 },
  { count: 4, columns: 2, rows: 2 },
  { count: 2, columns: 2, rows: 1 },
] as const;

/** Whether a table of this size has room for its buttons: below an upright felt, beside a flat one, or in its corner. */
const isRoomy = (width: number, height: number): boolean =>
  (width >= 430 && height >= Math.max(480, width)) ||
  (width >= 640 && height >= 330 && width >= 1.5 * height) ||
  (width >= 760 && height >= 480);

/** `wanted` 0: as many as fit. */
export function roomFor(width: number, height: number, wanted: number): number {
  if (wanted > 0) return wanted;
  return grids.find(({ columns, rows }) => isRoomy(width / columns, (height - barHeight) / rows))?.count ?? 1;
}
