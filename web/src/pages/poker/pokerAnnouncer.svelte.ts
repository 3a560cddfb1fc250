// For ears: sounds of the tables, and the sentences of a screen reader: seats, cards, actions, the own turn, results.
import { lang } from '../../lib/language.svelte';
import { nameHand } from '../../lib/i18n/hands';
import { preferences } from '../../lib/preferences.svelte';
import { sounds } from '../../lib/sound';
import { display, signedAt } from './display.svelte';
import { spokenCards, stepText } from './handText';
import type { PokerSession } from './pokerSession.svelte';
import type { TableChange, TableOfPlayer } from './pokerTable.svelte';
import { inReadingOrder } from './seatRing';
import { turnClock } from './turnClock';
import { words } from './words.svelte';

const linesMax = 8;
const tickLastSeconds = 5;

export class PokerAnnouncer {
  /** The last sentences, the newest last; each is read once. */
  lines = $state.raw<readonly { no: number; text: string }[]>([]);
  readonly #session: PokerSession;
  #no = 0;
  #seconds = 0;

  constructor(session: PokerSession) {
    this.#session = session;
    session.onChange((table, change) => this.#announce(table, change));
    $effect(() => {
      sounds.muted = preferences.sound.muted;
      sounds.volume = preferences.sound.volume / 100;
    });
    $effect(() => this.#count());
  }

  /** The last seconds of the own turn, ticking. */
  #count(): void {
    const asked = this.#session.urgent;
    const clock = asked?.options ? turnClock({ ...asked.options, deadline: asked.options.deadline ?? 0 }, asked.clock) : null;
    const seconds = clock?.stage === 'decision' ? Math.ceil(clock.leftMs / 1000) : 0;
    if (seconds !== this.#seconds && seconds > 0 && seconds <= tickLastSeconds) sounds.play('tick');
    if (seconds !== this.#seconds && seconds === tickLastSeconds) this.#say(lang.w.spoken.seconds(seconds));
    this.#seconds = seconds;
  }

  #announce(table: TableOfPlayer, change: TableChange): void {
    const isActive = table === this.#session.active;
    if (change.kind === 'your_turn') {
      sounds.play('alert');
      this.#say(this.#turn(table));
    } else if (change.kind === 'hand_over') {
      if ((table.over?.net ?? 0) > 0) sounds.play('win');
      if (isActive) this.#say(words.w.spoken.result(signedAt(table.over?.net ?? 0, table.table)));
    } else if (!isActive) return;
    else if (change.kind === 'hand') this.#say(this.#seats(table));
    else if (change.kind === 'cards') {
      sounds.play('card');
      this.#say(words.w.spoken.cards(spokenCards(table.cards?.cards ?? [])));
    } else if (change.kind === 'step' && table.hand !== null) {
      if (change.step.kind === 'board') sounds.play('card');
      if (change.step.paid) sounds.play('chip');
      if (change.step.kind !== 'settled') this.#say(stepText(table.hand, change.step, this.#amountAt(table), spokenCards));
    }
  }

  #amountAt(table: TableOfPlayer): (minor: number) => string {
    return (minor) => display.amount(minor, table.table);
  }

  /** The players of a new hand in seat order, from the own seat clockwise. */
  #seats(table: TableOfPlayer): string {
    const { hand } = table;
    if (hand === null) return '';
    const amount = this.#amountAt(table);
    const seats = inReadingOrder(table.table?.size ?? 0, table.seatNo).flatMap((no) => {
      const seat = hand.seats.find(({ seat_no }) => seat_no === no);
      const name = no === table.seatNo ? words.w.seat.you : seat?.name;
      const isButton = hand.positions.button === no ? `, ${words.w.table.button}` : '';
      return seat === undefined ? [] : [`${name} ${amount(seat.stack)}${isButton}`];
    });
    return words.w.spoken.hand(hand.number, seats.join('; '));
  }

  #turn(table: TableOfPlayer): string {
    const { options, cards } = table;
    if (options === null) return '';
    const w = words.w;
    const amount = this.#amountAt(table);
    const price = options.check ? w.spoken.free : options.call ? w.spoken.toCall(amount(options.call.amount)) : '';
    const range = options.raise ? w.bet.range(amount(options.raise.min), amount(options.raise.max)) : '';
    const own = cards?.hand ? `${nameHand(cards.hand, lang.w.hands)}.` : '';
    const where = this.#session.tables.length > 1 ? `${w.table.label(table.table?.name ?? '')}.` : '';
    return [where, w.spoken.turn(price, [own, range && `${w.actions.raise} ${range}.`].filter(Boolean).join(' '))].filter(Boolean).join(' ');
  }

  #say(text: string): void {
    if (text === '') return;
    this.#no += 1;
    this.lines = [...this.lines, { no: this.#no, text }].slice(-linesMax);
  }
}
