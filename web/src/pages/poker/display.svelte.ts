// How this device shows the poker room: amounts in money or big blinds, deck colours, keys, sizes, guards and tiles.
import { lang } from '../../lib/language.svelte';
import { usualSizes, type Sizes } from './betSizes';
import { usualBindings, type Bindings } from './keyBindings';

const storedAs = 'casino.poker';

/** twice: a second press; hold: the button is held down for 300 ms. */
export type Guard = 'twice' | 'hold' | 'off';
export const guards: readonly Guard[] = ['twice', 'hold', 'off'];
/** Tables beside each other; 0: as many as fit. */
export const tileCounts = [0, 1, 2, 4, 6, 8] as const;

interface Stored {
  inBigBlinds: boolean;
  fourColours: boolean;
  /** Null: the player has not been asked yet. */
  keys: boolean | null;
  bindings: Bindings;
  sizes: Sizes;
  guard: Guard;
  tiles: (typeof tileCounts)[number];
  /** The buy-in last chosen, by pool. */
  buyIns: Record<string, number>;
  /** Whether the player waits for the big blind at a new table; null: not chosen yet. */
  waits: boolean | null;
}

const usual: Stored = {
  inBigBlinds: false,
  fourColours: true,
  keys: null,
  bindings: usualBindings,
  sizes: usualSizes,
  guard: 'twice',
  tiles: 0,
  buyIns: {},
  waits: null,
};

function read(): Stored {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storedAs) ?? '{}');
    return typeof found === 'object' && found !== null ? { ...usual, ...found } : usual;
  } catch {
    return usual; // written by something else
  }
}

class Display {
  #stored = $state.raw<Stored>(read());

  get inBigBlinds(): boolean {
    return this.#stored.inBigBlinds;
  }
  get fourColours(): boolean {
    return this.#stored.fourColours;
  }
  get keys(): boolean | null {
    return this.#stored.keys;
  }
  get bindings(): Bindings {
    return this.#stored.bindings;
  }
  get sizes(): Sizes {
    return this.#stored.sizes;
  }
  get guard(): Guard {
    return this.#stored.guard;
  }
  get tiles(): Stored['tiles'] {
    return this.#stored.tiles;
  }
  get waits(): boolean | null {
    return this.#stored.waits;
  }
  get buyIns(): Record<string, number> {
    return this.#stored.buyIns;
  }

  change(changed: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...changed };
    try {
      localStorage.setItem(storedAs, JSON.stringify(this.#stored));
    } catch {
      // A browser that keeps nothing still plays.
    }
  }

  /** An amount of a table, as the player wants to read it. */
  amount(minor: number, bigBlind: number): string {
    if (!this.inBigBlinds) return lang.money(minor);
    return `${new Intl.NumberFormat(lang.locale, { maximumFractionDigits: 2 }).format(minor / bigBlind)} BB`;
  }
}

export const display = new Display();
