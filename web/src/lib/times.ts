// Formatting of times, all in the time zone of the game numbers.

const timeZone = 'UTC';
/** Name of that time zone, shown after every time that appears alone. */
export const zoneName = 'GMT';

/** For a list of times that says its time zone once. */
export function timeOfDay(ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }).format(ms);
}

export function dayAndTime(ms: number, locale: string): string {
  return `${new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'medium' }).format(ms)} ${zoneName}`;
}

export function dayAndMinute(ms: number, locale: string): string {
  return `${new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(ms)} ${zoneName}`;
}

/** `4:05` or `1:04:05`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
