// Steps of a round as sentences, and the cards after each.
import { initialStake } from '../../../lib/bets';
import { cardsText, cardText } from '../../../lib/cardText';
import { money } from '../../../lib/money';
import type { Card } from '../../../lib/protocol';
import type { WholeRound, WholeSeat, WholeStep } from '../api';
import { slotLabel } from '../nextInstruction';
import { w } from '../texts';
import { m } from './texts';

export const clockTime = (ms: number) => new Date(ms).toISOString().slice(11, 19);

export const dayAndTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export type Person = Pick<WholeSeat, 'player_id' | 'name' | 'currency'>;

/** One step as a sentence: what, of whom, why. */
export function stepInWords(step: WholeStep, people: readonly Person[]): string {
  const title = step.proposes ? m.proposes[step.proposes] : (m.steps[step.kind] ?? step.kind);
  const parts: string[] = [];
  if (step.kind === 'betting_closed') parts.push(staked(step, people));
  if (step.kind === 'decision_made') parts.push(`${people.find(({ player_id }) => player_id === step.player_id)?.name ?? step.player_id}: ${action(step.action)}`);
  else if (step.phase) parts.push(step.reason ? `${w.phases[step.phase]},` : w.phases[step.phase]);
  if (step.kind === 'window_closed' && step.automatic?.length) parts.push(`${step.automatic.length} without an answer`);
  if (step.kind === 'cards_swapped') parts.push(swapped(step));
  else if (step.slot) parts.push(step.other_slot ? `${slotLabel(step.slot)} ↔ ${slotLabel(step.other_slot)}` : slotLabel(step.slot));
  if (step.was !== undefined) parts.push(`${cardText(step.was)} →`);
  if (step.card && !step.other_slot) parts.push(cardText(step.card));
  if (step.cards !== undefined) parts.push(cardsText(step.cards));
  if (step.reason) parts.push(step.reason);
  const by = step.by && step.kind !== 'card_dealt' ? ` (${step.by})` : '';
  return parts.length === 0 ? title + by : `${title}: ${parts.join(' ')}${by}`;
}

const swapped = ({ slot, card, other_slot, other_card }: WholeStep) =>
  `${slotLabel(slot!)} ${cardText(other_card!)} → ${cardText(card!)}, ${slotLabel(other_slot!)} ${cardText(card!)} → ${cardText(other_card!)}`;

const action = (name: string | undefined) => (name ?? '').replace('_', ' ').toUpperCase();

/** Per currency: play money and real money are never added up. */
function staked({ stakes = [] }: WholeStep, people: readonly Person[]): string {
  const sums = new Map<string, number>();
  for (const [player, ante, trips] of stakes) {
    const currency = people.find(({ player_id }) => player_id === player)?.currency ?? '';
    sums.set(currency, (sums.get(currency) ?? 0) + initialStake({ ante, trips }));
  }
  const amounts = [...sums].map(([currency, sum]) => money(sum, 'en-GB', currency || null));
  return [stakes.length === 1 ? '1 player' : `${stakes.length} players`, ...amounts].join(', ');
}

/** Cards on the table after a number of steps, by slot. */
export function cardsAfter(round: WholeRound, count: number): Map<string, Card> {
  const cards = new Map<string, Card>();
  for (const step of round.steps.slice(0, count)) {
    if (step.kind === 'card_undone' && step.slot) cards.delete(step.slot);
    else if (step.slot && step.card && step.kind !== 'proposal_made') cards.set(step.slot, step.card);
    if (step.other_slot && step.other_card) cards.set(step.other_slot, step.other_card);
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
export function timelineOf(round: WholeRound): Entry[] {
  const steps = round.steps.map((step) => ({ kind: step.kind, at: step.at_ms, text: stepInWords(step, round.seats) }));
  const lines = round.chat
    .filter(({ role }) => role !== 'table')
    .map((line) => ({ kind: 'said', at: line.at, text: `${line.from}: ${line.text}` }));
  return [...steps, ...lines].sort((one, other) => one.at - other.at);
}
