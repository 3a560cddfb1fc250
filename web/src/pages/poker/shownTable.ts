// What the felt shows of a table: a live one, or a finished hand that is replayed.
import type { ServerClock } from '../../lib/clock';
import type { DealtIn, Notice, OwnCards, PokerHand, PokerTable } from '../../lib/protocol';
import type { Actions } from './handSteps';

export interface ShownTable {
  readonly table: PokerTable | null;
  readonly hand: PokerHand | null;
  readonly seatNo: number | null;
  readonly ownSeat: DealtIn | null;
  readonly isInHand: boolean;
  readonly cards: OwnCards | null;
  readonly actions: Actions;
  readonly notice: Notice | null;
  readonly clock: ServerClock;
  /** The share of the pot of each seat whose cards are known; empty while a hand is played. */
  readonly odds: ReadonlyMap<number, number>;
}
