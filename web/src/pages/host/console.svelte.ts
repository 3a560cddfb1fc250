// One console: who sits at it, the floor around it, the table it shows, and everything that is said to that table.
import { house, HouseRefusal, type Me } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import { Line, NoAnswer } from '../../lib/line.svelte';
import { decimalsOf, money } from '../../lib/money';
import type { Drill, Host, HostChatLine, HostHears, HostSends, Refused } from '../../lib/protocol';
import { sounds } from '../../lib/sound';
import { office, type FloorTable, type IncidentClass, type StaffMember } from './house';
import { instruct, isOver, slotLabel, slotsOf, type Instruction, type Slot } from './instruct';
import { w } from './words';

/** console: presenter or manager; office: finance, who sees no table; stranger: anybody else who is signed in. */
export type Presence = 'asking' | 'nobody' | 'console' | 'office' | 'stranger';

/** What the scanner has last read, and what the house said to it. */
export interface Reading {
  text: string;
  more: string;
  isWrong: boolean;
  at: number;
}

type Sent<E extends keyof HostSends> = Parameters<HostSends[E]>[0];
type AckOf<E extends keyof HostSends> = Exclude<Parameters<Parameters<HostSends[E]>[1]>[0], Refused>;

interface Answered {
  ok: boolean;
  error?: { code: string; message: string };
}

const linesMax = 60;
const floorMs = 1_000;
const codeShownMax = 5;

export class Desk {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  floor = $state.raw<readonly FloorTable[]>([]);
  staff = $state.raw<readonly StaffMember[]>([]);
  incidents = $state.raw<readonly IncidentClass[]>([]);
  /** Of the house; play money has another one. */
  currency = $state<string | null>(null);
  playCurrency = $state<string | null>(null);
  tableId = $state<string | null>(decodeURIComponent(location.hash.slice(1)) || null);
  host = $state.raw<Host | null>(null);
  chat = $state.raw<readonly HostChatLine[]>([]);
  muted = $state.raw<readonly string[]>([]);
  drill = $state.raw<Drill | null>(null);
  reading = $state.raw<Reading | null>(null);
  /** What went wrong with the last thing asked beside the cards, as a sentence. */
  problem = $state<string | null>(null);
  /** The next round is asked for, and nothing has been heard of it yet. */
  isStarting = $state(false);
  /** Since the line was last lost, the house has said how things stand. */
  #isSeen = $state(false);
  /** What happened is said anew, because it was said wrongly. */
  isRenaming = $state(false);
  readonly clock = new ServerClock();
  readonly line: Line<HostHears, HostSends>;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Cards are sent one after the other, however fast they are read. */
  #queue: Promise<unknown> = Promise.resolve();
  /** How many cards were refused: what was read behind one of them is not dealt. */
  #refusals = 0;
  /** A card of which nobody knows whether it was stored, and where it would lie. */
  #unsure: { code: string; slot: string | null; roundId: string | null } | null = null;

  constructor() {
    this.line = new Line<HostHears, HostSends>(
      '/host',
      () => void this.#opened(),
      (refusal) => void this.#refused(refusal?.code ?? null),
    );
    this.line.on('host', (host) => this.#hear(host));
    this.line.on('chat', (line) => {
      if (line.table_id === this.tableId) this.chat = [...this.chat, line].slice(-linesMax);
    });
    this.line.on('drill', (drill) => {
      if (drill.table_id !== this.tableId) return;
      this.drill = drill;
      sounds.play('alert');
    });
  }

  // Coming in and going out

  start(): void {
    this.line.open();
  }

  async signIn(name: string, password: string): Promise<void> {
    await house.signIn(name, password);
    this.presence = 'asking';
    this.line.close();
    this.line.open();
  }

  async signOut(): Promise<void> {
    await house.signOut().catch(() => undefined);
    clearInterval(this.#timer);
    this.line.close();
    this.leaveTable();
    this.me = null;
    this.presence = 'nobody';
  }

  /** What the screen shows may be old: nothing may be done by it. */
  get isLost(): boolean {
    return this.presence === 'console' && (this.line.state !== 'open' || !this.#isSeen);
  }

  get isManager(): boolean {
    return this.me?.role === 'manager';
  }

  get table(): FloorTable | null {
    return this.floor.find(({ table_id }) => table_id === this.tableId) ?? null;
  }

  async #opened(): Promise<void> {
    this.#isSeen = false;
    if (this.host !== null) await this.watch(this.host.table_id); // whoever deals must not wait for anything else
    try {
      this.me = await house.me();
      [this.incidents] = await Promise.all([office.incidents(), this.lookAround()]);
    } catch {
      // The house was reached, and is gone again or too busy. If the line is lost with it, it comes back by itself.
      setTimeout(() => {
        if (this.line.state === 'open') void this.#opened();
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
    this.me = await house.me();
    this.presence = this.me.role === 'finance' ? 'office' : 'stranger';
  }

  /** The floor is asked for, not told: it is for a glance, and a second old at most. */
  async lookAround(): Promise<void> {
    const seen = await office.floor();
    this.floor = seen.tables;
    this.staff = seen.staff;
    this.currency = seen.currency;
    this.playCurrency = seen.play_currency;
  }

  /** Limits and bets of a table: in the house's minor units, at a practice table in those of its own money. */
  amount(minor: number, isPractice = this.host?.practice ?? false): string {
    return money(minor, 'en-GB', null, this.decimals(isPractice));
  }

  decimals(isPractice = this.host?.practice ?? false): number {
    return decimalsOf(isPractice ? null : this.currency);
  }

  // The table

  async watch(tableId: string): Promise<void> {
    this.tableId = tableId;
    history.replaceState(null, '', `#${encodeURIComponent(tableId)}`);
    const answer = (await this.#asked('watch', { table_id: tableId })) as AckOf<'watch'> | Refused;
    if (!answer.ok) {
      if ((answer.error.code as string) === 'no_answer') return; // with the line it is asked again
      this.leaveTable();
      this.problem = answer.error.message;
      return;
    }
    this.#isSeen = true;
    this.chat = answer.chat;
    this.muted = answer.muted;
    this.#hear(answer.host);
    this.#findOut(answer.host);
  }

  /** The places of the deal tell whether the last card arrived before the line was lost. */
  #findOut(host: Host): void {
    const unsure = this.#unsure;
    this.#unsure = null;
    if (unsure === null) return;
    const isStored = host.round.round_id === unsure.roundId && this.slots.some(({ slot, card }) => slot === unsure.slot && card !== null);
    if (isStored) this.#show(unsure.code, w.read(unsure.code, slotLabel(unsure.slot!)));
    else this.#show(`${unsure.code}: ${w.wrong.not_stored}`, w.wrongMore.not_stored!, true);
  }

  #show(text: string, more: string, isWrong = false): void {
    this.reading = { text, more, isWrong, at: Date.now() };
  }

  leaveTable(): void {
    this.tableId = this.host = this.drill = this.reading = this.problem = null;
    this.chat = [];
    this.isStarting = this.isRenaming = false;
    this.#unsure = null;
    this.#isSeen = true;
    history.replaceState(null, '', location.pathname);
  }

  #hear(host: Host): void {
    if (host.table_id !== this.tableId) return;
    this.clock.heard(host.round.server_time);
    this.isStarting = false;
    if (this.host?.round.phase !== host.round.phase) this.problem = null; // it was about what is over now
    if (this.host && this.host.round.round_id !== host.round.round_id && this.drill?.situation === null) this.drill = null;
    if (this.host?.round.paused && !host.round.paused) {
      this.isRenaming = false;
      if (this.reading?.isWrong) this.reading = null; // what it said was for the time of the stop
    }
    if (!this.host?.round.paused && host.round.paused && this.reading?.isWrong) this.reading = { ...this.reading, more: w.stoppedReading };
    if (host.tips + host.play_tips > (this.host?.tips ?? 0) + (this.host?.play_tips ?? 0) && this.host) sounds.play('win');
    this.host = host;
  }

  get instruction(): Instruction | null {
    if (this.host === null || this.me === null) return null;
    if (this.isLost) return { title: w.lost, more: w.lostMore, mood: 'stop', act: null, until: null };
    return instruct(this.host, this.me.name, this.table?.dealing ?? 'presenter', this.isStarting);
  }

  get slots(): Slot[] {
    return this.host ? slotsOf(this.host, this.table?.hands ?? 'shared') : [];
  }

  /** Whether a card read now is dealt: otherwise it is only looked at. */
  get isDealing(): boolean {
    return this.host !== null && !this.isLost && (this.host.presenter === null || this.host.presenter === this.me?.name);
  }

  /** The answer, or null: then `problem` says why. */
  async ask<E extends keyof HostSends & string>(event: E, message: Sent<E>): Promise<AckOf<E> | null> {
    const answer = await this.#asked(event, message);
    this.problem = answer.error?.message ?? null;
    return answer.ok ? (answer as unknown as AckOf<E>) : null;
  }

  async #asked<E extends keyof HostSends & string>(event: E, message: Sent<E>): Promise<Answered> {
    try {
      return (await this.line.ask(event, message as never)) as Answered;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { ok: false, error: { code: 'no_answer', message: error.message } };
    }
  }

  /** SPACE, Enter or the large button: whatever the instruction asks for. */
  async go(): Promise<void> {
    const count = this.host?.deck.count ?? null;
    const isSpoiled = count !== null && count.duplicates.length + count.foreign.length > 0;
    const act = count === null ? this.instruction?.act : isSpoiled ? 'count_deck' : null;
    const table_id = this.tableId;
    if (!act || table_id === null || this.isStarting || this.isLost) return;
    this.reading = null;
    if (act === 'start_round') this.isStarting = true;
    const done = await this.ask(act, act === 'count_deck' ? { table_id, deck: count?.deck || null } : { table_id });
    if (act === 'start_round' && done === null) this.isStarting = false;
    if (done === null) sounds.play('alert');
  }

  /** A code from the scanner or a card from the pad: to the count if one is under way, else onto the table. */
  read(code: string): Promise<void> {
    const refusals = this.#refusals;
    return this.#inTurn(() => (refusals === this.#refusals ? this.#read(code) : this.#leaveOut(code)));
  }

  #inTurn(work: () => Promise<void> | void): Promise<void> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #read(code: string): Promise<void> {
    const { host, tableId } = this;
    if (host === null || tableId === null) return;
    if (this.isLost) return this.#refuse(code, 'no_connection', '');
    const isCount = host.deck.count !== null;
    const slot = host.expects;
    const roundId = host.round.round_id;
    const said = isCount
      ? await this.#asked('count_card', { table_id: tableId, card: code })
      : await this.#asked('scan', { table_id: tableId, round_id: roundId ?? '-', card: code });
    if (said.ok) {
      sounds.play('card');
      if (isCount) return this.#show(code, this.host?.deck.count === null ? w.whole : '');
      const card = this.slots.find((one) => one.slot === slot)?.card ?? code; // the scanner may have a name of its own for it
      return this.#show(card, slot === null ? '' : w.read(card, slotLabel(slot)));
    }
    const { code: why, message } = said.error!;
    if (isCount) return this.#refuse(code, why, message, { isCount });
    if (why === 'no_answer') this.#unsure = { code, slot, roundId };
    this.#refuse(code, why, message);
  }

  /** In a count the order is nothing; in a deal nothing may come to lie where the refused card belongs. */
  #refuse(code: string, why: string, message: string, { isCount = false } = {}): void {
    sounds.play('alert');
    if (!isCount) this.#refusals += 1;
    const more = isCount ? message : `${message} ${w.wrongMore[why] ?? ''}`.trim();
    const short = code.length > codeShownMax ? `${code.slice(0, codeShownMax - 1)}…` : code;
    const said = isCount && why === 'bad_card' ? w.notOfThisDeck : (w.wrong[why] ?? w.refused);
    this.#show(`${short}: ${said}`, more, true);
  }

  #leaveOut(code: string): void {
    if (this.reading) this.#show(this.reading.text, `${this.reading.more} ${w.leftOut(code)}`, true);
  }

  undo(): Promise<void> {
    return this.#inTurn(() => this.#undo());
  }

  async #undo(): Promise<void> {
    const { host, tableId } = this;
    const last = this.slots.findLast(({ card }) => card !== null);
    if (host?.round.round_id == null || tableId === null || !last?.card) return;
    const said = await this.#asked('undo_scan', { table_id: tableId, round_id: host.round.round_id });
    if (said.ok) return this.#show(w.takenBack(last.card), '');
    sounds.play('alert');
    this.#show(w.wrong[said.error!.code] ?? w.refused, said.error!.message, true);
  }

  /** The round stands still, and nobody has said yet what happened. */
  get isChoosing(): boolean {
    const incident = this.host?.incident;
    return incident != null && (this.isRenaming || incident.incident_class === null);
  }

  /** First the round stands still, then somebody says what it was. */
  async stop(): Promise<void> {
    const { host, tableId } = this;
    if (host === null || tableId === null) return;
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

  async mute(playerId: string, minutes: number | null): Promise<void> {
    if (this.tableId === null) return;
    const done = await this.ask('mute', { table_id: this.tableId, player_id: playerId, minutes });
    if (done !== null && !this.muted.includes(playerId)) this.muted = [...this.muted, playerId];
  }

  async unmute(playerId: string): Promise<void> {
    if (this.tableId === null) return;
    const done = await this.ask('unmute', { table_id: this.tableId, player_id: playerId });
    if (done !== null) this.muted = this.muted.filter((one) => one !== playerId);
  }

  /** Whatever the house refused, as a sentence. */
  told(error: unknown): string {
    return error instanceof HouseRefusal ? error.message : String(error);
  }
}


