// What goes on at a table, in one sentence: for the ribbon on the felt and for those who listen.
import { rankOf, suitOf } from '../../lib/cards';
import type { Card } from '../../lib/protocol';
import type { Words } from '../../lib/words/en';
import { sayHand } from '../../lib/words/hands';
import type { Table } from './table.svelte';

export function sayCards(cards: readonly Card[], words: Words): string {
  return cards.map((card) => words.card(words.hands.ranks[rankOf(card)][0], words.suits[suitOf(card)])).join(', ');
}

export function dealerSentence(table: Table, words: Words): string | null {
  const hand = table.round?.dealer_hand;
  if (!hand) return null;
  const named = sayHand(hand, words.hands);
  return table.round?.dealer_qualifies ? words.showdown.qualifies(named) : words.showdown.doesNotQualify(named);
}

function verdict(table: Table, words: Words): string {
  const [mine, dealers] = [table.hand, table.round?.dealer_hand ?? null].map((hand) =>
    hand ? sayHand(hand, words.hands) : '',
  ) as [string, string];
  const how = table.result?.result;
  return how ? words.showdown[how](mine, dealers) : '';
}

export function ribbon(table: Table, words: Words): string {
  const { phase, story, round } = table;
  if (round?.paused) return words.states.paused;
  if (table.isWatching) return words.phase.watching;
  switch (phase) {
    case 'betting':
      return words.phase.placeBets;
    case 'dealing_hole':
      return words.phase.betsClosed;
    case 'dealing_flop':
      return words.phase.flop;
    case 'dealing_river':
      return words.phase.river;
    case 'cancelled':
      return words.phase.cancelled;
    case 'showdown':
      return words.phase.showdown;
    case 'settled': {
      if (!story.has('dealer')) return words.phase.showdown;
      if (story.has('hands') && table.result) return verdict(table, words);
      return dealerSentence(table, words) ?? words.phase.showdown;
    }
    case 'idle':
      return waiting(table, words);
    default:
      return table.isAsked ? words.decide.title : answered(table, words);
  }
}

function waiting(table: Table, words: Words): string {
  if (table.news?.status === 'closed') return words.states.closed;
  if (table.details?.dealing !== 'presenter') return words.phase.waitingFirst;
  return table.news?.presenter ? words.phase.waitingPresenter : words.states.noPresenter;
}

/** What the player did, or what silence was taken for. */
export function answered(table: Table, words: Words): string {
  const { seat } = table;
  if (!table.isIn) return words.phase.noBet;
  if (seat?.automatic) return seat.automatic === 'auto_checked' ? words.decide.autoCheckedMore : words.decide.autoFoldedMore;
  return seat?.decision ? words.decided[seat.decision] : words.phase.betsClosed;
}

/** Between two windows: what lies on the felt, or what was answered last, so that nobody has to guess. */
export function meanwhile(table: Table, words: Words, money: (minor: number) => string): string {
  if (table.phase === 'cancelled') return table.result?.returned ? words.states.cancelled(money(table.result.returned)) : '';
  if (!table.isIn || table.phase === 'idle') return '';
  return table.seat?.decision || table.seat?.automatic ? answered(table, words) : words.phase.betsIn(money(table.totalBet));
}
