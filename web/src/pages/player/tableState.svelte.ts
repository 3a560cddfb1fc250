// State of one table: the last snapshot, every event since, and derived values.
import type { Seconds, TableDetails } from '../../lib/api';
import { totalOf } from '../../lib/bets';
import type { Refusal } from '../../lib/i18n/refusals';
import { ticking } from '../../lib/now.svelte';
import type {
  Action,
  Bets,
  ChatLine,
  Hand,
  Notice,
  Phase,
  Refused,
  Round,
  RoundResult,
  Seat,
  Table as TableInfo,
  TableLimits,
} from '../../lib/protocol';
import type { Composer } from './composer.svelte';
import type { Ended } from './explain';
import type { Mishap } from './missedRound';
import type { SettlementReveal } from './settlementReveal.svelte';
import type { TableContext } from './tableContext';

export type JoinState = 'joining' | 'here' | 'moved' | 'refused' | 'left';

/** Result of a round for this player; null without a bet in it. */
export interface PastRound {
  round_id: string;
  net: number | null;
}

/** A settled round, with what explains its result. */
export interface LastResult extends Ended {
  game_number: string;
}

export const noBets: Bets = { ante: 0, blind: 0, trips: 0, play: 0 };
const noLimits: TableLimits = { ante_min: 0, ante_max: 0, trips_min: 0, trips_max: 0 };
const windowOf: Partial<Record<Phase, keyof Seconds>> = {
  betting: 'betting',
  deciding_preflop: 'decide_preflop',
  deciding_flop: 'decide_flop',
  deciding_river: 'decide_river',
};
const windows: readonly Phase[] = ['deciding_preflop', 'deciding_flop', 'deciding_river'];

export abstract class TableState {
  joinState = $state<JoinState>('joining');
  refusal = $state.raw<Refusal | null>(null);
  details = $state.raw<TableDetails | null>(null);
  round = $state.raw<Round | null>(null);
  seat = $state.raw<Seat | null>(null);
  info = $state.raw<TableInfo | null>(null);
  result = $state.raw<RoundResult | null>(null);
  /** The result of the round before, while the next one takes bets. */
  lastResult = $state.raw<LastResult | null>(null);
  /** The last round is still explained; it ends with the first chip or after some seconds. */
  isExplained = $state(false);
  past = $state.raw<readonly PastRound[]>([]);
  chat = $state.raw<readonly ChatLine[]>([]);
  unread = $state(0);
  /** Notice to this player, until it is read. */
  notice = $state.raw<Notice | null>(null);
  mishap = $state.raw<Mishap | null>(null);
  /** The answer that is on its way to the api. */
  deciding = $state<Action | null>(null);
  decisionRefusal = $state.raw<Refused['error'] | null>(null);
  /** A decision that the server has not confirmed, with its window. */
  unconfirmed = $state.raw<{ action: Action; phase: Phase } | null>(null);
  /** False while cards appear that lay there already when this player came. */
  animates = $state(false);
  abstract readonly composer: Composer;
  abstract readonly reveal: SettlementReveal;

  constructor(
    readonly id: string,
    protected readonly context: TableContext,
  ) {}

  get limits(): TableLimits {
    return this.info?.limits ?? this.details?.limits ?? noLimits;
  }

  get chips(): readonly number[] {
    return this.details?.chips ?? [];
  }

  get phase(): Phase {
    return this.round?.phase ?? 'idle';
  }

  get isOwnHands(): boolean {
    return this.details?.hands === 'own';
  }

  /** At an own-hands table without a free seat. */
  get isWatching(): boolean {
    return this.isOwnHands && this.seat !== null && this.seat.seat_no === null;
  }

  /** The player's seat in the round shown. A seat of an earlier round says nothing about this one. */
  get roundSeat(): Seat | null {
    return this.seat !== null && this.seat.round_id === (this.round?.round_id ?? null) ? this.seat : null;
  }

  get isBetting(): boolean {
    return this.joinState === 'here' && this.phase === 'betting' && this.round?.paused === null && !this.isWatching;
  }

  get isDeciding(): boolean {
    return this.phase.startsWith('deciding_');
  }

  /** The player has to answer now. */
  get mustDecide(): boolean {
    return this.joinState === 'here' && this.isDeciding && this.round?.paused === null && (this.roundSeat?.options.length ?? 0) > 0;
  }

  get isAutoFolded(): boolean {
    return this.roundSeat?.automatic === 'auto_folded';
  }

  get hasBet(): boolean {
    return this.bets.ante > 0;
  }

  /** Betting is closed, and the player's bets may still win or lose by what is decided. */
  get isInHand(): boolean {
    const isRunning = !['idle', 'betting', 'settled', 'cancelled'].includes(this.phase);
    return isRunning && this.joinState === 'here' && this.hasBet && this.roundSeat?.decision !== 'fold';
  }

  get bets(): Bets {
    const { ante, trips } = this.composer.wanted;
    if (this.phase === 'betting') return { ante, blind: ante, trips, play: 0 };
    if (this.phase === 'cancelled') return noBets; // every bet is back with its player
    return this.roundSeat?.bets ?? noBets;
  }

  get totalBet(): number {
    return totalOf(this.bets);
  }

  get playerCards() {
    return (this.isOwnHands ? this.roundSeat?.player_cards : this.round?.player_cards) ?? [];
  }

  get hand(): Hand | null {
    return (this.isOwnHands ? this.roundSeat?.hand : this.round?.player_hand) ?? null;
  }

  /** The last round, while its summary is shown next to the new one. */
  get explained(): LastResult | null {
    return this.isExplained && !this.hasBet && this.phase === 'betting' ? this.lastResult : null;
  }

  /** Nothing was played here yet, so that the player may want to know where to begin. */
  get isFirst(): boolean {
    return this.lastResult === null && this.composer.last.ante === 0;
  }

  /** The reveal of the round is complete. */
  get isRevealed(): boolean {
    return this.result?.status === 'settled' && this.reveal.has('trips');
  }

  /** What the round has brought, as soon as it is known. */
  get net(): number {
    return this.result?.status === 'settled' ? this.result.returned - this.result.staked : 0;
  }

  /** From the hole cards on, the dealer has two face-down cards. */
  get dealerHasCards(): boolean {
    return !['idle', 'betting', 'dealing_hole'].includes(this.phase) || this.playerCards.length === 2;
  }

  /** Milliseconds left in the open window, by the server's clock; null when nothing is timed. */
  get leftMs(): number | null {
    const deadline = this.round?.deadline ?? null;
    if (deadline === null || this.round?.paused) return null;
    ticking();
    return this.context.clock.msUntil(deadline);
  }

  /** The longest time until betting opens again at a machine's table; null where a presenter opens it. */
  get bettingInMs(): number | null {
    if (this.details?.dealing !== 'auto' || this.round?.paused) return null;
    const { seconds } = this.details;
    const reached = windows.indexOf(this.phase);
    const ahead = windows.filter((phase, at) => (reached >= 0 ? at > reached : !this.round?.board.length || phase === 'deciding_river'));
    const waits = this.phase === 'showdown' || this.phase === 'settled' ? [] : ahead.map((phase) => seconds[windowOf[phase]!]);
    return (this.leftMs ?? 0) + 1000 * waits.reduce((sum, wait) => sum + wait, seconds.between_rounds + 9 * seconds.card);
  }

  get windowMs(): number {
    const name = windowOf[this.phase];
    return ((name && this.details?.seconds[name]) ?? 15) * 1000;
  }
}
