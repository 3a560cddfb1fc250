// One poker table of the player: what the server has sent of it, and what the player requests.
import { ServerClock, steadyNow } from '../../lib/clock';
import type {
  Act,
  ChatLine,
  DealtIn,
  Notice,
  OwnCards,
  PokerHand,
  PokerHandOver,
  PokerServerEvents,
  PokerOptions,
  PokerSeat,
  PokerClientEvents,
  PokerStep,
  PokerTable,
  PreAct,
  Refused,
} from '../../lib/protocol';
import { ticking } from '../../lib/now.svelte';
import type { Connection } from '../../lib/socket.svelte';
import { NoAnswer } from '../../lib/socket.svelte';
import type { Refusal } from '../../lib/i18n/refusals';
import { BetBox } from './betBox.svelte';
import type { HandReplay } from './handReplay.svelte';
import { actionsAfter, after, type Actions } from './handSteps';
import type { ShownTable } from './shownTable';

export type PokerConnection = Connection<PokerServerEvents, PokerClientEvents>;

/** joining: no snapshot yet; moved: another device has the seat. */
export type JoinState = 'joining' | 'here' | 'moved' | 'gone';

/** What just happened at a table, for ears. */
export type TableChange =
  | { kind: 'hand' | 'cards' | 'your_turn' | 'hand_over' | 'notice' | 'paused' }
  | { kind: 'step'; step: PokerStep };

/** How many roots of decks are remembered: those of the hands whose fairness a player may check at the table. */
const rootsMax = 20;
const chatLinesMax = 100;
const readMs = 8_000;
/** How long after a hand own cards may be shown. */
const showMs = 5_000;
const noAnswer: Refusal = { code: 'unreachable', message: 'There was no answer.' };

export class TableOfPlayer implements ShownTable {
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
  /** Why the last request of the player was refused. */
  refusal = $state.raw<Refusal | null>(null);
  /** The turn whose answer is on its way: its buttons rest. */
  acting = $state<number | null>(null);
  /** What each seat did last, by number. */
  actions = $state.raw<Actions>(new Map());
  chat = $state.raw<readonly ChatLine[]>([]);
  /** Chat lines that came while the chat was closed. */
  unread = $state(0);
  /** The hand that ended last, as far as this page was there. */
  lastHandId = $state<string | null>(null);
  /** A finished hand that lies over the felt. */
  replay = $state.raw<HandReplay | null>(null);
  /** Chips were asked for during a hand: they come after it. */
  isFilling = $state(false);
  /** The table the player was moved from. */
  movedFrom = $state<string | null>(null);
  /** The player looks on at a tournament table, and has no seat. */
  watches = $state(false);
  readonly odds: ReadonlyMap<number, number> = new Map();
  readonly box = new BetBox(this);
  readonly #connection: PokerConnection;
  readonly #onChange: (table: TableOfPlayer, change: TableChange) => void;
  readonly #roots = new Map<string, string>();
  #seq = 0;
  #showsUntil = 0;
  /** The street of the own fold in this hand, as far as this page was there. */
  #foldedOn: PokerHand['street'] | null = null;
  #noticedAt = 0;
  readonly #joinedAt = steadyNow();

  constructor(
    id: string,
    connection: PokerConnection,
    clock: ServerClock,
    onChange: (table: TableOfPlayer, change: TableChange) => void = () => undefined,
  ) {
    this.id = id;
    this.#connection = connection;
    this.clock = clock;
    this.#onChange = onChange;
  }

  /** The tournament of the table; null at a cash table, and before the snapshot. */
  get tournament(): string | null {
    return this.table?.tournament ?? null;
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

  /** Own cards that may be shown to all for some seconds: after a win that nobody saw, or a fold on the last street. */
  get mayShow(): boolean {
    const { hand, ownSeat } = this;
    if (this.over === null || hand?.status !== 'settled' || this.cards === null || ownSeat === null || ownSeat.cards.length > 0) return false;
    if (ownSeat.folded ? this.#foldedOn !== hand.street : hand.seats.some(({ cards }) => cards.length > 0)) return false;
    ticking();
    return steadyNow() < this.#showsUntil;
  }

  /** The root of the hand's deck that this page received before the cards; null if it was not there. */
  rootOf(handId: string): string | null {
    return this.#roots.get(handId) ?? null;
  }

  // Events

  onTable(table: PokerTable): void {
    const wasPaused = this.table?.paused;
    this.table = table;
    if (table.paused && !wasPaused) this.#onChange(this, { kind: 'paused' });
  }

  onHand(hand: PokerHand): void {
    this.clock.sync(hand.server_time);
    this.#seq = hand.seq;
    this.hand = hand;
    this.over = this.refusal = null;
    this.isFilling = false;
    // A hand may begin at once after a move or a restart: what the player is told stays for a while.
    if (steadyNow() - this.#joinedAt > readMs) this.movedFrom = null;
    if (steadyNow() - this.#noticedAt > readMs) this.notice = null;
    this.actions = new Map();
    this.#foldedOn = null;
    if (this.cards?.hand_id !== hand.hand_id) this.cards = null;
    if (this.seat) this.seat = { ...this.seat, pre_action: 'none' };
    this.#record(hand);
    this.#onChange(this, { kind: 'hand' });
  }

  onStep(step: PokerStep): void {
    this.clock.sync(step.server_time);
    if (this.hand === null || step.hand_id !== this.hand.hand_id || step.seq !== this.#seq + 1) {
      void this.join(); // something was missed
      return;
    }
    this.#seq = step.seq;
    const before = this.hand;
    this.hand = after(before, step);
    this.#forgetAhead(before, step);
    if (step.action === 'fold' && step.seat === this.seatNo) this.#foldedOn = this.hand.street;
    this.actions = actionsAfter(this.actions, this.hand, step);
    this.#onChange(this, { kind: 'step', step });
  }

  onCards(cards: OwnCards): void {
    const isNew = this.cards?.hand_id !== cards.hand_id;
    this.cards = cards;
    if (isNew) this.#onChange(this, { kind: 'cards' });
  }

  onOptions(options: PokerOptions): void {
    const isNew = options.turn !== this.options?.turn || options.hand_id !== this.options.hand_id;
    if (isNew) this.box.reset();
    this.options = options;
    if (options.turn !== this.acting) this.acting = null;
    if (isNew && options.turn !== null) {
      this.box.rest();
      this.replay = null; // the own turn needs the felt
      this.#onChange(this, { kind: 'your_turn' });
    }
  }

  onHandOver(over: PokerHandOver): void {
    this.over = over;
    this.#showsUntil = steadyNow() + showMs;
    this.lastHandId = over.hand_id;
    this.#onChange(this, { kind: 'hand_over' });
  }

  onChat(line: ChatLine): void {
    this.chat = [...this.chat, line].slice(-chatLinesMax);
    this.unread += 1;
  }

  onSeat(seat: PokerSeat): void {
    this.seat = seat;
    if (seat.state === 'gone') {
      this.state = 'gone';
      this.options = null;
    }
  }

  onNotice(notice: Notice): void {
    if (notice.code === 'table_closed' && this.watches) this.state = 'gone';
    // About the chat, so it is said there.
    if (notice.code === 'muted' || notice.code === 'unmuted') this.onChat({ ...notice, from: '', role: 'table', at: this.clock.now() });
    this.notice = notice;
    this.#noticedAt = steadyNow();
    this.#onChange(this, { kind: 'notice' });
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
      this.watches = answer.seat === null;
      this.cards = answer.cards;
      this.options = answer.options;
      this.acting = null;
      this.box.reset();
      this.chat = answer.chat;
      if (answer.hand !== null) this.#record(answer.hand);
      this.state = 'here';
      if (this.mustAct) this.#onChange(this, { kind: 'your_turn' });
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

  /** A decision in advance ends as on the server: with the own action, the street, and a price it was made for. */
  #forgetAhead(before: PokerHand, step: PokerStep): void {
    const choice = this.seat?.pre_action ?? 'none';
    if (this.seat === null || choice === 'none' || this.hand === null) return;
    const isDone = step.kind === 'board' || (step.kind === 'acted' && step.seat === this.seatNo);
    const isDearer = this.hand.price !== before.price && (choice === 'check' || choice === 'call');
    if (isDone || isDearer) this.seat = { ...this.seat, pre_action: 'none' };
  }

  /** The space bar: folds ahead, or takes that back. */
  foldAhead(): void {
    if (this.isInHand && !this.mustAct) void this.preAct(this.seat?.pre_action === 'check_fold' ? 'none' : 'check_fold');
  }

  /** Shows own cards to all after a hand. */
  show(): Promise<boolean> {
    const { hand, cards } = this;
    if (hand === null || cards === null) return Promise.resolve(false);
    return this.#ask(() => this.#connection.ask('show', { table_id: this.id, hand_id: hand.hand_id, cards: cards.cards }));
  }

  /** Reports the player of a seat to the house, with the running or the last hand. */
  report(seatNo: number, text: string): Promise<boolean> {
    const { hand } = this;
    if (hand === null) return Promise.resolve(false);
    const message = { table_id: this.id, hand_id: hand.hand_id, seat_no: seatNo, text };
    return this.#ask(() => this.#connection.ask('report', message));
  }

  say(text: string): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('chat', { table_id: this.id, text }));
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

  async topUp(amount: number): Promise<boolean> {
    let isLater = false;
    const isDone = await this.#ask(async () => {
      const answer = await this.#connection.ask('top_up', { table_id: this.id, amount, key: crypto.randomUUID() });
      isLater = answer.ok && answer.after_hand;
      return answer;
    });
    this.isFilling = isLater;
    return isDone;
  }

  /** Keeps looking on after the own end in the tournament. */
  watch(): void {
    this.seat = this.cards = null;
    void this.join();
  }

  leave(): Promise<boolean> {
    return this.#ask(() => this.#connection.ask('leave', { table_id: this.id }));
  }

  #record({ hand_id, root, board, status }: PokerHand): void {
    // A root that comes with the cards of the board proves nothing about them.
    if (root === null || board.length > 0 || status !== 'playing' || this.#roots.has(hand_id)) return;
    this.#roots.set(hand_id, root);
    const [oldest] = this.#roots.keys();
    if (this.#roots.size > rootsMax && oldest !== undefined) this.#roots.delete(oldest);
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
