// Amounts of a bet or raise: steps of slider and wheel, and what a player types. All are totals for the street.
import { readMoney } from '../../lib/money';
import type { RaiseRange } from '../../lib/protocol';

const fineStepsBelow = 20;
/** Above 20 big blinds a step is this part of the amount. */
const coarseStep = 0.05;
const guardedShare = 0.8;
/** The least turn of a mouse wheel, as browsers count it. */
const wheelStepPixels = 50;

export const clamp = (amount: number, { min, max }: Pick<RaiseRange, 'min' | 'max'>): number =>
  Math.min(max, Math.max(min, amount));

/** The amount after some steps up or down: of one big blind below 20, of 5 % above. Both ends can be reached. */
export function stepped(amount: number, steps: number, range: RaiseRange, bigBlind: number): number {
  const step = amount < fineStepsBelow * bigBlind ? bigBlind : Math.max(bigBlind, Math.round(amount * coarseStep));
  return clamp(amount + steps * step, range);
}

/** What was typed, in money or in big blinds; null if it is no amount. It may lie outside of the range. */
export function typedAmount(text: string, decimals: number, bigBlind: number | null): number | null {
  if (bigBlind === null) return readMoney(text, decimals);
  const found = /^\s*(\d{1,7})(?:[.,](\d{1,2}))?\s*$/.exec(text);
  return found ? Math.round((Number(found[1]) + Number(`0.${found[2] ?? 0}`)) * bigBlind) : null;
}

/** Whether the amount is so large that it is asked about twice: more than four fifths of what the player has. */
export function isLarge(amount: number, bet: number, stack: number): boolean {
  return amount - bet > guardedShare * stack;
}

/** Where a slider stops: the least, then a step at a time, and the most. */
export function stops(range: RaiseRange, bigBlind: number): number[] {
  const found = [range.min];
  while (found.at(-1)! < range.max) found.push(stepped(found.at(-1)!, 1, range, bigBlind));
  return found;
}

/** Turns of a wheel into whole steps. A touchpad sends many small turns, of which several make one. */
export class WheelSteps {
  #turned = 0;

  /** Steps up (positive) or down that this turn completes. */
  of({ deltaX, deltaY, deltaMode, ctrlKey }: Pick<WheelEvent, 'deltaX' | 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
    if (ctrlKey || deltaY === 0 || Math.abs(deltaX) > Math.abs(deltaY)) return 0; // zoom, or a turn to the side
    if (deltaMode !== 0) return -Math.sign(deltaY);
    if (Math.sign(deltaY) !== Math.sign(this.#turned)) this.#turned = 0;
    this.#turned += deltaY;
    const steps = Math.trunc(this.#turned / wheelStepPixels);
    this.#turned -= steps * wheelStepPixels;
    return steps === 0 ? 0 : -Math.sign(steps);
  }
}
