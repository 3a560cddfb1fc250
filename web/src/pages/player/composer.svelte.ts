// Composer of bets while betting is open: wanted, stored and pending amounts on ANTE and TRIPS. One message is sent at a
// time and the newest amounts win; refused amounts are taken back with the reason.
import { initialStake } from '../../lib/bets';
import type { TableLimits } from '../../lib/protocol';

export type BetSpot = 'ante' | 'trips';

export interface Amounts {
  ante: number;
  trips: number;
}

export type Stored = { ok: true; bets: Amounts; available: number };
export type NotStored = { ok: false; error: { code: string; message: string } };

/** Short hint at a spot or at the tray: why a chip was not accepted. */
export type Hint =
  | { kind: 'maximum'; spot: BetSpot; amount: number }
  | { kind: 'funds'; spot: BetSpot | null }
  | { kind: 'ante_first'; spot: 'trips' }
  | { kind: 'closed'; spot: null }
  | { kind: 'below'; spot: BetSpot; amount: number }
  | { kind: 'refused'; spot: BetSpot | null; error: { code: string; message: string } };

const nothing: Amounts = { ante: 0, trips: 0 };
const spots: readonly BetSpot[] = ['ante', 'trips'];

const same = (a: Amounts, b: Amounts): boolean => a.ante === b.ante && a.trips === b.trips;

export class Composer {
  wanted = $state.raw<Amounts>(nothing);
  stored = $state.raw<Amounts>(nothing);
  /** What REPEAT brings back: the bets of the last round that was played. */
  last = $state.raw<Amounts>(nothing);
  hint = $state.raw<Hint | null>(null);
  open = $state(false);
  #before = $state.raw<readonly Amounts[]>([]);
  #sent: Amounts | null = null;
  #round: string | null = null;

  constructor(
    private readonly send: (round: string, amounts: Amounts) => Promise<Stored | NotStored | null>,
    private readonly limits: () => TableLimits,
    /** Available amount by the server, without the bets stored already. */
    private readonly available: () => number,
    private readonly onlast: (last: Amounts) => void = () => undefined,
  ) {}

  /** What is left once everything wanted is stored. */
  get left(): number {
    return this.available() + initialStake(this.stored) - initialStake(this.wanted);
  }

  get isPending(): boolean {
    return !same(this.wanted, this.stored);
  }

  get canUndo(): boolean {
    return this.open && this.#before.length > 0;
  }

  get canRepeat(): boolean {
    const { ante } = this.#repeated;
    return this.open && this.#isUntouched && ante > 0 && ante >= this.#min('ante') && initialStake(this.#repeated) <= this.left;
  }

  get canDouble(): boolean {
    return this.open && initialStake(this.wanted) > 0 && initialStake(this.wanted) <= this.left && !same(this.#doubled, this.wanted);
  }

  /** Whether this chip could be put anywhere: it costs twice on the ANTE. */
  affords(chip: number): boolean {
    return this.open && (this.wanted.ante > 0 ? chip : 2 * chip) <= this.left;
  }

  /** Missing amount of a bet below the minimum: it is not sent before it is complete. */
  missing(spot: BetSpot): number {
    return this.open && this.wanted[spot] > 0 ? Math.max(0, this.#min(spot) - this.wanted[spot]) : 0;
  }

  // What the player does

  place(spot: BetSpot, chip: number): void {
    if (!this.open) return this.#say({ kind: 'closed', spot: null });
    if (spot === 'trips' && this.wanted.ante === 0) return this.#say({ kind: 'ante_first', spot });
    const max = this.#max(spot);
    if (this.wanted[spot] >= max) return this.#say({ kind: 'maximum', spot, amount: max });
    const amount = Math.min(this.wanted[spot] + chip, max);
    const bets = { ...this.wanted, [spot]: amount };
    if (initialStake(bets) - initialStake(this.wanted) > this.left) return this.#say({ kind: 'funds', spot });
    this.#want(bets);
    if (amount === max) this.#say({ kind: 'maximum', spot, amount: max });
  }

  repeat(): void {
    if (this.canRepeat) this.#want(this.#repeated);
  }

  double(): void {
    if (!this.open || initialStake(this.wanted) === 0) return;
    if (initialStake(this.wanted) > this.left) return this.#say({ kind: 'funds', spot: null });
    if (same(this.#doubled, this.wanted)) {
      return this.#say({ kind: 'maximum', spot: 'ante', amount: this.#max('ante') });
    }
    this.#want(this.#doubled);
  }

  undo(): void {
    const before = this.#before.at(-1);
    if (!this.open || before === undefined) return;
    this.#before = this.#before.slice(0, -1);
    this.wanted = before;
    this.hint = null;
    this.#pump();
  }

  clear(): void {
    if (!this.open) return;
    this.#before = [];
    this.wanted = nothing;
    this.hint = null;
    this.#pump();
  }

  // What the table says

  /** Stored bets, from a snapshot or a `seat`: while a bet is pending, its own reply is newer. */
  sync(round: string | null, isBetting: boolean, bets: Amounts): void {
    const isNew = round !== this.#round;
    const below = isNew || !isBetting ? (spots.find((spot) => this.missing(spot) > 0) ?? null) : null;
    if (isNew) {
      this.#keepLast();
      this.#before = [];
      this.#sent = null;
      this.hint = null;
    }
    this.#round = round;
    if (isNew) this.stored = this.wanted = bets;
    else if (this.#sent === null) this.#reconcile(bets);
    else if (same(bets, this.#sent)) this.stored = this.#sent; // the seat event arrives just before the reply
    if (this.open && !isBetting && !same(this.wanted, this.stored)) {
      this.wanted = this.stored;
      this.#say({ kind: 'closed', spot: null });
    }
    if (below !== null) this.#say({ kind: 'below', spot: below, amount: this.#min(below) });
    if (!isBetting && this.#sent === null) this.stored = this.wanted = bets;
    this.open = isBetting;
    if (this.#sent === null && !this.isPending) this.#keepSteps();
  }

  /** The connection was lost: pending bets are unknown until the next snapshot. */
  dropPending(): void {
    this.#keepLast();
    this.#sent = null;
    this.wanted = this.stored;
  }

  #keepLast(): void {
    if (initialStake(this.stored) === 0) return;
    this.last = this.stored;
    this.onlast(this.last);
  }

  /** UNDO returns to a smaller bet. Bets placed on another device are one step. */
  #keepSteps(): void {
    const staked = initialStake(this.stored);
    this.#before = this.#before.filter((amounts) => initialStake(amounts) < staked);
    if (this.#before.length === 0 && staked > 0) this.#before = [nothing];
  }

  #reconcile(bets: Amounts): void {
    const wasPending = this.isPending;
    this.stored = { ante: bets.ante, trips: bets.trips };
    if (!wasPending) this.wanted = this.stored;
  }

  get #isUntouched(): boolean {
    return initialStake(this.wanted) === 0 && initialStake(this.stored) === 0 && this.#before.length === 0;
  }

  /** Within the limits, which may be those of another table. */
  get #repeated(): Amounts {
    const { ante, trips } = this.last;
    return { ante: Math.min(ante, this.#max('ante')), trips: Math.min(trips, this.#max('trips')) };
  }

  get #doubled(): Amounts {
    const { ante, trips } = this.wanted;
    return {
      ante: Math.min(2 * ante, Math.max(ante, this.#max('ante'))),
      trips: Math.min(2 * trips, Math.max(trips, this.#max('trips'))),
    };
  }

  #max(spot: BetSpot): number {
    return spot === 'ante' ? this.limits().ante_max : this.limits().trips_max;
  }

  #min(spot: BetSpot): number {
    return spot === 'ante' ? this.limits().ante_min : this.limits().trips_min;
  }

  #want(amounts: Amounts): void {
    this.#before = [...this.#before, this.wanted];
    this.wanted = amounts;
    this.hint = null;
    this.#pump();
  }

  #say(hint: Hint): void {
    this.hint = hint;
  }

  /** Chips that do not reach a spot's minimum yet wait on the felt; what the table would take is sent. */
  get #sendable(): Amounts {
    if (this.wanted.ante < this.#min('ante')) return nothing;
    return { ante: this.wanted.ante, trips: this.wanted.trips < this.#min('trips') ? 0 : this.wanted.trips };
  }

  #pump(): void {
    if (this.#sent !== null || !this.open || this.#round === null) return;
    const amounts = this.#sendable;
    if (same(amounts, this.stored)) return;
    this.#sent = amounts;
    const round = this.#round;
    void this.send(round, amounts).then((answer) => this.#answered(round, amounts, answer));
  }

  #answered(round: string, sent: Amounts, answer: Stored | NotStored | null): void {
    if (round !== this.#round || this.#sent !== sent) return;
    this.#sent = null;
    if (answer === null) return; // no reply: the next snapshot has the state
    if (answer.ok) {
      this.stored = { ante: answer.bets.ante, trips: answer.bets.trips };
      if (!this.open) this.wanted = this.stored;
    } else if (same(this.#sendable, sent) || !this.open) {
      this.wanted = this.stored;
      this.#keepSteps();
      const spot = spots.find((name) => sent[name] !== this.stored[name]) ?? null;
      this.#say({ kind: 'refused', spot, error: answer.error });
    }
    this.#pump();
  }
}
