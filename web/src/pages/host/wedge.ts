// What comes from the keyboard while somebody deals. A scanner is a keyboard that types a code and Enter, so keys are
// gathered until Enter; alone, Enter and SPACE drive the round, BACKSPACE takes a card back, ESC stops.
import type { Card } from '../../lib/protocol';

export type Pressed =
  | { kind: 'typing' | 'go' | 'undo' | 'stop' }
  | { kind: 'code'; code: string };

/** Typed so long ago, the beginning of a code is forgotten: a scanner is much faster. */
const patienceMs = 4_000;
const codeLengthMax = 40;

export class Wedge {
  typed = '';
  #lastMs = 0;

  /** Null if the key is not for us. */
  press(key: string, nowMs: number): Pressed | null {
    if (nowMs - this.#lastMs > patienceMs) this.typed = '';
    this.#lastMs = nowMs;
    if (key === 'Enter') return this.#enter();
    if (key === ' ') return this.typed === '' ? { kind: 'go' } : { kind: 'typing' };
    if (key === 'Backspace') return this.#back();
    if (key === 'Escape') return this.#escape();
    if (key.length !== 1 || key < '!' || key > '~') return null;
    this.typed = (this.typed + key).slice(-codeLengthMax);
    return { kind: 'typing' };
  }

  #enter(): Pressed {
    const code = this.typed;
    this.typed = '';
    return code === '' ? { kind: 'go' } : { kind: 'code', code: readCode(code) };
  }

  #back(): Pressed {
    if (this.typed === '') return { kind: 'undo' };
    this.typed = this.typed.slice(0, -1);
    return { kind: 'typing' };
  }

  #escape(): Pressed {
    if (this.typed === '') return { kind: 'stop' };
    this.typed = '';
    return { kind: 'typing' };
  }
}

/** `as`, `AS` and `10h` are cards, however they are written; whatever else was read the house has to know. */
export function readCode(code: string): string {
  const found = /^(10|[2-9tjqka])([cdhs])$/i.exec(code);
  if (!found) return code;
  const rank = found[1] === '10' ? 'T' : found[1]!.toUpperCase();
  return rank + found[2]!.toLowerCase();
}

const ranks = ['A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2'] as const;
const suits = ['s', 'h', 'd', 'c'] as const;

/** The 52 cards as the pad shows them: a suit in each row, aces first. */
export const pad: readonly (readonly Card[])[] = suits.map((suit) => ranks.map((rank): Card => `${rank}${suit}`));
