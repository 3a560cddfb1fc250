// State of one console: the user, the floor, the shown table, and all messages to that table.
import { api, ApiError, type Me } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import { Connection, NoAnswer } from '../../lib/socket.svelte';
import { decimalsOf, money } from '../../lib/money';
import type { CurrencyTotals, Drill, Host, HostChatLine, HostServerEvents, HostClientEvents, Refused } from '../../lib/protocol';
import { sounds } from '../../lib/sound';
import { CardReader, type Reading } from './cardReader.svelte';
import { hostApi, type FloorTable, type IncidentClass, type StaffMember } from './api';
import { instruct, isOver, lastResult, slotsOf, type Instruction, type Slot } from './nextInstruction';
import { w } from './texts';

/** console: presenter or manager; office: finance, who sees no table; admin: manages users; stranger: any other signed-in user. */
export type Presence = 'asking' | 'nobody' | 'enrolling' | 'console' | 'office' | 'admin' | 'stranger';

type Sent<E extends keyof HostClientEvents> = Parameters<HostClientEvents[E]>[0];
type AckOf<E extends keyof HostClientEvents> = Exclude<Parameters<Parameters<HostClientEvents[E]>[1]>[0], Refused>;

export interface Answered {
  ok: boolean;
  error?: { code: string; message: string };
}

const linesMax = 60;
/** The currency of practice tables. */
const practiceCurrency = 'XTS';
const floorMs = 1_000;
/** An answer that takes longer is shown to be missing. */
const slowMs = 250;


export class HostConsole {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  floor = $state.raw<readonly FloorTable[]>([]);
  hasPoker = $state(false);
  staff = $state.raw<readonly StaffMember[]>([]);
  incidents = $state.raw<readonly IncidentClass[]>([]);
  /** The configured currency; play money has another one. */
  currency = $state<string | null>(null);
  playCurrency = $state<string | null>(null);
  tableId = $state<string | null>(decodeURIComponent(location.hash.slice(1)) || null);
  host = $state.raw<Host | null>(null);
  chat = $state.raw<readonly HostChatLine[]>([]);
  muted = $state.raw<readonly string[]>([]);
  drill = $state.raw<Drill | null>(null);
  /** Error of the last request other than a card, as a sentence. */
  problem = $state<string | null>(null);
  /** What the table announced, until it is closed or the round is over. */
  notice = $state<string | null>(null);
  /** A take-over in the middle of a round is asked for, and asked about first. */
  isSure = $state(false);
  /** A question to the service is not answered yet. */
  isSending = $state(false);
  /** Since midnight UTC, at all tables, by currency. */
  tipsToday = $state.raw<Readonly<Record<string, number>>>({});
  /** The next round is requested, and no event of it has arrived yet. */
  isStarting = $state(false);
  /** The service has sent its state since the connection was last lost. */
  #isSeen = $state(false);
  /** The incident is classified again, because the first class was wrong. */
  isRenaming = $state(false);
  #lastRoundId = $state<string | null>(null);
  readonly clock = new ServerClock();
  readonly connection: Connection<HostServerEvents, HostClientEvents>;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #reader = new CardReader(this);

  constructor() {
    this.connection = new Connection<HostServerEvents, HostClientEvents>(
      '/host',
      () => void this.#opened(),
      (refusal) => void this.#refused(refusal?.code ?? null),
    );
    this.connection.on('host', (host) => this.#onHost(host));
    this.connection.on('chat', (line) => {
      if (line.table_id === this.tableId) this.chat = [...this.chat, line].slice(-linesMax);
    });
    this.connection.on('notice', (notice) => {
      if (notice.table_id !== this.tableId) return;
      if (notice.code === 'card_corrected') this.#remark(notice.text);
      if (notice.code === 'decisions_reopened') this.#remark(w.reopened);
    });
    this.connection.on('drill', (drill) => {
      if (drill.table_id !== this.tableId) return;
      this.drill = drill;
      sounds.play('alert');
    });
  }

  /** Added to what has not been closed yet: of two corrected cards both have to be laid. */
  #remark(text: string): void {
    this.notice = this.notice === null ? text : `${this.notice} ${text}`;
  }

  // Coming in and going out

  start(): void {
    this.connection.open();
  }

  async signIn(name: string, password: string, code = ''): Promise<void> {
    const { must_enrol } = await api.signIn(name, password, code);
    if (must_enrol) this.presence = 'enrolling';
    else this.comeIn();
  }

  comeIn(): void {
    this.presence = 'asking';
    this.connection.close();
    this.connection.open();
  }

  async signOut(): Promise<void> {
    await api.signOut().catch(() => undefined);
    clearInterval(this.#timer);
    this.connection.close();
    this.leaveTable();
    this.me = null;
    this.presence = 'nobody';
  }

  /** What the screen shows may be old: nothing may be done by it. */
  get isLost(): boolean {
    return this.presence === 'console' && (this.connection.state !== 'open' || !this.#isSeen);
  }

  get isManager(): boolean {
    return this.me?.role === 'manager';
  }

  get table(): FloorTable | null {
    return this.floor.find(({ table_id }) => table_id === this.tableId) ?? null;
  }

  async #opened(): Promise<void> {
    this.#isSeen = false;
    if (this.host !== null) await this.watch(this.host.table_id); // dealing must not wait for anything else
    try {
      this.me = await api.me();
      [this.incidents] = await Promise.all([hostApi.incidents(), this.lookAround()]);
    } catch {
      // The service was reached, and is unreachable again or too busy. A lost connection comes back by itself.
      setTimeout(() => {
        if (this.connection.state === 'open') void this.#opened();
      }, floorMs);
      return;
    }
    this.presence = 'console';
    if (this.host === null && this.tableId !== null) await this.watch(this.tableId);
    else if (this.tableId === null) this.#isSeen = true;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.lookAround().catch(() => undefined), floorMs);
  }

  async #refused(code: string | null): Promise<void> {
    if (code === 'not_authenticated') this.presence = 'nobody';
    if (code !== 'forbidden') return;
    this.me = await api.me();
    this.presence = this.me.role === 'finance' ? 'office' : this.me.role === 'admin' ? 'admin' : 'stranger';
  }

  /** The floor is polled, not pushed: an overview, at most one second old. */
  async lookAround(): Promise<void> {
    const seen = await hostApi.floor();
    this.clock.sync(seen.server_time);
    this.floor = seen.tables;
    this.staff = seen.staff;
    this.currency = seen.currency;
    this.playCurrency = seen.play_currency;
    this.hasPoker = seen.has_poker;
  }

  /** Limits of a table: in the configured currency, at a practice table in its own. */
  amount(minor: number, isPractice = this.host?.practice ?? false): string {
    return this.amountIn(minor, isPractice ? practiceCurrency : this.currency);
  }

  amountIn(minor: number, currency: string | null): string {
    return money(minor, 'en-GB', currency || null, decimalsOf(currency || null));
  }

  /** Bets in each currency, real money first. */
  get totals(): readonly CurrencyTotals[] {
    return [...(this.host?.totals_by_currency ?? [])].sort((one, other) => Number(this.isPlayMoney(one.currency)) - Number(this.isPlayMoney(other.currency)));
  }

  /** Play money is marked, and never added to real money. */
  isPlayMoney(currency: string): boolean {
    return currency !== this.currency;
  }

  decimals(isPractice = this.host?.practice ?? false): number {
    return decimalsOf(isPractice ? null : this.currency);
  }

  get reading(): Reading | null {
    return this.#reader.reading;
  }

  set reading(reading: Reading | null) {
    this.#reader.reading = reading;
  }

  // The table

  followAddress(): void {
    const named = decodeURIComponent(location.hash.slice(1)) || null;
    if (named === this.tableId || this.presence !== 'console') return;
    this.leaveTable();
    if (named !== null) void this.watch(named);
  }

  async watch(tableId: string): Promise<void> {
    this.tableId = tableId;
    history.replaceState(null, '', `#${encodeURIComponent(tableId)}`);
    const answer = (await this.asked('watch', { table_id: tableId })) as AckOf<'watch'> | Refused;
    if (!answer.ok) {
      if ((answer.error.code as string) === 'no_answer') return; // with the line it is asked again
      this.leaveTable();
      this.problem = answer.error.message;
      return;
    }
    this.#isSeen = true;
    this.chat = answer.chat;
    this.muted = answer.muted;
    this.#onHost(answer.host);
    this.#reader.findOut(answer.host);
  }

  leaveTable(): void {
    this.tableId = this.host = this.drill = this.reading = this.problem = this.notice = null;
    this.chat = [];
    this.isStarting = this.isRenaming = this.isSure = false;
    this.#reader.forget();
    this.#isSeen = true;
    history.replaceState(null, '', location.pathname);
  }

  #onHost(host: Host): void {
    if (host.table_id !== this.tableId) return;
    this.clock.sync(host.round.server_time);
    this.isStarting = false;
    if (this.host?.round.phase !== host.round.phase) this.problem = null; // it was about what is over now
    if (this.host && (this.host.round.round_id !== host.round.round_id || (isOver(host) && !isOver(this.host)))) this.reading = null; // it was about the last round
    if (this.host && this.host.round.round_id !== host.round.round_id) this.notice = null;
    if (this.host?.presenter !== host.presenter || isOver(host)) this.isSure = false;
    if (this.host && this.host.round.round_id !== host.round.round_id && this.drill?.situation === null) this.drill = null;
    if (this.host?.round.paused && !host.round.paused) {
      this.isRenaming = false;
      if (this.reading?.isWrong) this.reading = null; // what it said was for the time of the stop
    }
    if (!this.host?.round.paused && host.round.paused && this.reading?.isWrong) this.reading = { ...this.reading, more: w.stoppedReading };
    if (host.tips + host.play_tips > (this.host?.tips ?? 0) + (this.host?.play_tips ?? 0) && this.host) sounds.play('win');
    if (this.me?.role === 'presenter' && (host.tips !== this.host?.tips || host.play_tips !== this.host.play_tips)) void this.#countTips();
    const me = this.me?.name;
    if (this.host?.hand_over?.by === me && !host.hand_over && host.presenter !== me) this.problem = w.handOverDenied;
    if (this.host !== null && this.host.presenter === me && host.presenter !== null && host.presenter !== me) this.notice = w.handedTo(host.presenter);
    const isLastRound = this.host?.presenter === me && host.presenter === null && host.round.phase === 'settled' && this.host?.round.round_id === host.round.round_id;
    if (isLastRound) this.#lastRoundId = host.round.round_id;
    this.host = host;
  }

  /** The shift ended with this round; its result has still to be announced. */
  get isAnnouncingLast(): boolean {
    return this.host !== null && this.#lastRoundId !== null && this.host.round.round_id === this.#lastRoundId && this.host.presenter === null && isOver(this.host);
  }

  /** A hand-over begins a shift with no tips; what was given today is kept in the books. */
  async #countTips(): Promise<void> {
    this.tipsToday = (await hostApi.tipsToday().catch(() => null))?.tips ?? this.tipsToday;
  }

  get instruction(): Instruction | null {
    if (this.host === null || this.me === null) return null;
    if (this.isLost) return { title: w.lost, more: w.lostMore, mood: 'stop', act: null, until: null };
    if (this.isAnnouncingLast) return lastResult();
    return instruct(this.host, this.me.name, this.table?.dealing ?? 'presenter', this.isStarting, this.isSure);
  }

  get slots(): Slot[] {
    return this.host ? slotsOf(this.host, this.table?.hands ?? 'shared') : [];
  }

  /** Whether a card read now is dealt: otherwise it is only looked at. */
  get isDealing(): boolean {
    return this.host !== null && !this.isLost && (this.host.presenter === null || this.host.presenter === this.me?.name);
  }

  /** The answer, or null: then `problem` says why. */
  async ask<E extends keyof HostClientEvents & string>(event: E, message: Sent<E>): Promise<AckOf<E> | null> {
    const answer = await this.asked(event, message);
    this.problem = answer.error?.message ?? null;
    return answer.ok ? (answer as unknown as AckOf<E>) : null;
  }

  /** The answer as it came; an answer that is missing counts as a refusal. */
  async asked<E extends keyof HostClientEvents & string>(event: E, message: Sent<E>): Promise<Answered> {
    const slow = setTimeout(() => (this.isSending = true), slowMs);
    try {
      return (await this.connection.ask(event, message as never)) as Answered;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { ok: false, error: { code: 'no_answer', message: error.message } };
    } finally {
      clearTimeout(slow);
      this.isSending = false;
    }
  }

  /** SPACE, Enter or the large button: whatever the instruction asks for. */
  async go(): Promise<void> {
    const count = this.host?.deck.count ?? null;
    const isSpoiled = count !== null && count.duplicates.length + count.foreign.length > 0;
    const act = count === null ? this.instruction?.act : isSpoiled ? 'count_deck' : null;
    const table_id = this.tableId;
    if (!act || table_id === null || this.isStarting || this.isLost || this.isSending) return;
    this.reading = null;
    if (act === 'take_over' && !this.isSure && this.host !== null && !isOver(this.host)) {
      this.isSure = true;
      return;
    }
    this.isSure = false;
    if (act === 'close_result') {
      this.#lastRoundId = null;
      return;
    }
    const round_id = this.host?.round.round_id ?? '-';
    if (act === 'confirm_cards') return this.#reader.inTurn(async () => void (await this.ask(act, { table_id, round_id })));
    if (act === 'start_round') this.isStarting = true;
    const done = await this.ask(act, act === 'count_deck' ? { table_id, deck: count?.deck || null } : { table_id });
    if (act === 'start_round' && done === null) this.isStarting = false;
    if (done === null) sounds.play('alert');
  }

  read(code: string): Promise<void> {
    return this.#reader.read(code);
  }

  undo(): Promise<void> {
    return this.#reader.undo();
  }

  /** The round is paused, and the incident is not classified yet. */
  get isChoosing(): boolean {
    const incident = this.host?.incident;
    return incident != null && (this.isRenaming || incident.incident_class === null);
  }

  /** The round is paused first; the class of the incident follows. */
  async stop(): Promise<void> {
    const { host, tableId } = this;
    if (host === null || tableId === null) return;
    if (this.isSure) {
      this.isSure = false;
      return;
    }
    if (isOver(host)) {
      this.problem = w.nothingToStop;
      return;
    }
    if (!host.round.paused) await this.ask('report_problem', { table_id: tableId, reason: w.stoppedReason(this.me?.role ?? 'house') });
  }

  async classify(incident: IncidentClass): Promise<void> {
    if (this.tableId === null) return;
    const incident_id = this.host?.incident?.incident_id ?? null;
    const report = { table_id: this.tableId, reason: `${incident.title}.`, incident_class: incident.incident_class, incident_id };
    if ((await this.ask('report_problem', report)) !== null) this.isRenaming = false;
  }

  async say(text: string): Promise<boolean> {
    if (this.tableId === null) return false;
    return (await this.ask('say', { table_id: this.tableId, text })) !== null;
  }

  /** `at` is the time of the line it is about: the audit log gets its text. */
  async mute(playerId: string, minutes: number | null, reason: string, at: number): Promise<void> {
    if (this.tableId === null) return;
    const done = await this.ask('mute', { table_id: this.tableId, player_id: playerId, minutes, reason, at });
    if (done !== null && !this.muted.includes(playerId)) this.muted = [...this.muted, playerId];
  }

  async unmute(playerId: string): Promise<void> {
    if (this.tableId === null) return;
    const done = await this.ask('unmute', { table_id: this.tableId, player_id: playerId });
    if (done !== null) this.muted = this.muted.filter((one) => one !== playerId);
  }

  /** Text of a refusal. */
  explain(error: unknown): string {
    return error instanceof ApiError ? error.message : String(error);
  }
}


