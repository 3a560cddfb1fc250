// Texts about tournaments that several pages need: prices, times, blinds and structures.
import { lang } from '../../../lib/language.svelte';
import { ticking } from '../../../lib/now.svelte';
import type { ServerClock } from '../../../lib/clock';
import type { HexaLine, LevelView, TournamentRow, TournamentView } from '../../../lib/protocol';
import { duration } from '../../../lib/times';
import { number } from '../display.svelte';
import type { TournamentResult } from '../pokerApi';
import { words } from '../words.svelte';

type Price = TournamentRow['price'];

/** The name of a tournament; a Sit & Go is named by its size, in the language of the page. */
export const nameText = ({ kind, name, seats }: Pick<TournamentRow, 'kind' | 'name' | 'seats'>): string =>
  kind === 'sng' ? `${words.t.kinds.sng}, ${words.t.sng.title(seats)}` : name;

/** A HexaPro entry that was taken back has the name of its line. */
export const resultName = ({ tournament_id, name, currency }: TournamentResult, lines: ReadonlyMap<string, HexaLine>): string =>
  (tournament_id === null && lines.get(`${name}-${currency.toLowerCase()}`)?.name) || name;

/** `10.00`, or that the entry costs nothing. */
export const totalText = ({ total }: Price): string => (total === 0 ? words.t.freeEntry : lang.money(total));

/** The parts of a buy-in; empty where there is one alone. */
export function partsText({ pool, bounty, fee, total }: Price): string {
  if (total === 0 || (bounty === 0 && fee === 0)) return '';
  const t = words.t.schedule;
  const parts = [pool > 0 && lang.money(pool), bounty > 0 && t.bountyPart(lang.money(bounty)), fee > 0 && t.feePart(lang.money(fee))];
  return parts.filter(Boolean).join(' + ');
}

export const blindsText = ({ sb, bb, ante }: LevelView): string =>
  `${number(sb)}/${number(bb)}${ante > 0 ? `, ${words.t.table.ante(number(ante))}` : ''}`;

/** The kind of a structure that a player may filter by. */
export function speedOf({ structure }: Pick<TournamentRow, 'structure'>): string {
  return structure in words.t.speeds ? structure : 'regular';
}

/** The time left until then, renewed with every beat of the page. */
export function timeTo(until: number, clock: ServerClock): string {
  ticking();
  return duration(Math.ceil(clock.msUntil(until) / 1000) * 1000);
}

/** A time as the player's own clock shows it. */
export const clockTime = (ms: number): string => new Intl.DateTimeFormat(lang.locale, { hour: '2-digit', minute: '2-digit' }).format(ms);

/** Today, tomorrow, or the day as people write it. */
export function dayText(ms: number, now: number): string {
  const day = (at: number) => new Date(at).setHours(0, 0, 0, 0);
  const days = Math.round((day(ms) - day(now)) / 86_400_000);
  const { today, tomorrow } = words.t.schedule;
  if (days === 0 || days === 1) return days === 0 ? today : tomorrow;
  return new Intl.DateTimeFormat(lang.locale, { weekday: 'long', day: 'numeric', month: 'long' }).format(ms);
}

/** The shares of a prize pool, as in `80 / 12 / 8 %`. */
export const sharesText = (percents: readonly number[]): string =>
  percents.length === 1 ? words.t.hexa.all : `${percents.join(' / ')} %`;

/** Players who must go before all who are left are paid; null while entries can still change that, far from the money. */
export const missingIn = ({ tournament, prizes_are_final, hand_for_hand, places_paid }: TournamentView): number | null =>
  tournament.status === 'running' && (prizes_are_final || hand_for_hand) ? tournament.players_left - places_paid : null;
