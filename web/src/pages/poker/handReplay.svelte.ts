// A finished hand, step by step, as the felt shows a table: with every card the player has seen, and with its odds.
import { ServerClock } from '../../lib/clock';
import type { Card, DealtIn, OwnCards, PokerHand, PokerStep, PokerTable } from '../../lib/protocol';
import type { Odds } from './equity';
import { actionsAfter, after, type Actions } from './handSteps';
import type { PastHand } from './pokerApi';
import type { ShownTable } from './shownTable';

interface Moment {
  hand: PokerHand;
  actions: Actions;
  /** The step that led here; null for the beginning. */
  step: PokerStep | null;
}

/** What the page knows besides the hand: the stake, if it is still played. */
export interface Stake {
  seats: number;
  blinds: { sb: number; bb: number };
  currency: string;
}

const holeCards = { nlhe: 2, plo: 4 } as const;
const usualSeats = 6;

export class HandReplay implements ShownTable {
  readonly past: PastHand;
  readonly table: PokerTable;
  readonly moments: readonly Moment[];
  readonly notice = null;
  readonly clock = new ServerClock();
  at = $state(0);
  odds = $state.raw<ReadonlyMap<number, number>>(new Map());
  isExact = $state(true);
  readonly #found = new Map<string, Promise<Odds>>();

  constructor(past: PastHand, stake: Stake | null, name: string) {
    this.past = past;
    this.moments = momentsOf(past);
    this.table = tableOf(past, stake, name);
  }

  get moment(): Moment {
    return this.moments[this.at]!;
  }
  get hand(): PokerHand {
    return this.moment.hand;
  }
  get actions(): Actions {
    return this.moment.actions;
  }
  get seatNo(): number {
    return this.past.seat_no;
  }
  get ownSeat(): DealtIn | null {
    return this.hand.seats.find(({ seat_no }) => seat_no === this.seatNo) ?? null;
  }
  get isInHand(): boolean {
    return this.hand.status === 'playing' && this.ownSeat?.folded === false;
  }
  get isAtEnd(): boolean {
    return this.at === this.moments.length - 1;
  }
  get cards(): OwnCards | null {
    const { table_id, hand_id, seat_no, cards, best, board } = this.past;
    if (cards.length === 0) return null;
    const hand = this.hand.board.length === board.length ? best : null;
    return { table_id, hand_id, seat_no, cards, hand };
  }

  go(at: number): void {
    this.at = Math.max(0, Math.min(this.moments.length - 1, at));
    void this.#findOdds();
  }

  /** To the beginning of the next street, or to the end; backwards to the beginning of this one or of the one before. */
  goStreet(direction: 1 | -1): void {
    const begins = this.moments.flatMap(({ step }, at) => (step === null || step.kind === 'board' ? [at] : []));
    const next = begins.find((at) => at > this.at) ?? this.moments.length - 1;
    this.go(direction > 0 ? next : (begins.findLast((at) => at < this.at) ?? 0));
  }

  /** The odds of the hands that are known and live; they change with the board and with folds only. */
  async #findOdds(): Promise<void> {
    const { hand } = this;
    const hole = holeCards[hand.game];
    const known = hand.seats.filter(({ cards }) => cards.length === hole);
    const live = known.filter(({ folded }) => !folded);
    if (live.length < 2 || hand.status !== 'playing') {
      this.odds = new Map();
      return;
    }
    const key = `${hand.board.length} ${live.map(({ seat_no }) => seat_no).join(' ')}`;
    const dead = known.filter(({ folded }) => folded).flatMap(({ cards }) => cards);
    const finding =
      this.#found.get(key) ??
      import('./equity').then(({ oddsOf }) => oddsOf(hand.game, live.map(({ cards }) => cards), hand.board, dead));
    this.#found.set(key, finding);
    const found = await finding;
    if (this.hand !== hand) return; // the player has gone on
    this.odds = new Map(live.map(({ seat_no }, at) => [seat_no, found.shares[at] ?? 0]));
    this.isExact = found.isExact;
  }
}

function momentsOf(past: PastHand): Moment[] {
  const cards = new Map(past.ended.seats.map((seat): [number, Card[]] => [seat.seat_no, seat.cards]));
  cards.set(past.seat_no, past.cards);
  const opened: PokerHand = {
    ...past.opened,
    seats: past.opened.seats.map((seat) => ({ ...seat, cards: cards.get(seat.seat_no) ?? [] })),
    seq: 0,
    server_time: past.started_at,
    turn: null,
  };
  const moments: Moment[] = [{ hand: opened, actions: new Map(), step: null }];
  for (const one of past.steps) {
    if (one.kind === 'shown' || one.kind === 'clock') continue; // known cards lie open from the beginning
    const before = moments.at(-1)!;
    const { table_id, hand_id } = past;
    const step: PokerStep = { ...one, table_id, hand_id, seq: moments.length, server_time: one.at, turn: null };
    const hand = after(before.hand, step);
    moments.push({ hand, actions: actionsAfter(before.actions, hand, step), step });
  }
  return moments;
}

function tableOf(past: PastHand, stake: Stake | null, name: string): PokerTable {
  const blind = (kind: 'sb' | 'bb') => past.opened.posts.find((post) => post.kind === kind)?.amount ?? 0;
  return {
    id: past.table_id,
    table_id: past.table_id,
    pool: past.pool,
    tournament: past.tournament_id,
    name,
    game: past.game,
    format: null,
    currency: past.currency,
    size: Math.max(stake?.seats ?? usualSeats, ...past.opened.seats.map(({ seat_no }) => seat_no)),
    blinds: stake?.blinds ?? { sb: blind('sb'), bb: blind('bb') },
    ante: 0,
    seats: [],
    button: past.opened.positions.button,
    hand_no: past.number,
    next_hand_at: null,
    next_level_at: null,
    paused: null,
  };
}
