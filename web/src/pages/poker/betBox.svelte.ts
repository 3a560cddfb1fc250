// The bet box of a table: the amount of a raise, and the second press that guards against costly slips.
import type { PokerOptions } from '../../lib/protocol';
import { clamp, isLarge, stepped } from './raiseAmounts';
import type { TableOfPlayer } from './pokerTable.svelte';

export class BetBox {
  /** The total the player has chosen; null until one is chosen, so that no key sends a number nobody has seen. */
  amount = $state<number | null>(null);
  /** What was pressed once and waits for a second press. */
  sure = $state<'fold' | 'raise' | null>(null);
  readonly #table: TableOfPlayer;

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

  /** A new question: nothing is chosen. */
  reset(): void {
    this.amount = this.sure = null;
  }

  choose(amount: number): void {
    const range = this.options?.raise;
    if (!range) return;
    this.amount = clamp(amount, range);
    this.sure = null;
  }

  step(steps: number): void {
    const range = this.options?.raise;
    if (range) this.choose(stepped(this.shown, steps, range, this.#table.table?.blinds.bb ?? 1));
  }

  preset(at: number): void {
    const preset = this.options?.raise?.presets[at];
    if (preset) this.choose(preset.amount);
  }

  fold(): void {
    const options = this.options;
    if (!options?.fold) return;
    if (options.check && this.sure !== 'fold') this.sure = 'fold';
    else void this.#table.act('fold');
  }

  checkOrCall(): void {
    const options = this.options;
    if (options === null) return;
    if (options.check) void this.#table.act('check');
    else if (options.call) void this.#table.act('call');
  }

  raise(): void {
    const own = this.#table.ownSeat;
    if (!this.options?.raise || own === null) return;
    if (isLarge(this.shown, own.bet, own.stack) && this.sure !== 'raise') this.sure = 'raise';
    else void this.#table.act('raise_to', this.shown);
  }

  /** By key, the first press chooses the smallest raise, which is then seen on the button. */
  raiseByKey(): void {
    if (this.amount === null) this.choose(this.shown);
    else this.raise();
  }
}
