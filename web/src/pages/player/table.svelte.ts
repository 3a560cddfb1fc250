// One table as this player sees it: the last snapshot and everything heard since. It shows what the server says and
// decides nothing about the game.
import type { Seconds, TableDetails } from '../../lib/api';
import { house } from '../../lib/api';
import { cardsOut } from '../../lib/cards';
import { lang } from '../../lib/language.svelte';
import { NoAnswer } from '../../lib/line.svelte';
import type {
  Action,
  Bets,
  ChatLine,
  Hand,
  Joined,
  Notice,
  Phase,
  Refused,
  Round,
  RoundResult,
  Seat,
  Table as TableNews,
  TableLimits,
} from '../../lib/protocol';
import { ticking } from '../../lib/ticking.svelte';
import { learn, missed, type Mishap } from './absence';
import { Composer, costOf, type NotStored, type Stored } from './composer.svelte';
import { Story } from './story.svelte';
import type { DecidingPhase, Surroundings } from './surroundings';

export type Standing = 'joining' | 'here' | 'moved' | 'refused' | 'left';

/** What a round at this table brought; null for somebody who did not take part. */
export interface PastRound {
  round_id: string;
  net: number | null;
}

const noBets: Bets = { ante: 0, blind: 0, trips: 0, play: 0 };
const noLimits: TableLimits = { ante_min: 0, ante_max: 0, trips_min: 0, trips_max: 0 };
const pastMax = 30;
const chatMax = 200;
/** When the house could not say how things stand, it is asked again after so long. */
const againMs = 2_000;
const windowOf: Partial<Record<Phase, keyof Seconds>> = {
  betting: 'betting',
  deciding_preflop: 'decide_preflop',
  deciding_flop: 'decide_flop',
  deciding_river: 'decide_river',
};

export class Table {
  standing = $state<Standing>('joining');
  refusal = $state.raw<Refused['error'] | null>(null);
  details = $state.raw<TableDetails | null>(null);
  round = $state.raw<Round | null>(null);
  seat = $state.raw<Seat | null>(null);
  news = $state.raw<TableNews | null>(null);
  result = $state.raw<RoundResult | null>(null);
  /** The result of the round before, while the next one takes bets. */
  lastResult = $state.raw<{ result: RoundResult; game_number: string } | null>(null);
  past = $state.raw<readonly PastRound[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  unread = $state(0);
  /** What the house has to say to this player, until it is read. */
  notice = $state.raw<Notice | null>(null);
  mishap = $state.raw<Mishap | null>(null);
  /** The answer that is on its way to the house. */
  deciding = $state<Action | null>(null);
  decisionRefusal = $state.raw<Refused['error'] | null>(null);
  /** False while cards appear that lay there already when this player came. */
  animates = $state(false);
  readonly composer: Composer;
  readonly story: Story;
  #incident: string | null = null;

  constructor(
    readonly id: string,
    private readonly around: Surroundings,
  ) {
    this.composer = new Composer(
      (round, amounts) => this.#sendBet(round, amounts),
      () => this.limits,
      () => this.around.available(),
    );
    this.story = new Story(() => this.#told());
  }

  // How things stand

  get limits(): TableLimits {
    return this.news?.limits ?? this.details?.limits ?? noLimits;
  }

  get chips(): readonly number[] {
    return this.details?.chips ?? [];
  }

  get phase(): Phase {
    return this.round?.phase ?? 'idle';
  }

  get isOwnHands(): boolean {
    return this.details?.hands === 'own';
  }

  /** At an own-hands table without a free seat. */
  get isWatching(): boolean {
    return this.isOwnHands && this.seat !== null && this.seat.seat_no === null;
  }

  get isBetting(): boolean {
    return this.standing === 'here' && this.phase === 'betting' && this.round?.paused === null && !this.isWatching;
  }

  get isDeciding(): boolean {
    return this.phase.startsWith('deciding_');
  }

  /** The player has to answer now. */
  get isAsked(): boolean {
    return this.standing === 'here' && this.isDeciding && this.round?.paused === null && (this.seat?.options.length ?? 0) > 0;
  }

  get isIn(): boolean {
    return this.bets.ante > 0;
  }

  get bets(): Bets {
    const { ante, trips } = this.composer.wanted;
    if (this.phase === 'betting') return { ante, blind: ante, trips, play: 0 };
    if (this.phase === 'cancelled') return noBets; // every bet is back with its player
    return this.seat?.bets ?? noBets;
  }

  get totalBet(): number {
    const { ante, blind, trips, play } = this.bets;
    return ante + blind + trips + play;
  }

  get playerCards() {
    return (this.isOwnHands ? this.seat?.player_cards : this.round?.player_cards) ?? [];
  }

  get hand(): Hand | null {
    return (this.isOwnHands ? this.seat?.hand : this.round?.player_hand) ?? null;
  }

  /** Nothing was played here yet, so that the player may want to know where to begin. */
  get isFirst(): boolean {
    return this.lastResult === null && this.composer.last.ante === 0;
  }

  /** The end of the round has been told spot by spot. */
  get isTold(): boolean {
    return this.result?.status === 'settled' && this.story.has('trips');
  }

  /** What the round has brought, as soon as it is known. */
  get net(): number {
    return this.result?.status === 'settled' ? this.result.returned - this.result.staked : 0;
  }

  /** Since the hole cards lie, two face-down cards lie before the dealer. */
  get dealerHasCards(): boolean {
    return !['idle', 'betting', 'dealing_hole'].includes(this.phase) || this.playerCards.length === 2;
  }

  /** Milliseconds left in the open window, by the server's clock; null when nothing is timed. */
  get leftMs(): number | null {
    const deadline = this.round?.deadline ?? null;
    if (deadline === null || this.round?.paused) return null;
    ticking();
    return this.around.clock.msUntil(deadline);
  }

  get windowMs(): number {
    const name = windowOf[this.phase];
    return ((name && this.details?.seconds[name]) ?? 15) * 1000;
  }

  // What the player does

  async join(seatNo?: number): Promise<void> {
    if (this.standing !== 'here') this.standing = 'joining';
    try {
      this.details ??= await house.table(this.id);
      const answer = await this.around.ask.join(
        seatNo === undefined ? { table_id: this.id } : { table_id: this.id, seat_no: seatNo },
      );
      if (this.#isLeft()) return;
      if (answer.ok) this.#stand(answer);
      else if (answer.error.code === 'internal') setTimeout(() => this.#joinAgain(seatNo), againMs);
      else this.#refuse(answer.error);
    } catch (error) {
      // Without an answer the line connects again and joins again.
      if (!(error instanceof NoAnswer)) this.#refuse({ code: 'internal', message: String((error as Error).message) });
    }
  }

  /** At an own-hands table, while no bet lies there. If somebody else has it by now, everything stays as it is. */
  async takeSeat(seatNo: number): Promise<void> {
    await this.join(seatNo);
  }

  async decide(action: Action): Promise<void> {
    const round = this.round;
    if (!this.isAsked || this.deciding !== null || !round?.round_id) return;
    this.deciding = action;
    this.decisionRefusal = null;
    const question = { table_id: this.id, round_id: round.round_id, action, phase: round.phase as DecidingPhase };
    try {
      const answer = await this.around.ask.decide(question);
      if (!answer.ok) this.decisionRefusal = answer.error;
      else if (this.seat?.round_id === round.round_id && this.seat.options.length > 0 && this.round === round) {
        this.seat = { ...this.seat, bets: answer.bets, decision: action, options: [] };
      }
    } catch {
      // The line is lost; the snapshot after it says whether the answer was stored.
    }
    this.deciding = null;
  }

  /** What was told over the felt has been read. */
  read(): void {
    if (this.notice) this.notice = null;
    else this.mishap = null;
  }

  async say(text: string): Promise<Refused['error'] | null> {
    try {
      const answer = await this.around.ask.chat({ table_id: this.id, text });
      return answer.ok ? null : answer.error;
    } catch {
      return { code: 'internal', message: 'There is no connection.' };
    }
  }

  /** Limits may change between rounds, and the exact return is counted some time after it is asked for. */
  async readDetails(): Promise<void> {
    this.details = await house.table(this.id).catch(() => this.details);
  }

  // What the server says

  hearRound(round: Round): void {
    if (this.standing !== 'here' || this.round === null) return;
    if (round.seq <= this.round.seq) return;
    if (round.seq > this.round.seq + 1) void this.join();
    this.animates = true;
    this.#takeRound(round, false);
  }

  hearSeat(seat: Seat): void {
    const wasAsked = this.isAsked;
    this.seat = seat;
    this.composer.stands(seat.round_id, this.isBetting, seat.bets);
    if (!wasAsked && this.isAsked) this.around.tell('your_turn');
  }

  hearResult(result: RoundResult): void {
    const isCorrected = this.result?.round_id === result.round_id || this.round?.round_id !== result.round_id;
    if (isCorrected) return this.#correct(result);
    this.result = result;
    if (result.status === 'cancelled') {
      this.mishap = { kind: 'cancelled', amount: result.returned, incident: this.#incident };
      this.around.tell('cancelled');
      return;
    }
    this.#enter(result);
    if (this.story.isRunning) this.around.withhold(result.returned);
    else this.around.tell('result');
  }

  hearChat(line: ChatLine): void {
    this.chat = [...this.chat, line].slice(-chatMax);
    this.unread += 1;
  }

  hearNotice(notice: Notice): void {
    if (['muted', 'unmuted', 'round_corrected', 'seat_lost', 'seat_found'].includes(notice.code)) this.notice = notice;
    this.#incident = /Incident (\S+?)\.?$/.exec(notice.text)?.[1] ?? this.#incident;
  }

  /** A line of the chat in the language of the player, if it is the house's own. */
  worded({ code, text }: ChatLine): string {
    return code === null ? text : lang.notice({ code, text });
  }

  hearNews(news: TableNews): void {
    this.news = news;
  }

  hearMoved(): void {
    this.standing = 'moved';
    this.composer.forget();
    this.story.clear();
  }

  close(): void {
    this.standing = 'left';
    this.story.clear();
  }

  #stand(snapshot: Joined): void {
    const staked = this.phase === 'betting' ? costOf(this.composer.stored) : 0;
    const before = this.round?.round_id ?? null;
    const { phase, isIn } = this;
    const unheard = missed({ round_id: before, phase, isIn, isEndKnown: this.result !== null }, snapshot);
    this.composer.forget();
    this.standing = 'here';
    this.refusal = null;
    this.animates = false;
    this.news = snapshot.table;
    this.chat = snapshot.chat;
    this.seat = snapshot.seat;
    this.#takeRound(snapshot.round, true);
    if (staked > 0 && (snapshot.round.round_id !== before || snapshot.seat.bets.ante === 0)) {
      this.mishap = { kind: 'returned', amount: staked };
    }
    if (unheard !== null) void this.#learn(unheard);
  }

  async #learn(roundId: string): Promise<void> {
    const learnt = await learn(roundId, this.round?.round_id ?? null);
    if (learnt && 'result' in learnt) this.result = learnt.result;
    else if (learnt) this.mishap = learnt.mishap;
  }

  /** Unless the player has gone meanwhile, or sits here on another device. */
  #joinAgain(seatNo?: number): void {
    if (this.standing === 'here' || this.standing === 'joining') void this.join(seatNo);
  }

  /** Asked anew after every wait: the player may have gone meanwhile. */
  #isLeft(): boolean {
    return this.standing === 'left';
  }

  #refuse(error: Refused['error']): void {
    this.standing = 'refused';
    this.refusal = error;
  }

  #takeRound(round: Round, isSnapshot: boolean): void {
    const before = this.round;
    this.around.clock.heard(round.server_time);
    const isNew = before?.round_id !== round.round_id;
    if (isNew) this.#turnPage();
    this.round = round;
    const bets = this.seat?.round_id === round.round_id ? this.seat.bets : noBets;
    this.composer.stands(round.round_id, round.phase === 'betting' && round.paused === null, bets);
    if (round.phase === 'settled' && before?.phase !== 'settled') this.#end(round, isSnapshot);
    if (isSnapshot) return;
    if (round.paused && !before?.paused) this.around.tell('paused');
    else if (isNew && round.phase === 'betting') this.around.tell('betting');
    else if (cardsOut(round) > (isNew ? 0 : cardsOut(before))) this.around.tell('card');
  }

  /** A new round: the last one stays readable beside it. */
  #turnPage(): void {
    this.story.clear();
    if (this.result?.status === 'settled' && this.round?.round_id === this.result.round_id) {
      this.lastResult = {
        result: this.result,
        game_number: this.round.game_number ?? '',
      };
    }
    this.result = null;
    this.deciding = null;
    this.decisionRefusal = null;
  }

  #end(round: Round, isSnapshot: boolean): void {
    if (isSnapshot) this.story.tellAll();
    else this.story.begin();
    if (round.round_id === null || this.past[0]?.round_id === round.round_id) return;
    this.past = [{ round_id: round.round_id, net: null }, ...this.past].slice(0, pastMax);
  }

  #enter(result: RoundResult): void {
    const net = result.returned - result.staked;
    this.past = this.past.map((round) => (round.round_id === result.round_id ? { ...round, net } : round));
  }

  /** A round that had ended is settled anew: what is shown of it changes, and nothing is told as if it were won now. */
  #correct(result: RoundResult): void {
    if (this.result?.round_id === result.round_id && !this.story.isRunning) this.result = result;
    this.#enter(result);
    this.around.tell('corrected');
  }

  #told(): void {
    if (this.result?.status === 'settled') {
      this.around.withhold(-this.result.returned);
      this.around.tell('result');
    }
  }

  async #sendBet(round: string, amounts: { ante: number; trips: number }): Promise<Stored | NotStored | null> {
    try {
      return await this.around.ask.bet({ table_id: this.id, round_id: round, ...amounts });
    } catch {
      return null;
    }
  }
}
