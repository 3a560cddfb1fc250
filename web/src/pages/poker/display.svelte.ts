// How this device shows the poker room: amounts in money or big blinds, deck colours, keys, sizes, guards and tiles.
import { lang } from '../../lib/language.svelte';
import { signedChips } from '../../lib/money';
import type { PokerTable } from '../../lib/protocol';
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
  /** HexaPro draws show their result at once. */
  skipsReveals: boolean;
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
  skipsReveals: false,
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

const formats = new Map<string, Intl.NumberFormat>();

/** A number with at most two decimals. */
export function number(value: number): string {
  const { locale } = lang;
  const format = formats.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  formats.set(locale, format);
  return format.format(value);
}

/** Chips of a tournament have no value, so that they are whole numbers. */
export const amountAt = (minor: number, table: PokerTable | null): string => (table?.tournament ? number(minor) : lang.money(minor));

export const signedAt = (minor: number, table: PokerTable | null): string =>
  table?.tournament ? signedChips(minor, lang.locale) : lang.signed(minor);

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
  get skipsReveals(): boolean {
    return this.#stored.skipsReveals;
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

  /** An amount of a table, as the player wants to read it: in big blinds, or in money or chips. */
  amount(minor: number, table: PokerTable | null): string {
    return this.inBigBlinds && table !== null ? `${number(minor / table.blinds.bb)} BB` : amountAt(minor, table);
  }
}

export const display = new Display();
