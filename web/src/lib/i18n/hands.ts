// How a hand is named in each language. The server says which category it is and puts the strongest cards first.
import { rankOf } from '../cards';
import type { Category, Hand, Rank } from '../protocol';

export interface HandGrammar {
  /** One and several of each rank: `ace`, `aces`. */
  ranks: Record<Rank, readonly [one: string, several: string]>;
  /** What stands before the name within a sentence, where the language wants it. */
  articles?: Partial<Record<Category, string>>;
  names: Record<Category, (first: readonly [string, string], second: readonly [string, string]) => string>;
}

/** The second rank that matters: the other pair, or the pair of a full house. */
function secondRank(hand: Hand): Rank {
  const at = hand.category === 'two_pair' ? 2 : 3;
  return rankOf(hand.cards[at] ?? hand.cards[0]!);
}

/** A wheel counts its ace as one, so its highest card is the five. */
function firstRank(hand: Hand): Rank {
  const first = rankOf(hand.cards[0]!);
  const isStraight = hand.category === 'straight' || hand.category === 'straight_flush';
  return isStraight && first === 'A' && hand.cards.some((card) => rankOf(card) === '5') ? '5' : first;
}

/** Within a sentence: `a pair of nines`. */
export function sayHand(hand: Hand, grammar: HandGrammar): string {
  return (grammar.articles?.[hand.category] ?? '') + named(hand, grammar);
}

/** By itself: `Pair of nines`. */
export function nameHand(hand: Hand, grammar: HandGrammar): string {
  const name = named(hand, grammar);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function named(hand: Hand, grammar: HandGrammar): string {
  return grammar.names[hand.category](grammar.ranks[firstRank(hand)], grammar.ranks[secondRank(hand)]);
}
