// Status of a table in one sentence: for the ribbon on the felt and for screen readers.
import { rankOf, suitOf } from '../../lib/cards';
import type { Card } from '../../lib/protocol';
import type { Words } from '../../lib/i18n/en';
import { bareName, sayHand, sayKickers } from '../../lib/i18n/hands';
import type { Table } from './table.svelte';

export function sayCards(cards: readonly Card[], words: Words): string {
  return cards.map((card) => words.card(words.hands.ranks[rankOf(card)][0], words.suits[suitOf(card)])).join(', ');
}

export function dealerSentence(table: Table, words: Words): string | null {
  const hand = table.round?.dealer_hand;
  if (!hand) return null;
  const named = bareName(hand, words.hands);
  return table.round?.dealer_qualifies ? words.showdown.qualifies(named) : words.showdown.doesNotQualify(named);
}

function verdict(table: Table, words: Words): string {
  const isWin = table.result?.result === 'win';
  if (table.hand && table.round?.dealer_hand && (isWin || table.result?.result === 'lose')) {
    const hands = [table.hand, table.round.dealer_hand] as const;
    const said = isWin ? sayKickers(...hands, words.hands) : sayKickers(hands[1], hands[0], words.hands);
    if (said) return words.showdown.byKicker(isWin, ...said).replaceAll('-', '\u2011'); // no line ends within "ace-king"
  }
  const [mine, dealers] = [table.hand, table.round?.dealer_hand ?? null].map((hand) =>
    hand ? sayHand(hand, words.hands) : '',
  ) as [string, string];
  const how = table.result?.result;
  const said = how ? words.showdown[how](mine, dealers) : '';
  if (how !== 'fold') return said;
  return `${table.isAutoFolded ? words.decide.autoFolded : words.decided.fold}. ${said}`;
}

export function ribbon(table: Table, words: Words): string {
  const { phase, reveal, round } = table;
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
      if (!reveal.has('dealer')) return words.phase.showdown;
      if (reveal.has('hands') && table.result) return verdict(table, words);
      return dealerSentence(table, words) ?? words.phase.showdown;
    }
    case 'idle':
      return waiting(table, words);
    default:
      return table.mustDecide ? words.decide.title : answered(table, words);
  }
}

function waiting(table: Table, words: Words): string {
  if (table.info?.status === 'closed') return words.states.closed;
  if (table.details?.dealing !== 'presenter') return words.phase.waitingFirst;
  return table.info?.presenter ? words.phase.waitingPresenter : words.states.noPresenter;
}

/** What the player did, or what silence was taken for. */
export function answered(table: Table, words: Words): string {
  const seat = table.roundSeat;
  const others = table.info?.left_to_decide ?? 0;
  if (!table.hasBet) return table.isDeciding && others > 0 ? words.phase.deciding(others) : words.phase.noBet;
  if (seat?.automatic) {
    const { autoChecked, autoFolded, autoCheckedMore, autoFoldedMore, notArrived } = words.decide;
    const isCheck = seat.automatic === 'auto_checked';
    if (table.unconfirmed) return notArrived(isCheck ? autoChecked : autoFolded, words.actions[table.unconfirmed.action]);
    return isCheck ? autoCheckedMore : autoFoldedMore;
  }
  return seat?.decision ? words.decided[seat.decision] : words.phase.betsClosed;
}

/** Between two windows: the cards on the felt, or the last decision. */
export function statusText(table: Table, words: Words, money: (minor: number) => string): string {
  if (table.phase === 'cancelled') return table.result?.returned ? words.states.cancelled(money(table.result.returned)) : '';
  if (!table.hasBet || table.phase === 'idle') return '';
  return table.roundSeat?.decision || table.roundSeat?.automatic ? answered(table, words) : words.phase.betsIn(money(table.totalBet));
}
