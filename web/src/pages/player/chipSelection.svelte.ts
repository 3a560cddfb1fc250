// Chip selection at one table: the chosen chip, and the effect of touching a spot or a tool.
import { initialStake } from '../../lib/bets';
import { lang } from '../../lib/language.svelte';
import { sounds } from '../../lib/sound';
import type { Hint } from './composer.svelte';
import type { SpotName } from './spots';
import type { Table } from './table.svelte';

export type Tool = 'undo' | 'repeat' | 'double';

/** A hint stays as long as it takes to read. */
const hintMs = (text: string): number => Math.max(2_600, 1_200 + 60 * text.length);

export class ChipSelection {
  #chosen = $state<number | null>(null);
  hint = $state.raw<{ spot: SpotName | null; text: string } | null>(null);
  #fading: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly table: Table) {}

  /** A chip is always in hand: the one chosen, at first the smallest. */
  get chip(): number | null {
    return this.#chosen ?? this.table.chips[0] ?? null;
  }

  choose(chip: number): void {
    this.#chosen = chip;
  }

  /** Why a tool does nothing at the moment. A limit in force has its own sentence on the table. */
  get obstacles(): Record<Tool, string | null> {
    const { bet } = lang.w;
    const { composer, limits } = this.table;
    const { wanted, last } = composer;
    const isCovered = composer.left >= initialStake(wanted);
    return {
      undo: composer.canUndo ? null : bet.nothingToUndo,
      repeat: composer.canRepeat ? null : wanted.ante > 0 ? bet.tooLateToRepeat : last.ante > 0 ? bet.funds : bet.nothingToRepeat,
      double: composer.canDouble ? null : wanted.ante === 0 ? bet.anteFirst : isCovered ? bet.maximum(lang.money(limits.ante_max)) : bet.funds,
    };
  }

  /** Does what the tool does, or says why it does nothing. */
  use(tool: Tool): void {
    const why = this.obstacles[tool];
    if (why === null) this.table.composer[tool]();
    else this.say(null, why);
  }

  touch(spot: SpotName): void {
    if (this.chip !== null) this.dropped(this.chip, spot);
  }

  dropped(chip: number, spot: SpotName): void {
    const { bet } = lang.w;
    // After betting the cards cover the place of a spot's hint.
    if (!this.table.isBetting) return this.say(null, spot === 'play' && this.table.mustDecide ? bet.playLater : bet.notNow);
    this.choose(chip);
    if (spot === 'blind') return this.say(spot, bet.automatic);
    if (spot === 'play') return this.say(spot, bet.playLater);
    this.hint = null;
    const before = this.table.composer.wanted;
    this.table.composer.place(spot, chip);
    if (this.table.composer.wanted !== before) sounds.play('chip');
  }

  say(spot: SpotName | null, text: string): void {
    this.hint = { spot, text };
    clearTimeout(this.#fading);
    this.#fading = setTimeout(() => (this.hint = null), hintMs(text));
  }

  showHint(hint: Hint): void {
    const { bet } = lang.w;
    switch (hint.kind) {
      case 'maximum':
        return this.say(hint.spot, bet.maximum(lang.money(hint.amount)));
      case 'funds':
        return this.say(hint.spot, bet.funds);
      case 'ante_first':
        return this.say('trips', bet.anteFirst);
      case 'below':
        return this.say(null, bet.below(lang.w.spots[hint.spot], lang.money(hint.amount)));
      case 'closed':
        return this.say(null, bet.closed);
      case 'refused':
        return this.say(hint.spot, lang.reason(hint.error));
    }
  }
}
