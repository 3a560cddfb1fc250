// What happened in a hand, in words: for the replayer, and for players who listen instead of looking.
import { nameHand } from '../../lib/i18n/hands';
import { rankOf, suitOf } from '../../lib/cards';
import { lang } from '../../lib/language.svelte';
import type { Card, Hand, PokerHand, PokerStep } from '../../lib/protocol';
import { words } from './words.svelte';

export type Amount = (minor: number) => string;

const nameOf = (hand: PokerHand, seatNo: number): string => hand.seats.find(({ seat_no }) => seat_no === seatNo)?.name ?? '';

export const spokenCards = (cards: readonly Card[]): string =>
  cards.map((card) => lang.w.card(lang.w.hands.ranks[rankOf(card)][0], lang.w.suits[suitOf(card)])).join(', ');

/** One step as a sentence; empty for steps that say nothing by themselves. `hand` is the hand after it. */
export function stepText(hand: PokerHand, step: PokerStep, amount: Amount, cardsText: (cards: readonly Card[]) => string): string {
  const w = words.w.story;
  switch (step.kind) {
    case 'acted': {
      if (step.seat === undefined || step.action === undefined) return '';
      const name = nameOf(hand, step.seat);
      const said = {
        fold: () => w.folds(name),
        check: () => w.checks(name),
        call: () => w.calls(name, amount(step.paid ?? 0)),
        raise_to: () => w.raises(name, amount(step.to ?? 0)),
      }[step.action]();
      const reason = step.automatic === undefined ? '' : ` (${w.automatic[step.automatic]})`;
      return said + (step.all_in ? `, ${words.w.seat.allIn}` : '') + reason;
    }
    case 'board':
      return w.board(w.streets[step.street ?? hand.street] ?? '', cardsText(step.cards ?? []), amount(step.pot));
    case 'shown':
      return step.seat === undefined ? '' : w.shows(nameOf(hand, step.seat), cardsText(step.cards ?? []), step.hand ? nameHand(step.hand, lang.w.hands) : '');
    case 'uncalled':
      return step.seat === undefined ? '' : w.uncalled(nameOf(hand, step.seat), amount(step.amount ?? 0));
    case 'pot':
      return (step.award?.winners ?? [])
        .map(({ seat, amount: won }) => w.wins(nameOf(hand, seat), amount(won), (step.award?.number ?? 1) - 1))
        .join(' ');
    case 'settled':
      return step.rake ? w.rake(amount(step.rake)) : w.over;
    case 'void':
      return words.w.table.voided;
    case 'clock':
      return '';
  }
}

/** The own hand in words; in Omaha with the two own cards that count. */
export function ownHandText(hand: Hand, own: readonly Card[], isOmaha: boolean, cardsText: (cards: readonly Card[]) => string): string {
  const name = nameHand(hand, lang.w.hands);
  return isOmaha ? words.w.table.with(name, cardsText(hand.cards.filter((card) => own.includes(card)))) : name;
}
