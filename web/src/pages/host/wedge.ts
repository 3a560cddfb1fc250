// Keyboard input while dealing. A scanner is a keyboard that types a code and Enter, so keys are
// gathered until Enter; alone, Enter and SPACE drive the round, BACKSPACE takes a card back. ESC stops, always.
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
    if (key === 'Escape') {
      this.typed = '';
      return { kind: 'stop' };
    }
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

}

/** No hand keeps this pace over several keys, and every scanner does. */
const paceMs = 50;

/** In a text field a scanner is known by its pace: what it types there is a card, not a word. */
export class Pace {
  #typed = '';
  #lastMs = -Infinity;

  /** `begins`: from here on it may be a code, so remember the field as it is; `code`: it was one. */
  press(key: string, nowMs: number): { kind: 'begins' } | { kind: 'code'; code: string } | null {
    if (key.length !== 1 && key !== 'Enter') return null; // a scanner presses Shift, too
    const isQuick = nowMs - this.#lastMs <= paceMs;
    this.#lastMs = nowMs;
    if (key === 'Enter') {
      const code = isQuick && this.#typed.length > 1 ? readCode(this.#typed) : null;
      this.#typed = '';
      return code === null ? null : { kind: 'code', code };
    }
    this.#typed = isQuick ? this.#typed + key : key;
    return isQuick ? null : { kind: 'begins' };
  }
}

/** `as`, `AS` and `10h` are cards in any spelling; the service resolves every other code. */
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
