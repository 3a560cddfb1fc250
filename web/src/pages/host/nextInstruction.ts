// Next instruction and card slots, computed from the state of the table alone.
import { totalOf } from '../../lib/bets';
import type { Announced, Card, Hand, Host } from '../../lib/protocol';
import { en } from '../../lib/i18n/en';
import { sayHand, sayKickers } from '../../lib/i18n/hands';
import { w } from './texts';

/** do: act now; wait: others act; done: nothing is missing; stop: hands off. */
export type Mood = 'do' | 'wait' | 'done' | 'stop';
export type Act = 'open_table' | 'take_over' | 'start_round' | 'count_deck' | 'confirm_cards' | 'close_result';

export interface Instruction {
  title: string;
  more: string;
  mood: Mood;
  /** What SPACE and Enter do. */
  act: Act | null;
  /** When it ends by itself, on the server's clock. */
  until: number | null;
  /** The shift ends with this round. */
  isLast?: boolean;
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

/** `isSure`: a take-over in the middle of a round was asked for once, and is asked about. */
export function instruct(host: Host, me: string, dealing: 'auto' | 'presenter', isStarting: boolean, isSure = false): Instruction {
  const { round } = host;
  if (round.paused) return stopped(host, me, dealing, isSure);
  if (dealing === 'auto') return said(w.machine, w.machineMore, 'done');
  const isRunning = !isOver(host);
  // After a restart no presenter is on shift, and the round must continue: any presenter may deal it.
  if (host.presenter !== null && host.presenter !== me) return atAColleagues(host, host.presenter, me, isSure);
  if (host.status === 'closed' && isRunning && host.presenter === me) return { ...inRound(host), isLast: true };
  if (host.status === 'closed' && !isRunning) return said(w.startShift, w.startShiftMore, 'do', 'open_table');
  if (host.presenter === null && !isRunning) return said(w.startShift, w.startShiftMore, 'do', 'open_table');
  return isRunning ? inRound(host) : between(host, isStarting);
}

/** The result of the round in which the presenter's shift ended. */
export const lastResult = (): Instruction => said(w.result, w.lastResultMore, 'done', 'close_result');

/** A stopped round waits for its manager; a colleague can take the table over. */
function stopped(host: Host, me: string, dealing: 'auto' | 'presenter', isSure: boolean): Instruction {
  const title = host.incident?.title ?? w.pausedMore;
  if (dealing === 'auto' || host.presenter === me) return said(w.paused, title, 'stop');
  if (host.presenter === null) return said(w.paused, w.joinStopped, 'stop', 'open_table');
  return { ...atAColleagues(host, host.presenter, me, isSure), mood: 'stop' };
}

/** A table changes hands only when the colleague on shift or a manager agrees. */
function atAColleagues(host: Host, presenter: string, me: string, isSure: boolean): Instruction {
  if (host.hand_over?.by === me) return said(w.askedFor, w.askedForMore(presenter), 'wait');
  if (isSure) return said(w.sureTakeOver(presenter), w.sureTakeOverMore(presenter), 'do', 'take_over');
  return said(w.takeOver(presenter), w.takeOverMore, 'do', 'take_over');
}

function inRound(host: Host): Instruction {
  const { round, expects } = host;
  if (round.phase === 'betting') return said(w.betting, w.bettingMore(host.seats.length), 'wait', null, round.deadline);
  if (expects !== null) {
    const label = slotLabel(expects);
    return said(expects.startsWith('dealer') ? w.turn(label) : w.deal(label), w.scanMore, 'do');
  }
  if (host.confirm_until !== null) return said(w.check, w.checkMore, 'wait', 'confirm_cards', host.confirm_until);
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

/** How an amount is said, and whether its currency is play money. */
export interface Purse {
  say: (minor: number, currency: string) => string;
  isPlayMoney: (currency: string) => boolean;
}

/** The result as it is announced to the players: first the winner, then the reason. A folded hand always loses. */
export function announce(host: Host, purse: Purse): string[] {
  const { dealer_hand, dealer_qualifies } = host.round;
  const [first] = host.showdown;
  if (host.round.phase !== 'settled' || dealer_hand === null || first === undefined) return [];
  const dealer = sayHand(dealer_hand, en.hands);
  const qualifies = dealer_qualifies ? w.qualifies : w.doesNotQualify;
  const has = `Dealer has ${dealer}${dealer_hand.category === 'two_pair' ? ',' : ''} and ${qualifies}.`;
  if (host.showdown.every(({ folded }) => folded)) return [w.allFolded, has, ...winnersLine(host, purse)];
  if (first.seat_no !== null) return [has, ...host.showdown.map((one) => seatLine(one, dealer_hand, wonAt(host, one.seat_no, purse)))];
  return [...sharedLines(first, dealer_hand, dealer, qualifies, has), ...winnersLine(host, purse)];
}

function sharedLines(first: Announced, dealer_hand: Hand, dealer: string, qualifies: string, has: string): string[] {
  const player = sayHand(first.hand, en.hands);
  const why = kickerLine(first, dealer_hand);
  if (first.winner === 'tie') return [`Push: both have ${player}.`, `The dealer ${qualifies}.`];
  if (first.winner === 'player') return [`Player wins with ${player}.`, ...(why ? [`${why} The dealer ${qualifies}.`] : [has])];
  return [`Dealer wins with ${dealer}.`, `${why ?? `Player has ${player}.`} The dealer ${qualifies}.`];
}

/** Players named by their wins at a shared hand. */
const namedMax = 3;

const verbs = { player: 'wins', dealer: 'loses', tie: 'pushes' };

/** `Ann wins €30.00, Bo €12.50, and 3 more players.`: real money first, the largest wins first. */
function winnersLine({ winners, winners_total }: Host, { say, isPlayMoney }: Purse): string[] {
  const named = winners.filter(({ name }) => name !== '');
  const shown = [...named.filter(({ currency }) => !isPlayMoney(currency)), ...named.filter(({ currency }) => isPlayMoney(currency))].slice(0, namedMax);
  if (shown.length === 0) return [];
  const more = winners_total - shown.length;
  const amounts = shown.map(({ name, won, currency }, at) => `${name}${at === 0 ? ' wins' : ''} ${say(won, currency)}`);
  return [`${[...amounts, ...(more > 0 ? [w.moreWinners(more)] : [])].join(', ')}.`];
}

const wonAt = ({ winners }: Host, seatNo: number | null, { say }: Purse): string | null => {
  const won = winners.find(({ seat_no }) => seat_no === seatNo);
  return won ? say(won.won, won.currency) : null;
};

/** `won` is what the seat gets beyond its stakes, TRIPS included; null if nothing. */
function seatLine(one: Announced, dealer: Hand, won: string | null): string {
  const seat = `Seat ${one.seat_no}${one.name === '' ? '' : `, ${one.name},`}`;
  if (one.folded) return `${seat} folded.${won === null ? '' : ` ${w.withTrips(won)}`}`;
  const why = kickerLine(one, dealer);
  const [amount, trips] = one.winner === 'player' ? [won === null ? '' : ` ${won}`, ''] : ['', won === null ? '' : ` ${w.withTrips(won)}`];
  return `${seat} ${verbs[one.winner]}${amount} with ${sayHand(one.hand, en.hands)}.${why === null ? '' : ` ${why}`}${trips}`;
}

/** `King-queen-ten beats king-queen-eight.`; null unless a kicker decides. */
function kickerLine({ hand, winner }: Announced, dealer: Hand): string | null {
  const [better, worse] = winner === 'player' ? [hand, dealer] : [dealer, hand];
  const said = winner === 'tie' ? null : sayKickers(better, worse, en.hands);
  return said === null ? null : `${said[0].charAt(0).toUpperCase()}${said[0].slice(1)}${said[0].includes(',') ? ',' : ''} beats ${said[1]}.`;
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
  currency: string;
}

/** Those in real money first: amounts of different money do not compare. */
export function biggestBets(host: Host, count: number, isPlayMoney: (currency: string) => boolean = () => false): BigBet[] {
  return host.seats
    .map(({ player_id, name, seat_no, bets, currency }) => ({
      playerId: player_id,
      name,
      seatNo: seat_no,
      total: totalOf(bets),
      currency,
    }))
    .sort((one, other) => Number(isPlayMoney(one.currency)) - Number(isPlayMoney(other.currency)) || other.total - one.total)
    .slice(0, count);
}
