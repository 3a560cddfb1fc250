// How many tables are shown beside each other: 1, 2, 4, 6 or 8, as the screen allows or the player wants.

const tile = { width: 430, height: 330 };
/** Bar above the tables. */
const barHeight = 50;
const counts = [8, 6, 4, 2, 1] as const;

/** `wanted` 0: as many as fit. */
export function roomFor(width: number, height: number, wanted: number): number {
  if (wanted > 0) return wanted;
  const columns = Math.max(1, Math.floor(width / tile.width));
  const rows = Math.max(1, Math.floor((height - barHeight) / tile.height));
  const most = columns === 1 ? 1 : columns * rows; // one above another is too flat for a phone
  return counts.find((count) => count <= most && (count < 4 || rows > 1)) ?? 1;
}
