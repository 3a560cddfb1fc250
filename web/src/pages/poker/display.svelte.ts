// How this device shows the poker room: amounts in money or big blinds, deck colours, keys, and buy-ins last chosen.
import { lang } from '../../lib/language.svelte';

const storedAs = 'casino.poker';

interface Stored {
  inBigBlinds: boolean;
  fourColours: boolean;
  keys: boolean;
  /** The buy-in last chosen, by pool. */
  buyIns: Record<string, number>;
}

const usual: Stored = { inBigBlinds: false, fourColours: true, keys: false, buyIns: {} };

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
  get keys(): boolean {
    return this.#stored.keys;
  }
  get buyIns(): Record<string, number> {
    return this.#stored.buyIns;
  }

  change(changed: Partial<Stored>): void {
    this.#stored = { ...this.#stored, ...changed };
    localStorage.setItem(storedAs, JSON.stringify(this.#stored));
  }

  /** An amount of a table, as the player wants to read it. */
  amount(minor: number, bigBlind: number): string {
    if (!this.inBigBlinds) return lang.money(minor);
    return `${new Intl.NumberFormat(lang.locale, { maximumFractionDigits: 2 }).format(minor / bigBlind)} BB`;
  }
}

export const display = new Display();
