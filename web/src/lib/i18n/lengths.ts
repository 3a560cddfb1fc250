// Lengths of time in words.

/** `10 minutes`, `1 hour`, `2 days`: in the largest unit that fits. */
export function lengthOf(minutes: number, locale: string): string {
  const [count, unit] = minutes % 60 ? [minutes, 'minute'] : minutes % 1440 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day'];
  return count.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' });
}
