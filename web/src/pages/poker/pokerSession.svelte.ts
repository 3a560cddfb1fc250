// One session of one player in the poker room: who they are, their money, the stakes, and the tables they sit at.
import { api, type Me } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import type { JoinPool, PokerHears, PokerPool, PokerSeat, PokerSends, PoolJoined, RealityCheck } from '../../lib/protocol';
import { Connection, NoAnswer } from '../../lib/socket.svelte';
import type { Refusal } from '../../lib/i18n/refusals';
import { TableOfPlayer } from './pokerTable.svelte';

/** asking: who the visitor is; nobody: not signed in; staff: signed in, but not as a player. */
export type Presence = 'asking' | 'nobody' | 'player' | 'staff' | 'unreachable';

export class PokerSession {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  available = $state(0);
  pools = $state.raw<readonly PokerPool[]>([]);
  /** Places in queues, by pool. */
  queued = $state.raw<ReadonlyMap<string, PokerSeat>>(new Map());
  tables = $state.raw<readonly TableOfPlayer[]>([]);
  activeId = $state<string | null>(null);
  /** The lobby lies over the tables. */
  isChoosing = $state(false);
  reality = $state.raw<RealityCheck | null>(null);
  readonly clock = new ServerClock();
  readonly connection: Connection<PokerHears, PokerSends>;

  constructor() {
    this.connection = new Connection<PokerHears, PokerSends>(
      '/poker',
      () => void this.#opened().catch(() => undefined),
      (refusal) => this.#refused(refusal?.code ?? null),
    );
    const at = (id: string) => this.tables.find((table) => table.id === id);
    this.connection.on('poker_table', (table) => at(table.table_id)?.onTable(table));
    this.connection.on('hand', (hand) => at(hand.table_id)?.onHand(hand));
    this.connection.on('step', (step) => at(step.table_id)?.onStep(step));
    this.connection.on('cards', (cards) => at(cards.table_id)?.onCards(cards));
    this.connection.on('options', (options) => at(options.table_id)?.onOptions(options));
    this.connection.on('moved', ({ table_id }) => at(table_id)?.onMoved());
    this.connection.on('notice', (notice) => at(notice.table_id)?.onNotice(notice));
    this.connection.on('hand_over', (over) => {
      this.available = over.available;
      at(over.table_id)?.onHandOver(over);
    });
    this.connection.on('seat', (seat) => this.#onSeat(seat));
    this.connection.on('lobby', ({ pools }) => {
      const changed = new Map(pools.map((pool) => [pool.pool, pool]));
      this.pools = this.pools.map((pool) => changed.get(pool.pool) ?? pool);
    });
    this.connection.on('balance', ({ available }) => (this.available = available));
    this.connection.on('reality_check', (check) => (this.reality = check));
  }

  get currency(): string | null {
    return this.me?.currency ?? null;
  }

  get active(): TableOfPlayer | null {
    return this.tables.find((table) => table.id === this.activeId) ?? null;
  }

  /** The table whose decision expires first. */
  get urgent(): TableOfPlayer | null {
    const asked = this.tables.filter((table) => table.mustAct);
    return asked.reduce<TableOfPlayer | null>((first, table) => (endOf(table) < endOf(first) ? table : first), null);
  }

  /** Signs in as the connection finds: it knows who may come in. */
  start(): void {
    this.presence = 'asking';
    this.connection.close();
    this.connection.open();
  }

  async enter(how: () => Promise<unknown>): Promise<void> {
    await how();
    this.start();
  }

  async signOut(): Promise<void> {
    await api.signOut().catch(() => undefined);
    this.#forget();
  }

  /** Asks for a seat of this stake; `buyIn` 0 asks at the table. Returns why it was refused. */
  async joinPool(wish: Omit<JoinPool, 'key'>): Promise<PoolJoined | Refusal> {
    try {
      const answer = await this.connection.ask('join_pool', { ...wish, key: crypto.randomUUID() });
      if (!answer.ok) return answer.error;
      if (answer.available !== undefined) this.available = answer.available;
      if (answer.table_id !== undefined) this.#sitAt(answer.table_id);
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { code: 'unreachable', message: 'There was no answer.' };
    }
  }

  async leaveQueue(pool: string): Promise<void> {
    const answer = await this.connection.ask('leave_pool', { pool }).catch(() => null);
    if (answer?.ok) this.queued = without(this.queued, pool);
  }

  /** Takes a table the player has left from the window. */
  forget(table: TableOfPlayer): void {
    this.tables = this.tables.filter((other) => other !== table);
    if (this.activeId === table.id) this.activeId = this.tables[0]?.id ?? null;
  }

  #sitAt(id: string): void {
    if (!this.tables.some((table) => table.id === id)) {
      const table = new TableOfPlayer(id, this.connection, this.clock);
      this.tables = [...this.tables, table];
      void table.join();
    }
    this.activeId = id;
    this.isChoosing = false;
  }

  #onSeat(seat: PokerSeat): void {
    if (seat.table_id === null) {
      if (seat.pool === null) return;
      this.queued =
        seat.state === 'queued' ? new Map(this.queued).set(seat.pool, seat) : without(this.queued, seat.pool);
      return;
    }
    if (seat.pool !== null) this.queued = without(this.queued, seat.pool);
    const known = this.tables.find((table) => table.id === seat.table_id);
    if (known) known.onSeat(seat);
    else if (seat.state !== 'gone') this.#sitAt(seat.table_id);
  }

  async #opened(): Promise<void> {
    const me = await api.me();
    this.me = me;
    if (me.available === null) {
      this.presence = 'staff';
      return;
    }
    this.available = me.available;
    const answer = await this.connection.ask('lobby', {});
    if (!answer.ok) return;
    this.pools = answer.pools;
    this.queued = new Map(answer.seats.flatMap((seat) => (seat.table_id === null && seat.pool ? [[seat.pool, seat]] : [])));
    const seated = new Set(answer.seats.flatMap(({ table_id }) => (table_id === null ? [] : [table_id])));
    this.tables.filter(({ id }) => !seated.has(id)).forEach((table) => (table.state = 'gone'));
    for (const table of this.tables) if (table.state !== 'moved' && table.state !== 'gone') void table.join();
    for (const id of seated) if (!this.tables.some((table) => table.id === id)) this.#sitAt(id);
    this.presence = 'player';
  }

  #refused(code: string | null): void {
    if (code === 'not_authenticated') this.#forget();
    else if (code === 'forbidden') this.presence = 'staff';
    else if (this.presence === 'asking') this.presence = 'unreachable';
  }

  #forget(): void {
    this.connection.close();
    this.tables = [];
    this.queued = new Map();
    this.me = this.activeId = null;
    this.presence = 'nobody';
  }
}

const endOf = (table: TableOfPlayer | null): number => table?.options?.deadline ?? Infinity;

function without(queued: ReadonlyMap<string, PokerSeat>, pool: string): ReadonlyMap<string, PokerSeat> {
  return new Map([...queued].filter(([other]) => other !== pool));
}
