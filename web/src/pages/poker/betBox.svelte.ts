// The bet box of a table: the amount of a raise, and the guards against costly slips.
import { steadyNow } from '../../lib/clock';
import type { PokerOptions } from '../../lib/protocol';
import { sizesNow } from './betSizes';
import { display } from './display.svelte';
import { clamp, isLarge, stepped, stops } from './raiseAmounts';
import type { TableOfPlayer } from './pokerTable.svelte';

/** Buttons that have just appeared take no press: it was meant for what was there before. */
const restMs = 250;

export class BetBox {
  /** The total the player has chosen; null until one is chosen, so that no key sends a number nobody has seen. */
  amount = $state<number | null>(null);
  /** What was pressed once and waits for a second press. */
  sure = $state<'fold' | 'raise' | null>(null);
  /** The buttons have just appeared. */
  isResting = $state(false);
  readonly #table: TableOfPlayer;
  #restsUntil = 0;

  constructor(table: TableOfPlayer) {
    this.#table = table;
  }

  get options(): PokerOptions | null {
    return this.#table.mustAct ? this.#table.options : null;
  }

  /** The total that the raise button names. */
  get shown(): number {
    return this.amount ?? this.options?.raise?.min ?? 0;
  }

  /** The player's own sizes that are legal now. */
  get sizes(): { name: string; amount: number }[] {
    const { hand, ownSeat } = this.#table;
    const range = this.options?.raise;
    if (!range || hand === null || ownSeat === null) return [];
    const named = hand.street === 'preflop' ? display.sizes.preflop : display.sizes.postflop;
    return sizesNow(named, { price: hand.price, pot: hand.pot, bet: ownSeat.bet, stack: ownSeat.stack }, range);
  }

  /** Where the slider stops, from the least to the most. */
  get stops(): readonly number[] {
    const range = this.options?.raise;
    return range ? stops(range, this.#bigBlind) : [];
  }

  /** A new question: nothing is chosen. */
  reset(): void {
    this.amount = this.sure = null;
  }

  /** The buttons appear, or the keys have moved to this table. */
  rest(): void {
    this.#restsUntil = steadyNow() + restMs;
    this.isResting = true;
    setTimeout(() => (this.isResting = steadyNow() < this.#restsUntil), restMs + 1);
  }

  choose(amount: number): void {
    const range = this.options?.raise;
    if (!range) return;
    this.amount = clamp(amount, range);
    this.sure = null;
  }

  step(steps: number): void {
    const range = this.options?.raise;
    if (range) this.choose(stepped(this.shown, steps, range, this.#bigBlind));
  }

  preset(at: number): void {
    const preset = this.sizes[at];
    if (preset) this.choose(preset.amount);
  }

  fold(): void {
    const options = this.options;
    if (this.isResting || !options?.fold) return;
    if (options.check && this.sure !== 'fold') this.sure = 'fold';
    else void this.#table.act('fold');
  }

  checkOrCall(): void {
    const options = this.options;
    if (this.isResting || options === null) return;
    if (options.check) void this.#table.act('check');
    else if (options.call) void this.#table.act('call');
  }

  /** Whether the amount on the button is asked about again. */
  get isGuarded(): boolean {
    const own = this.#table.ownSeat;
    return own !== null && display.guard !== 'off' && isLarge(this.shown, own.bet, own.stack);
  }

  /** `isHeld`: the button was held down long enough, which counts as the second press. */
  raise(isHeld = false): void {
    if (this.isResting || !this.options?.raise || this.#table.ownSeat === null) return;
    if (this.isGuarded && !isHeld && this.sure !== 'raise') this.sure = 'raise';
    else void this.#table.act('raise_to', this.shown);
  }

  /** By key, the first press chooses the smallest raise, which is then seen on the button. */
  raiseByKey(): void {
    if (this.isResting) return;
    if (this.amount === null) this.choose(this.shown);
    else this.raise();
  }

  get #bigBlind(): number {
    return this.#table.table?.blinds.bb ?? 1;
  }
}
