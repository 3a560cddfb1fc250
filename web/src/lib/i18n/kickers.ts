// Comparison of two hands: which one is better, and by which card.
import { rankOf } from '../cards';
import type { Category, Hand } from '../protocol';
import { decider } from './hands';

const categories: readonly Category[] = [
  'high_card', 'pair', 'two_pair', 'three_of_a_kind', 'straight', 'flush', 'full_house', 'four_of_a_kind', 'straight_flush', 'royal_flush',
];
const ranks = '23456789TJQKA';

/** Whether the first hand beats the second. */
export function beats(one: Hand, other: Hand): boolean {
  if (one.category !== other.category) return categories.indexOf(one.category) > categories.indexOf(other.category);
  const at = decider(one, other);
  return at >= 0 && ranks.indexOf(rankOf(one.cards[at]!)) > ranks.indexOf(rankOf(other.cards[at]!));
}
