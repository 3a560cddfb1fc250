// The steps of a round in words, and the cards as they lay after each.
import { money } from '../../../lib/money';
import type { Card } from '../../../lib/protocol';
import type { WholeRound, WholeSeat, WholeStep } from '../house';
import { slotLabel } from '../instruct';
import { w } from '../words';
import { m } from './words';

export const clockTime = (ms: number) => new Date(ms).toISOString().slice(11, 19);

export const dayAndTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export type Person = Pick<WholeSeat, 'player_id' | 'name' | 'currency'>;

/** One step as a sentence: what, of whom, why. */
export function stepInWords(step: WholeStep, people: readonly Person[]): string {
  const title = m.steps[step.kind] ?? step.kind;
  const parts: string[] = [];
  if (step.kind === 'betting_closed') parts.push(staked(step, people));
  if (step.kind === 'decision_made') parts.push(`${people.find(({ player_id }) => player_id === step.player_id)?.name ?? step.player_id}: ${action(step.action)}`);
  else if (step.phase !== undefined) parts.push(w.phases[step.phase]);
  if (step.kind === 'window_closed' && step.automatic?.length) parts.push(`${step.automatic.length} without an answer`);
  if (step.slot !== undefined) parts.push(slotLabel(step.slot));
  if (step.was !== undefined) parts.push(`${step.was} →`);
  if (step.card !== undefined) parts.push(step.card);
  if (step.cards !== undefined) parts.push(step.cards.join(' '));
  if (step.reason) parts.push(step.reason);
  if (step.by) parts.push(`(${step.by})`);
  return parts.length === 0 ? title : `${title}: ${parts.join(' ')}`;
}

const action = (name: string | undefined) => (name ?? '').replace('_', ' ').toUpperCase();

/** Each currency by itself: play money and the house's are no sum. */
function staked({ stakes = [] }: WholeStep, people: readonly Person[]): string {
  const sums = new Map<string, number>();
  for (const [player, ante, trips] of stakes) {
    const currency = people.find(({ player_id }) => player_id === player)?.currency ?? '';
    sums.set(currency, (sums.get(currency) ?? 0) + 2 * ante + trips);
  }
  const amounts = [...sums].map(([currency, sum]) => money(sum, 'en-GB', currency || null));
  return [stakes.length === 1 ? '1 player' : `${stakes.length} players`, ...amounts].join(', ');
}

/** What lay on the table after so many steps, by slot. */
export function cardsAfter(round: WholeRound, count: number): Map<string, Card> {
  const cards = new Map<string, Card>();
  for (const step of round.steps.slice(0, count)) {
    if (step.kind === 'card_undone' && step.slot) cards.delete(step.slot);
    else if (step.slot !== undefined && step.card !== undefined) cards.set(step.slot, step.card);
    if (step.kind === 'round_corrected') step.cards?.forEach((card, at) => cards.set(round.slots[at]!, card));
  }
  return cards;
}

export interface Entry {
  kind: string;
  at: number;
  text: string;
}

/** Steps and chat, in the order they happened. What the table itself says in the chat is in the steps already. */
export function told(round: WholeRound): Entry[] {
  const steps = round.steps.map((step) => ({ kind: step.kind, at: step.at_ms, text: stepInWords(step, round.seats) }));
  const lines = round.chat
    .filter(({ role }) => role !== 'table')
    .map((line) => ({ kind: 'said', at: line.at, text: `${line.from}: ${line.text}` }));
  return [...steps, ...lines].sort((one, other) => one.at - other.at);
}
