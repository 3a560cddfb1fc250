// The one thing to do now, and the cards as they lie: worked out from what the table says, and nothing else.
import type { Card, Hand, Host } from '../../lib/protocol';
import { en } from '../../lib/words/en';
import { nameHand } from '../../lib/words/hands';
import { w } from './words';

/** do: act now; wait: others act; done: nothing is missing; stop: hands off. */
export type Mood = 'do' | 'wait' | 'done' | 'stop';
export type Act = 'open_table' | 'start_round' | 'count_deck';

export interface Instruction {
  title: string;
  more: string;
  mood: Mood;
  /** What SPACE and Enter do. */
  act: Act | null;
  /** When it ends by itself, on the server's clock. */
  until: number | null;
}

export interface Slot {
  slot: string;
  label: string;
  card: Card | null;
  isNext: boolean;
}

const said = (title: string, more: string, mood: Mood, act: Act | null = null, until: number | null = null): Instruction => ({
  title,
  more,
  mood,
  act,
  until,
});

export function instruct(host: Host, me: string, dealing: 'auto' | 'presenter', isStarting: boolean): Instruction {
  const { round } = host;
  if (round.paused) return said(w.paused, host.incident?.title ?? w.pausedMore, 'stop');
  if (dealing === 'auto') return said(w.machine, w.machineMore, 'done');
  const isRunning = !isOver(host);
  // After a restart nobody is on shift, and the round must go on: then any presenter may deal it.
  if (host.presenter !== null && host.presenter !== me) return said(w.takeOver(host.presenter), w.takeOverMore, 'do', 'open_table');
  if (host.status === 'closed' && !isRunning) return said(w.startShift, w.startShiftMore, 'do', 'open_table');
  if (host.presenter === null && !isRunning) return said(w.startShift, w.startShiftMore, 'do', 'open_table');
  return isRunning ? inRound(host) : between(host, isStarting);
}

function inRound(host: Host): Instruction {
  const { round, expects } = host;
  if (round.phase === 'betting') return said(w.betting, w.bettingMore(host.seats.length), 'wait', null, round.deadline);
  if (expects !== null) {
    const label = slotLabel(expects);
    return said(expects.startsWith('dealer') ? w.turn(label) : w.deal(label), w.scanMore, 'do');
  }
  if (host.confirm_until !== null) return said(w.check, w.checkMore, 'wait', null, host.confirm_until);
  return said(w.deciding, w.decidingMore(host.left_to_decide), 'wait', null, round.deadline);
}

function between(host: Host, isStarting: boolean): Instruction {
  const { phase } = host.round;
  if (isStarting) return said(w.opening, w.openingMore, 'wait');
  if (host.deck.is_due) return said(w.countDue, w.countDueMore, 'do', 'count_deck');
  if (phase === 'settled') return said(w.result, w.resultMore, 'done', 'start_round');
  if (phase === 'cancelled') return said(w.cancelled, w.cancelledMore, 'stop', 'start_round');
  return said(w.openBetting, w.openBettingMore, 'do', 'start_round');
}

export function isOver(host: Host): boolean {
  return ['idle', 'settled', 'cancelled'].includes(host.round.phase);
}

export function slotLabel(slot: string): string {
  const seat = /^seat_(\d)_card_(\d)$/.exec(slot);
  return seat ? w.seatCard(seat[1]!, seat[2]!) : (w.slots[slot] ?? slot);
}

const board = ['flop_1', 'flop_2', 'flop_3', 'turn', 'river'];
const dealer = ['dealer_1', 'dealer_2'];

/** Every place of the round in dealing order. At an own-hands table the hands are those of the seats that have bet. */
export function slotsOf(host: Host, hands: 'shared' | 'own'): Slot[] {
  const seats = hands === 'own' ? host.seats : [];
  const names =
    hands === 'own'
      ? seats.flatMap(({ seat_no }) => [`seat_${seat_no}_card_1`, `seat_${seat_no}_card_2`])
      : ['player_1', 'player_2'];
  const held = hands === 'own' ? seats.flatMap((seat) => pair(seat.player_cards)) : pair(host.round.player_cards);
  const cards = [...held, ...padded(host.round.board, 5), ...padded(host.round.dealer_cards, 2)];
  return [...names, ...board, ...dealer].map((slot, at) => ({
    slot,
    label: slotLabel(slot),
    card: cards[at] ?? null,
    isNext: slot === host.expects,
  }));
}

const pair = (cards: Card[]) => padded(cards, 2);
const padded = (cards: Card[], count: number): (Card | null)[] =>
  Array.from({ length: count }, (_, at) => cards[at] ?? null);

/** The result as it is read out to the players. */
export function announce(host: Host): string[] {
  const { dealer_hand, dealer_qualifies } = host.round;
  if (host.round.phase !== 'settled' || dealer_hand === null || host.showdown.length === 0) return [];
  const lines = host.showdown.map(({ seat_no, hand, winner }) => {
    const who = seat_no === null ? 'Player' : `Seat ${seat_no}`;
    const named = lower(hand);
    if (winner === 'tie') return `${who}: push. Both have ${named}.`;
    return winner === 'player' ? `${who} wins with ${named}.` : `Dealer wins against ${who.toLowerCase()}, ${named}.`;
  });
  const verdict = dealer_qualifies ? 'The dealer qualifies.' : 'The dealer does not qualify: ANTE is returned.';
  return [...lines, `Dealer has ${lower(dealer_hand)}. ${verdict}`];
}

const lower = (hand: Hand) => {
  const named = nameHand(hand, en.hands);
  return named.charAt(0).toLowerCase() + named.slice(1);
};

/** The cards that are out, which no reading may give again. */
export function cardsOut(slots: readonly Slot[]): Set<Card> {
  return new Set(slots.flatMap(({ card }) => (card === null ? [] : [card])));
}

export interface BigBet {
  playerId: string;
  name: string;
  seatNo: number | null;
  total: number;
}

export function biggestBets(host: Host, count: number): BigBet[] {
  return host.seats
    .map(({ player_id, name, seat_no, bets }) => ({
      playerId: player_id,
      name,
      seatNo: seat_no,
      total: bets.ante + bets.blind + bets.trips + bets.play,
    }))
    .sort((one, other) => other.total - one.total)
    .slice(0, count);
}
