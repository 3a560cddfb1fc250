// Checks in the browser that a finished hand was dealt from the deck that was fixed before its first card.
// Place of every card: card k of the player at place i is index k·n + i with n players; the board follows.
import { isProven } from '../../lib/cardProofs';
import type { Card } from '../../lib/protocol';
import type { PastHand } from './pokerApi';

/** root: another one than this page received; place: a card lies where it cannot; proof: a card is not proven. */
export type HandFault = 'root' | 'place' | 'proof';

export interface CheckedHand {
  root: string;
  /** Whether the root reached this page before the cards did. */
  isWitnessed: boolean;
  faults: readonly HandFault[];
  cards: readonly { card: Card; index: number; isRight: boolean }[];
}

/** Where in the deck a card that was seen may lie. */
function placesOf(hand: PastHand): [card: Card, indexes: readonly number[]][] {
  const players = hand.opened.seats.length;
  const hole = hand.game === 'plo' ? 4 : 2;
  const ofSeat = (seatNo: number): number[] => {
    const place = hand.opened.seats.findIndex(({ seat_no }) => seat_no === seatNo);
    return Array.from({ length: hole }, (_, card) => card * players + place);
  };
  const shown = hand.ended.seats.filter(({ seat_no }) => seat_no !== hand.seat_no);
  return [
    ...hand.cards.map((card, at): [Card, number[]] => [card, [ofSeat(hand.seat_no)[at]!]]),
    ...hand.board.map((card, at): [Card, number[]] => [card, [players * hole + at]]),
    ...shown.flatMap(({ seat_no, cards }) => cards.map((card): [Card, number[]] => [card, ofSeat(seat_no)])),
  ];
}

/** `witnessed` is the root that this page received with the hand itself; null if it was not there. */
export async function checkHand(hand: PastHand, witnessed: string | null): Promise<CheckedHand> {
  const root = witnessed ?? hand.opened.root ?? '';
  const faults = new Set<HandFault>();
  if (hand.opened.root !== root) faults.add('root');
  const cards = [];
  for (const [card, indexes] of placesOf(hand)) {
    const proof = hand.proofs.find((one) => one.card === card);
    const isPlaced = proof !== undefined && indexes.includes(proof.index);
    const isRight = isPlaced && (await isProven(root, proof));
    if (!isRight) faults.add(proof !== undefined && !isPlaced ? 'place' : 'proof');
    cards.push({ card, index: proof?.index ?? -1, isRight });
  }
  return { root, isWitnessed: witnessed !== null, faults: [...faults], cards };
}
