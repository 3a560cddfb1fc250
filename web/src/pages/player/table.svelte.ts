// One table of this player: actions of the player and events of the server. It shows the server's state and decides
// nothing about the game.
import { api, ApiError } from '../../lib/api';
import { initialStake } from '../../lib/bets';
import { cardsOut } from '../../lib/cards';
import type { Refusal } from '../../lib/i18n/refusals';
import { lang } from '../../lib/language.svelte';
import type { Action, ChatLine, Joined, Notice, Round, RoundResult, Seat, Table as TableInfo } from '../../lib/protocol';
import { NoAnswer } from '../../lib/socket.svelte';
import { Composer, type NotStored, type Stored } from './composer.svelte';
import { missed } from './missedRound';
import { SettlementReveal } from './settlementReveal.svelte';
import type { DecidingPhase, TableContext } from './tableContext';
import { noBets, TableState } from './tableState.svelte';

/** Loaded behind the first view; without it bets are sent without a seed. */
const seeds = import('./seeds.svelte').catch(() => null);
const lastBets = import('./lastBets').catch(() => null);
const pastMax = 30;
const chatMax = 200;
/** Pause before the next request for a snapshot, after one has failed. */
const againMs = 2_000;
const explainedMs = 8_000;

export class Table extends TableState {
  #explaining: ReturnType<typeof setTimeout> | undefined;
  readonly composer: Composer;
  readonly reveal: SettlementReveal;

  constructor(id: string, context: TableContext) {
    super(id, context);
    this.composer = new Composer(
      (round, amounts) => this.#sendBet(round, amounts),
      () => this.limits,
      () => this.context.available(),
      (last) => void lastBets.then((kept) => kept?.keep(this.context.player(), this.id, last)),
    );
    void lastBets.then((kept) => {
      const last = kept?.recall(this.context.player(), this.id);
      if (last && this.composer.last.ante === 0) this.composer.last = last;
      kept?.follow(this, this.context.player());
    });
    this.reveal = new SettlementReveal(() => this.#onRevealed());
  }

  // What the player does

  async join(seatNo?: number): Promise<void> {
    if (this.joinState !== 'here') this.joinState = 'joining';
    try {
      this.details ??= await api.table(this.id);
      const answer = await this.context.ask.join(
        seatNo === undefined ? { table_id: this.id } : { table_id: this.id, seat_no: seatNo },
      );
      if (this.#isLeft()) return;
      if (answer.ok) this.#applySnapshot(answer);
      else if (answer.error.code === 'internal') setTimeout(() => this.#joinAgain(seatNo), againMs);
      else this.#refuse(answer.error);
    } catch (error) {
      // Without an answer the line connects again and joins again.
      if (!(error instanceof NoAnswer)) this.#refuse(error instanceof ApiError ? error : { code: 'internal', message: String(error) });
    }
  }

  /** At an own-hands table, while the player has no bet. If the seat is taken by now, nothing changes. */
  async takeSeat(seatNo: number): Promise<void> {
    await this.join(seatNo);
  }

  async decide(action: Action): Promise<void> {
    const round = this.round;
    if (!this.mustDecide || this.deciding !== null || !round?.round_id) return;
    this.deciding = action;
    this.decisionRefusal = null;
    this.unconfirmed = { action, phase: round.phase };
    const question = { table_id: this.id, round_id: round.round_id, action, phase: round.phase as DecidingPhase };
    try {
      const answer = await this.context.ask.decide(question);
      if (answer.ok) this.unconfirmed = null;
      if (!answer.ok) this.decisionRefusal = answer.error;
      else if (this.seat?.round_id === round.round_id && this.seat.options.length > 0 && this.round === round) {
        this.seat = { ...this.seat, bets: answer.bets, decision: action, options: [] };
      }
    } catch {
      // The line is lost; the snapshot after it says whether the answer was stored.
    }
    this.deciding = null;
  }

  /** The notice over the felt has been read. */
  read(): void {
    if (this.notice) this.notice = null;
    else this.mishap = null;
  }

  async say(text: string): Promise<Refusal | null> {
    try {
      const answer = await this.context.ask.chat({ table_id: this.id, text });
      return answer.ok ? null : answer.error;
    } catch {
      return { code: 'unreachable', message: '' };
    }
  }

  /** Limits may change between rounds, and the exact return is counted some time after it is asked for. */
  async readDetails(): Promise<void> {
    this.details = await api.table(this.id).catch(() => this.details);
  }

  // What the server says

  onRound(round: Round): void {
    if (this.joinState !== 'here' || this.round === null) return;
    if (round.seq <= this.round.seq) return;
    if (round.seq > this.round.seq + 1) void this.join();
    this.animates = true;
    this.#takeRound(round, false);
  }

  onSeat(seat: Seat): void {
    const wasAsked = this.mustDecide;
    this.seat = seat;
    this.composer.sync(seat.round_id, this.isBetting, seat.bets);
    if (!wasAsked && this.mustDecide) {
      this.mishap = null; // of an earlier round: it would cover the cards
      this.context.announce('your_turn');
    }
  }

  onResult(result: RoundResult): void {
    const isCorrected = this.result?.round_id === result.round_id || this.round?.round_id !== result.round_id;
    if (isCorrected) return this.#correct(result);
    this.result = result;
    if (result.status === 'cancelled') {
      this.mishap = { kind: 'cancelled', amount: result.returned, incident: result.incident_id ?? null };
      this.context.announce('cancelled');
      return;
    }
    this.#recordNet(result);
    if (this.reveal.isRunning) this.context.withhold(result.returned);
    else this.context.announce('result');
  }

  onChat(line: ChatLine): void {
    this.chat = [...this.chat, line].slice(-chatMax);
    this.unread += 1;
  }

  onNotice(notice: Notice): void {
    if (['muted', 'unmuted', 'round_corrected', 'seat_lost', 'seat_found'].includes(notice.code)) this.notice = notice;
  }

  /** A chat message in the player's language, if it is one of the service. */
  chatText(line: ChatLine): string {
    return line.code === null ? line.text : lang.notice(line);
  }

  onInfo(info: TableInfo): void {
    this.info = info;
  }

  onMoved(): void {
    this.joinState = 'moved';
    this.composer.dropPending();
    this.reveal.clear();
  }

  close(): void {
    this.joinState = 'left';
    this.composer.dropPending();
    this.reveal.clear();
  }

  #applySnapshot(snapshot: Joined): void {
    const staked = this.phase === 'betting' ? initialStake(this.composer.stored) : 0;
    const before = this.round?.round_id ?? null;
    const { phase, hasBet } = this;
    const unseen = missed({ round_id: before, phase, hasBet, isEndKnown: this.result !== null }, snapshot);
    this.composer.dropPending();
    this.joinState = 'here';
    this.refusal = null;
    this.animates = false;
    this.info = snapshot.table;
    this.chat = snapshot.chat;
    this.seat = snapshot.seat;
    this.#takeRound(snapshot.round, true);
    if (before === null) void lastBets.then((kept) => kept?.parted(this.context.player(), this.id)).then((open) => open && this.#lookUp(open.round_id, open.staked));
    else if (staked > 0) this.#lookUp(before, staked);
    if (unseen !== null) void this.#fetchMissed(unseen);
  }

  /** What became of bets that were open when the connection was lost. */
  #lookUp(roundId: string, staked: number): void {
    if (roundId !== this.round?.round_id) void this.#fetchMissed(roundId, staked);
    else if (this.seat?.bets.ante === 0) this.mishap = { kind: 'returned', amount: staked };
  }

  async #fetchMissed(roundId: string, open = 0): Promise<void> {
    const { learn } = await import('./missedResult');
    const learnt = await learn(roundId, this.round?.round_id ?? null, open);
    if (learnt && 'result' in learnt) this.result = learnt.result;
    else if (learnt) this.mishap = learnt.mishap;
  }

  /** Only while the player is still at this table on this device. */
  #joinAgain(seatNo?: number): void {
    if (this.joinState === 'here' || this.joinState === 'joining') void this.join(seatNo);
  }

  /** Checked after every await: the player may have left. */
  #isLeft(): boolean {
    return this.joinState === 'left';
  }

  #refuse(error: Refusal): void {
    this.joinState = 'refused';
    this.refusal = error;
  }

  #takeRound(round: Round, isSnapshot: boolean): void {
    const before = this.round;
    this.context.clock.sync(round.server_time);
    const isNew = before?.round_id !== round.round_id;
    if (isNew) this.#beginRound();
    if (this.unconfirmed?.phase !== round.phase && round.phase.startsWith('deciding_')) this.unconfirmed = null;
    this.round = round;
    void seeds.then((own) => own?.see(round));
    const bets = this.roundSeat?.bets ?? noBets;
    this.composer.sync(round.round_id, round.phase === 'betting' && round.paused === null, bets);
    if (round.phase === 'settled' && before?.phase !== 'settled') this.#end(round, isSnapshot);
    if (isSnapshot) return;
    if (round.paused && !before?.paused) this.context.announce('paused');
    else if (isNew && round.phase === 'betting') this.context.announce('betting');
    else if (cardsOut(round) > (isNew ? 0 : cardsOut(before))) this.context.announce('card');
  }

  /** A new round: the last one stays readable next to it. */
  #beginRound(): void {
    this.reveal.clear();
    if (this.result?.status === 'settled' && this.round?.round_id === this.result.round_id) {
      const { game_number, dealer_qualifies } = this.round;
      const category = this.hand?.category ?? null;
      this.lastResult = { result: this.result, category, qualifies: dealer_qualifies, isAutoFolded: this.isAutoFolded, game_number: game_number ?? '' };
      this.isExplained = true;
      clearTimeout(this.#explaining);
      this.#explaining = setTimeout(() => (this.isExplained = false), explainedMs);
    }
    this.result = null;
    this.deciding = null;
    this.decisionRefusal = null;
    this.unconfirmed = null;
  }

  #end(round: Round, isSnapshot: boolean): void {
    if (isSnapshot) this.reveal.tellAll();
    else this.reveal.begin();
    if (round.round_id === null || this.past[0]?.round_id === round.round_id) return;
    this.past = [{ round_id: round.round_id, net: null }, ...this.past].slice(0, pastMax);
  }

  #recordNet(result: RoundResult): void {
    const net = result.returned - result.staked;
    this.past = this.past.map((round) => (round.round_id === result.round_id ? { ...round, net } : round));
  }

  /** A settled round was corrected: its display changes, without the announcement of a new win. */
  #correct(result: RoundResult): void {
    if (this.result?.round_id === result.round_id && !this.reveal.isRunning) this.result = result;
    this.#recordNet(result);
    this.context.announce('corrected');
  }

  #onRevealed(): void {
    if (this.result?.status === 'settled') {
      this.context.withhold(-this.result.returned);
      this.context.announce('result');
    }
  }

  async #sendBet(round: string, amounts: { ante: number; trips: number }): Promise<Stored | NotStored | null> {
    try {
      const message = { table_id: this.id, round_id: round, ...amounts };
      const { bet } = this.context.ask;
      return await ((await seeds)?.bet(message, bet) ?? bet(message));
    } catch {
      return null;
    }
  }
}
