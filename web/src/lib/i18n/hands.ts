// Names of hands in each language. The server sends the category and puts the strongest cards first.
import { rankOf } from '../cards';
import type { Category, Hand, Rank } from '../protocol';

export interface HandGrammar {
  /** One and several of each rank: `ace`, `aces`. */
  ranks: Record<Rank, readonly [one: string, several: string]>;
  /** What precedes the name within a sentence: `a `, `an ` or nothing. */
  article?: (category: Category, name: string) => string;
  /** A hand with the card that decides. */
  kicker: (hand: string, card: string) => string;
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
  return withArticle(hand.category, bareName(hand, grammar), grammar);
}

/** A hand or a category within a sentence: `a straight`. */
export function withArticle(category: Category, name: string, { article }: HandGrammar): string {
  return (article?.(category, name) ?? '') + name;
}

/** By itself: `Pair of nines`. */
export function nameHand(hand: Hand, grammar: HandGrammar): string {
  const name = bareName(hand, grammar);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** In brackets or in a list: `pair of nines`. */
export function bareName(hand: Hand, grammar: HandGrammar): string {
  return grammar.names[hand.category](grammar.ranks[firstRank(hand)], grammar.ranks[secondRank(hand)]);
}

/** The first card in which they differ: the server puts the strongest first. */
export const decider = (one: Hand, other: Hand): number => one.cards.findIndex((card, at) => rankOf(card) !== rankOf(other.cards[at]!));

/** Both hands within a sentence; null if their names already differ, or if nothing does. */
export function sayKickers(one: Hand, other: Hand, grammar: HandGrammar): [string, string] | null {
  const at = decider(one, other);
  const name = sayHand(one, grammar);
  if (at < 0 || name !== sayHand(other, grammar)) return null;
  return [one, other].map((hand) => {
    const cards = hand.cards.slice(0, at + 1).map((card) => grammar.ranks[rankOf(card)][0]);
    return hand.category === 'high_card' ? cards.join('-') : grammar.kicker(name, cards.at(-1)!);
  }) as [string, string];
}
