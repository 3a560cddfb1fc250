// Estimate of the server's clock. All deadlines are the server's, so everything is timed by it.

const samplesMax = 20;

/** Milliseconds since 1970, by a monotonic clock: changing the device's date moves no timer. */
export const steadyNow = (): number => performance.timeOrigin + performance.now();

/** A message says when it was sent; it arrived some time later. So the largest difference seen is the nearest to the
 * truth, and only the last ones count, because the clock of this device may run fast. */
export class ServerClock {
  #aheads: number[] = [];
  readonly #local: () => number;

  constructor(local: () => number = steadyNow) {
    this.#local = local;
  }

  sync(serverTime: number): void {
    this.#aheads.push(serverTime - this.#local());
    if (this.#aheads.length > samplesMax) this.#aheads.shift();
  }

  get aheadMs(): number {
    return this.#aheads.length === 0 ? 0 : Math.max(...this.#aheads);
  }

  now(): number {
    return this.#local() + this.aheadMs;
  }

  msUntil(deadline: number): number {
    return Math.max(0, deadline - this.now());
  }
}
