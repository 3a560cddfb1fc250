// Description of the change that a manager's proposal would make.
import { cardText } from '../../lib/cardText';
import type { Proposal } from '../../lib/protocol';
import { w } from './texts';

export const placeText = (slot: string) => slot.replaceAll('_', ' ').toUpperCase();

/** `FLOP 1: 8♠ → 8♣`; of a swap both cards; empty for a cancellation. */
export function changeText({ slot, was, card, other_slot }: Pick<Proposal, 'slot' | 'was' | 'card' | 'other_slot'>): string {
  if (slot === null || card === null) return '';
  const change = was === null ? `${placeText(slot)} ${w.truth} ${cardText(card)}` : `${placeText(slot)}: ${cardText(was)} → ${cardText(card)}`;
  return other_slot === null || was === null ? change : `${change}, ${placeText(other_slot)}: ${cardText(card)} → ${cardText(was)}`;
}
