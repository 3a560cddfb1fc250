// Cards from the scanner or the pad: sent one after another, each with the reply of the service.
import { cardText } from '../../lib/cardText';
import type { Card, Host, HostClientEvents } from '../../lib/protocol';
import { sounds } from '../../lib/sound';
import type { Answered } from './console.svelte';
import { slotLabel, type Slot } from './nextInstruction';
import { w } from './texts';

/** The scanner's last reading, and the reply of the service. */
export interface Reading {
  text: string;
  more: string;
  isWrong: boolean;
  at: number;
}

/** The part of the console that a reader needs. */
interface Desk {
  readonly host: Host | null;
  readonly tableId: string | null;
  readonly slots: Slot[];
  readonly isLost: boolean;
  asked<E extends keyof HostClientEvents & string>(event: E, message: Parameters<HostClientEvents[E]>[0]): Promise<Answered>;
}

const codeShownMax = 5;

/** A code is shown as the card it names, if it names one. */
const shown = (code: string) => (/^[2-9TJQKA][cdhs]$/i.test(code) ? cardText((code[0]!.toUpperCase() + code[1]!.toLowerCase()) as Card) : code);

export class CardReader {
  reading = $state.raw<Reading | null>(null);
  readonly #desk: Desk;
  /** Cards are sent one after the other, however fast they are read. */
  #queue: Promise<unknown> = Promise.resolve();
  /** How many cards were refused: what was read behind one of them is not dealt. */
  #refusals = 0;
  /** A card with an unknown outcome, and its slot. */
  #unsure: { code: string; slot: string | null; roundId: string | null } | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  forget(): void {
    this.#unsure = null;
  }

  /** The slots of the deal show whether the last card arrived before the connection was lost. */
  findOut(host: Host): void {
    const unsure = this.#unsure;
    this.#unsure = null;
    if (unsure === null) return;
    const isStored = host.round.round_id === unsure.roundId && this.#desk.slots.some(({ slot, card }) => slot === unsure.slot && card !== null);
    if (isStored) this.#show(shown(unsure.code), w.read(shown(unsure.code), slotLabel(unsure.slot!)));
    else this.#show(`${shown(unsure.code)}: ${w.wrong.not_stored}`, w.wrongMore.not_stored!, true);
  }

  #show(text: string, more: string, isWrong = false): void {
    this.reading = { text, more, isWrong, at: Date.now() };
  }

  /** A code from the scanner or a card from the pad: to the count if one is under way, else onto the table. */
  read(code: string): Promise<void> {
    const refusals = this.#refusals;
    return this.inTurn(() => (refusals === this.#refusals ? this.#read(code) : this.#leaveOut(code)));
  }

  inTurn(work: () => Promise<void> | void): Promise<void> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  async #read(code: string): Promise<void> {
    const { host, tableId } = this.#desk;
    if (host === null || tableId === null) return;
    if (this.#desk.isLost) return this.#refuse(code, 'no_connection', '');
    const isCount = host.deck.count !== null;
    const slot = host.expects;
    const roundId = host.round.round_id;
    const said = isCount
      ? await this.#desk.asked('count_card', { table_id: tableId, card: code })
      : await this.#desk.asked('scan', { table_id: tableId, round_id: roundId ?? '-', card: code });
    if (said.ok) {
      sounds.play('card');
      if (isCount) return this.#show(shown(code), this.#desk.host?.deck.count === null ? w.whole : '');
      const card = this.#desk.slots.find((one) => one.slot === slot)?.card ?? code; // the scanner may have a name of its own for it
      return this.#show(shown(card), slot === null ? '' : w.read(shown(card), slotLabel(slot)));
    }
    const { code: why, message } = said.error!;
    if (isCount) return this.#refuse(code, why, message, { isCount });
    if (why === 'no_answer') this.#unsure = { code, slot, roundId };
    this.#refuse(code, why, message);
  }

  /** A count has no order; in a deal no later card may take the slot of a refused one. */
  #refuse(code: string, why: string, message: string, { isCount = false } = {}): void {
    sounds.play('alert');
    if (!isCount) this.#refusals += 1;
    const more = isCount ? message : `${message} ${w.wrongMore[why] ?? ''}`.trim();
    const card = /^(?:10|[2-9JQKA])[♠♥♦♣]/.exec(message)?.[0]; // the service names a card of another deck
    const short = card ?? (code.length > codeShownMax ? `${code.slice(0, codeShownMax - 1)}…` : shown(code));
    const said = (isCount ? w.wrongInCount[why] : undefined) ?? w.wrong[why] ?? w.refused;
    this.#show(`${short}: ${said}`, more, true);
  }

  #leaveOut(code: string): void {
    if (this.reading) this.#show(this.reading.text, `${this.reading.more} ${w.leftOut(shown(code))}`, true);
  }

  undo(): Promise<void> {
    return this.inTurn(() => this.#undo());
  }

  async #undo(): Promise<void> {
    const { host, tableId } = this.#desk;
    const last = this.#desk.slots.findLast(({ card }) => card !== null);
    if (host?.round.round_id == null || tableId === null || !last?.card) return;
    const said = await this.#desk.asked('undo_scan', { table_id: tableId, round_id: host.round.round_id });
    if (said.ok) return this.#show(w.takenBack(cardText(last.card)), '');
    sounds.play('alert');
    this.#show(w.wrong[said.error!.code] ?? w.refused, said.error!.message, true);
  }
}
