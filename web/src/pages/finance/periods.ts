// Days, weeks and months of the books: UTC dates such as 2026-11-16, first and last included.

export type Span = 'day' | 'week' | 'month';

export interface Period {
  from: string;
  to: string;
}

const dayMs = 86_400_000;
const locale = 'en-GB';

const parse = (day: string) => Date.parse(`${day}T00:00:00Z`);
const write = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const plus = (day: string, days: number) => write(parse(day) + days * dayMs);

export const today = (nowMs: number): string => write(nowMs);

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(parse(text)) && write(parse(text)) === text;

/** The day, the week from Monday on or the month that this day is in. */
export function periodOf(span: Span, day: string): Period {
  if (span === 'day') return { from: day, to: day };
  if (span === 'week') {
    const from = plus(day, -((new Date(parse(day)).getUTCDay() + 6) % 7));
    return { from, to: plus(from, 6) };
  }
  const from = `${day.slice(0, 7)}-01`;
  return { from, to: plus(`${plus(from, 31).slice(0, 7)}-01`, -1) };
}

/** Null for days that are none of the three. */
export function spanOf(period: Period): Span | null {
  const spans: Span[] = ['day', 'week', 'month'];
  return spans.find((span) => periodOf(span, period.from).from === period.from && periodOf(span, period.from).to === period.to) ?? null;
}

export function daysIn(period: Period): number {
  return (parse(period.to) - parse(period.from)) / dayMs + 1;
}

/** The period just before, or just after. */
export function neighbour(period: Period, direction: -1 | 1): Period {
  const beyond = direction === 1 ? plus(period.to, 1) : plus(period.from, -1);
  const span = spanOf(period);
  if (span !== null) return periodOf(span, beyond);
  const further = direction * (daysIn(period) - 1);
  return direction === 1 ? { from: beyond, to: plus(beyond, further) } : { from: plus(beyond, further), to: beyond };
}

function dayText(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(parse(day));
}

const inFull: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' };

export function periodName(period: Period): string {
  const span = spanOf(period);
  if (span === 'day') return `${dayText(period.from, { weekday: 'long' })} ${dayText(period.from, inFull)}`;
  if (span === 'month') return dayText(period.from, { month: 'long', year: 'numeric' });
  return `${dayText(period.from, inFull)} to ${dayText(period.to, inFull)}`;
}

/** `2026-11-16 09:30:00`, in UTC as the exports have it. */
export const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Duration in the largest useful unit. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60)];
  const of = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  return days > 0 ? of(days, 'day') : hours > 0 ? of(hours, 'hour') : of(minutes, 'minute');
}

/** The seconds at which a day begins, for a chart. */
export const secondsAt = (day: string): number => parse(day) / 1000;
