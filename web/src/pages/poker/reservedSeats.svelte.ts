// Seats that are kept for the player for a short time: the buy-in that was asked for does not fit there.
import type { Refusal } from '../../lib/i18n/refusals';
import type { PokerSeat, PoolJoined } from '../../lib/protocol';
import { NoAnswer } from '../../lib/socket.svelte';
import type { PokerConnection } from './pokerTable.svelte';

export interface ReservedSeat {
  pool: string;
  tableId: string;
  min: number;
  max: number;
  /** Banzai: the only amounts possible; empty elsewhere. */
  amounts: readonly number[];
  until: number;
}

export class ReservedSeats {
  all = $state.raw<readonly ReservedSeat[]>([]);
  readonly #connection: PokerConnection;

  constructor(connection: PokerConnection) {
    this.#connection = connection;
  }

  at(tableId: string | null): ReservedSeat | undefined {
    return this.all.find((seat) => seat.tableId === tableId);
  }

  /** Keeps what an answer or an event says about a reserved seat, if it says all of it. */
  take({ pool, table_id, min, max, amounts = [], ...said }: PokerSeat | PoolJoined): void {
    const until = 'until' in said ? said.until : 'reserved_until' in said ? said.reserved_until : null;
    if (pool === null || table_id == null || min == null || max == null || until == null) return;
    this.free(table_id);
    this.all = [...this.all, { pool, tableId: table_id, min, max, amounts, until }];
  }

  /** The seat is taken, given back or lost. */
  free(tableId: string): void {
    this.all = this.all.filter((seat) => seat.tableId !== tableId);
  }

  /** After a reconnect: keeps those that the server still knows. Returns the stakes of seats that this page does not know. */
  renew(known: readonly PokerSeat[]): string[] {
    this.all = this.all.filter(({ tableId }) => known.some(({ table_id }) => table_id === tableId));
    return known.flatMap(({ pool, table_id }) => (pool === null || this.at(table_id) ? [] : [pool]));
  }

  /** Buys in at the seat. Returns why it was refused. */
  async sit({ tableId, amounts }: ReservedSeat, amount: number, key: string): Promise<Refusal | null> {
    try {
      const answer = await this.#connection.ask('sit', { table_id: tableId, amount, resume: amounts.includes(amount), key });
      return answer.ok ? null : answer.error;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { code: 'unreachable', message: 'There was no answer.' };
    }
  }

  async giveBack({ pool, tableId }: ReservedSeat): Promise<void> {
    const answer = await this.#connection.ask('leave_pool', { pool }).catch(() => null);
    if (answer?.ok) this.free(tableId);
  }
}
