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
  /** The same where there is little room. */
  short: string;
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
  if (host.presenter !== null && host.presenter !== me) return said(w.takeOver(host.presenter), isRunning ? w.takeOverRound : w.takeOverMore, 'do', 'open_table');
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
  if (isStarting || host.is_opening) return said(w.opening, w.openingMore, 'wait');
  if (host.deck.is_due) return said(w.countDue, w.countDueMore, 'do', 'count_deck');
  if (phase === 'settled') return said(w.result, w.resultMore, 'done', 'start_round');
  if (phase === 'cancelled') return said(w.cancelled, w.cancelledMore, 'stop', 'start_round');
  return said(w.openBetting, w.openBettingMore, 'do', 'start_round');
}

/** Cards are taken back within their street, while it is being dealt or can still be checked. */
export function canUndo({ round, expects, confirm_until }: Host): boolean {
  if (round.paused !== null) return false;
  return confirm_until !== null || (expects !== null && !/^(player_1|flop_1|turn|dealer_1)$/.test(expects) && expects !== firstOfSeats(round));
}

const firstOfSeats = (round: Host['round']) => {
  const [first] = round.seats?.filter(({ seat_no }) => seat_no !== null) ?? [];
  return first ? `seat_${first.seat_no}_card_1` : null;
};

export function isOver(host: Host): boolean {
  return ['idle', 'settled', 'cancelled'].includes(host.round.phase);
}

export function slotLabel(slot: string): string {
  const seat = /^seat_(\d)_card_(\d)$/.exec(slot);
  return seat ? w.seatCard(seat[1]!, seat[2]!) : (w.slots[slot] ?? slot);
}

export function shortLabel(slot: string): string {
  const seat = /^seat_(\d)_card_(\d)$/.exec(slot);
  return seat ? w.seatShort(seat[1]!) : slotLabel(slot);
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
    short: shortLabel(slot),
    card: cards[at] ?? null,
    isNext: slot === host.expects && host.round.paused === null,
  }));
}

const pair = (cards: Card[]) => padded(cards, 2);
const padded = (cards: Card[], count: number): (Card | null)[] =>
  Array.from({ length: count }, (_, at) => cards[at] ?? null);

/** The result as it is read out to the players: first who wins, then why. */
export function announce(host: Host): string[] {
  const { dealer_hand, dealer_qualifies } = host.round;
  if (host.round.phase !== 'settled' || dealer_hand === null || host.showdown.length === 0) return [];
  const dealer = named(dealer_hand);
  const qualifies = dealer_qualifies ? 'qualifies' : 'does not qualify: ANTE is returned';
  const [first] = host.showdown;
  if (first!.seat_no !== null) {
    const verbs = { player: 'wins', dealer: 'loses', tie: 'pushes' };
    return [
      `Dealer has ${dealer} and ${qualifies}.`,
      ...host.showdown.map(({ seat_no, hand, winner }) => `Seat ${seat_no} ${verbs[winner]} with ${named(hand)}.`),
    ];
  }
  const player = named(first!.hand);
  if (first!.winner === 'tie') return [`Push: both have ${player}.`, `The dealer ${qualifies}.`];
  if (first!.winner === 'player') return [`Player wins with ${player}.`, `Dealer has ${dealer} and ${qualifies}.`];
  return [`Dealer wins with ${dealer}.`, `Player has ${player}. The dealer ${qualifies}.`];
}

const counted = ['pair', 'straight', 'flush', 'full_house', 'straight_flush', 'royal_flush'];

/** A hand within a sentence: `a pair of sevens`, `two pairs, aces and nines`. */
function named(hand: Hand): string {
  const name = nameHand(hand, en.hands);
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return counted.includes(hand.category) ? `a ${lower}` : lower;
}

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
