// One poker table of the player: what the server has told of it, and what the player asks of it.
import { ServerClock } from '../../lib/clock';
import type {
  Act,
  DealtIn,
  Notice,
  OwnCards,
  PokerHand,
  PokerHandOver,
  PokerHears,
  PokerOptions,
  PokerSeat,
  PokerSends,
  PokerStep,
  PokerTable,
  PreAct,
  Refused,
} from '../../lib/protocol';
import type { Connection } from '../../lib/socket.svelte';
import { NoAnswer } from '../../lib/socket.svelte';
import type { Refusal } from '../../lib/i18n/refusals';
import { BetBox } from './betBox.svelte';
import { after } from './handSteps';

export type PokerConnection = Connection<PokerHears, PokerSends>;

/** joining: no snapshot yet; moved: another device has the seat. */
export type JoinState = 'joining' | 'here' | 'moved' | 'gone';

/** What a seat did last in the running hand. */
export type LastAction = Pick<PokerStep, 'action' | 'to' | 'paid' | 'all_in' | 'automatic'>;

const noAnswer: Refusal = { code: 'unreachable', message: 'There was no answer.' };

export class TableOfPlayer {
  readonly id: string;
  readonly clock: ServerClock;
  state = $state<JoinState>('joining');
  table = $state.raw<PokerTable | null>(null);
  hand = $state.raw<PokerHand | null>(null);
  seat = $state.raw<PokerSeat | null>(null);
  cards = $state.raw<OwnCards | null>(null);
  options = $state.raw<PokerOptions | null>(null);
  /** The end of the last hand, until the next one begins. */
  over = $state.raw<PokerHandOver | null>(null);
  notice = $state.raw<Notice | null>(null);
  /** Why the last wish of the player was refused. */
  refusal = $state.raw<Refusal | null>(null);
  /** The turn whose answer is on its way: its buttons rest. */
  acting = $state<number | null>(null);
  /** What each seat did last, by number. */
  actions = $state.raw<ReadonlyMap<number, LastAction>>(new Map());
  readonly box = new BetBox(this);
  readonly #connection: PokerConnection;
  #seq = 0;

  constructor(id: string, connection: PokerConnection, clock: ServerClock) {
    this.id = id;
    this.#connection = connection;
    this.clock = clock;
  }

  /** The number of the own seat; null before the snapshot. */
  get seatNo(): number | null {
    return this.seat?.seat_no ?? null;
  }

  /** The own seat in the running hand. */
  get ownSeat(): DealtIn | null {
    return this.hand?.seats.find(({ seat_no }) => seat_no === this.seatNo) ?? null;
  }

  get mustAct(): boolean {
    return this.options !== null && this.options.turn !== null && this.acting !== this.options.turn;
  }

  /** Whether the player has cards in the running hand. */
  get isInHand(): boolean {
    return this.hand?.status === 'playing' && this.ownSeat?.folded === false;
  }

  // Events

  onTable(table: PokerTable): void {
    this.table = table;
  }

  onHand(hand: PokerHand): void {
    this.clock.sync(hand.server_time);
    this.#seq = hand.seq;
    this.hand = hand;
    this.over = this.refusal = null;
    this.actions = new Map();
    if (this.cards?.hand_id !== hand.hand_id) this.cards = null;
  }

  onStep(step: PokerStep): void {
    this.clock.sync(step.server_time);
    if (this.hand === null || step.hand_id !== this.hand.hand_id || step.seq !== this.#seq + 1) {
      void this.join(); // something was missed
      return;
    }
    this.#seq = step.seq;
    this.hand = after(this.hand, step);
    if (step.kind === 'acted' && step.seat !== undefined) {
      this.actions = new Map(this.actions).set(step.seat, step);
    } else if (step.kind === 'board') {
      const gone = new Set(this.hand.seats.filter(({ folded, all_in }) => folded || all_in).map(({ seat_no }) => seat_no));
      this.actions = new Map([...this.actions].filter(([seatNo]) => gone.has(seatNo)));
    }
  }

  onCards(cards: OwnCards): void {
    this.cards = cards;
  }

  onOptions(options: PokerOptions): void {
    if (options.turn !== this.options?.turn) this.box.reset();
    this.options = options;
    if (options.turn !== this.acting) this.acting = null;
  }

  onHandOver(over: PokerHandOver): void {
    this.over = over;
  }

  onSeat(seat: PokerSeat): void {
    this.seat = seat;
    if (seat.state === 'gone') this.state = 'gone';
  }

  onNotice(notice: Notice): void {
    this.notice = notice;
  }

  onMoved(): void {
    this.state = 'moved';
    this.options = null;
  }

  // Wishes of the player

  /** Asks for the whole table: at first, after every reconnect, and after a gap. */
  async join(): Promise<void> {
    try {
      const answer = await this.#connection.ask('join', { table_id: this.id });
      if (!answer.ok) {
        this.state = answer.error.code === 'not_in_round' || answer.error.code === 'no_such_table' ? 'gone' : this.state;
        this.refusal = answer.error;
        return;
      }
      this.table = answer.table;
      this.#seq = answer.hand?.seq ?? this.#seq;
      if (answer.hand !== null) this.clock.sync(answer.hand.server_time);
      if (answer.hand?.hand_id !== this.hand?.hand_id) this.actions = new Map();
      this.hand = answer.hand;
      this.seat = answer.seat;
      this.cards = answer.cards;
      this.options = answer.options;
      this.acting = null;
      this.box.reset();
      this.state = 'here';
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error; // the next connection asks again
    }
  }

  /** Answers the question that is open. The buttons rest at once; a refusal brings them back. */
  async act(action: Act['action'], amount: number | null = null): Promise<void> {
    const { hand, options } = this;
    if (hand === null || options === null || options.turn === null || this.acting === options.turn) return;
    const turn = options.turn;
    this.acting = turn;
    this.refusal = null;
    const message: Act = { table_id: this.id, hand_id: options.hand_id, turn, action };
    await this.#ask(() => this.#connection.ask('act', amount === null ? message : { ...message, amount }));
    if (this.refusal !== null && this.acting === turn) this.acting = null;
  }

  async preAct(choice: PreAct['choice']): Promise<void> {
    const hand = this.hand;
    if (hand === null) return;
    const message: PreAct = { table_id: this.id, hand_id: hand.hand_id, choice, price: hand.price };
    if (await this.#ask(() => this.#connection.ask('pre_act', message)) && this.seat !== null) {
      this.seat = { ...this.seat, pre_action: choice };
    }
  }

  sitOut(on: boolean, when: 'now' | 'next_bb' = 'now'): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('sit_out', { table_id: this.id, when, on }));
  }

  waitForBigBlind(on: boolean): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('wait_for_bb', { table_id: this.id, on }));
  }

  autoTopUp(on: boolean): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('auto_top_up', { table_id: this.id, on }));
  }

  topUp(amount: number): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('top_up', { table_id: this.id, amount, key: crypto.randomUUID() }));
  }

  /** Buys in at a reserved seat. */
  async sit(amount: number, key: string, resume: boolean): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('sit', { table_id: this.id, amount, resume, key }));
  }

  leave(): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('leave', { table_id: this.id }));
  }

  async #ask(question: () => Promise<{ ok: true } | Refused>): Promise<boolean> {
    try {
      const answer = await question();
      this.refusal = answer.ok ? null : answer.error;
      return answer.ok;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.refusal = noAnswer;
      return false;
    }
  }
}
