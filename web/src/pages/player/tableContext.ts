// Interface between a table and its player's session.
import type { ServerClock } from '../../lib/clock';
import type { Action, Answer, BetsStand, Done, Joined } from '../../lib/protocol';

export interface TableContext {
  clock: ServerClock;
  available: () => number;
  /** The player's id. */
  player: () => string;
  ask: {
    join: (message: { table_id: string; seat_no?: number }) => Promise<Answer<Joined>>;
    bet: (message: { table_id: string; round_id: string; ante: number; trips: number; seed?: string }) => Promise<Answer<BetsStand>>;
    decide: (message: {
      table_id: string;
      round_id: string;
      action: Action;
      phase: DecidingPhase;
    }) => Promise<Answer<BetsStand>>;
    chat: (message: { table_id: string; text: string }) => Promise<Answer<Done>>;
  };
  /** Amount of a result that is not revealed yet and therefore not shown in the balance. */
  withhold: (minor: number) => void;
  announce: (event: TableEvent) => void;
}

export type TableEvent = 'card' | 'betting' | 'your_turn' | 'result' | 'corrected' | 'paused' | 'cancelled';
export type DecidingPhase = 'deciding_preflop' | 'deciding_flop' | 'deciding_river';
