// One session of one player in the poker room: who they are, their money, the stakes, and the tables they sit at.
import type { AccountSession } from '../../components/panels/ownAccount';
import { api, type Me, type Responsible } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import { haltOf, type Halt } from '../../lib/ownLimits';
import { applyStored, forgetStored, readStored } from '../../lib/preferences.svelte';
import type {
  JoinPool,
  KeptChips,
  MovedTable,
  PokerServerEvents,
  PokerPool,
  PokerSeat,
  PokerClientEvents,
  PoolJoined,
  RealityCheck,
} from '../../lib/protocol';
import { Connection, NoAnswer } from '../../lib/socket.svelte';
import type { Refusal } from '../../lib/i18n/refusals';
import { display } from './display.svelte';
import { pokerApi, type OwnPoker } from './pokerApi';
import { TableOfPlayer, type TableChange } from './pokerTable.svelte';
import { ReservedSeats, type ReservedSeat } from './reservedSeats.svelte';
import { OwnTournaments } from './tournaments/ownTournaments.svelte';

/** asking: who the visitor is; nobody: not signed in; staff: signed in, but not as a player. */
export type Presence = 'asking' | 'nobody' | 'player' | 'staff' | 'unreachable';
export type View = 'tables' | 'lobby' | 'history' | 'tournament';

export class PokerSession implements AccountSession {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  balance = $state(0);
  available = $state(0);
  pools = $state.raw<readonly PokerPool[]>([]);
  /** Places in queues, by pool. */
  queued = $state.raw<ReadonlyMap<string, PokerSeat>>(new Map());
  /** Why the place in a queue was lost, by pool, until the player joins again. */
  lost = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Chips at tables that are out of order. */
  kept = $state.raw<readonly KeptChips[]>([]);
  tables = $state.raw<readonly TableOfPlayer[]>([]);
  activeId = $state<string | null>(null);
  view = $state<View>('tables');
  /** The dialogue before a seat is open: a seat elsewhere does not close it. */
  isJoining = false;
  reality = $state.raw<RealityCheck | null>(null);
  /** Why nothing can be bought in for at the moment, by the player's own limits. */
  halt = $state.raw<Halt | null>(null);
  /** Today's result, and stacks left with lately; null until it is read. */
  own = $state.raw<OwnPoker | null>(null);
  /** A key was pressed for the first time: are shortcuts wanted? */
  asksForKeys = $state(false);
  readonly clock = new ServerClock();
  readonly connection: Connection<PokerServerEvents, PokerClientEvents>;
  readonly tournaments: OwnTournaments;
  readonly reserved: ReservedSeats;
  #onChange: (table: TableOfPlayer, change: TableChange) => void = () => undefined;

  constructor() {
    this.connection = new Connection<PokerServerEvents, PokerClientEvents>(
      '/poker',
      () => void this.#opened().catch(() => undefined),
      (refusal) => this.#refused(refusal?.code ?? null),
    );
    this.tournaments = new OwnTournaments(this.connection, this.clock, (available) => (this.available = available));
    this.reserved = new ReservedSeats(this.connection);
    const at = (id: string) => this.tables.find((table) => table.id === id);
    this.connection.on('poker_table', (table) => at(table.table_id)?.onTable(table));
    this.connection.on('hand', (hand) => at(hand.table_id)?.onHand(hand));
    this.connection.on('step', (step) => at(step.table_id)?.onStep(step));
    this.connection.on('cards', (cards) => at(cards.table_id)?.onCards(cards));
    this.connection.on('options', (options) => at(options.table_id)?.onOptions(options));
    this.connection.on('moved', ({ table_id }) => at(table_id)?.onMoved());
    this.connection.on('notice', (notice) => at(notice.table_id)?.onNotice(notice));
    this.connection.on('chat', (line) => at(line.table_id)?.onChat(line));
    this.connection.on('hand_over', (over) => {
      const table = at(over.table_id);
      if (table?.tournament) this.tournaments.renew(table.tournament);
      else this.available = over.available;
      table?.onHandOver(over);
    });
    this.connection.on('seat', (seat) => this.#onSeat(seat));
    this.connection.on('moved_table', (moved) => this.#onMovedTable(moved));
    this.connection.on('lobby', ({ pools, tournaments, lines }) => {
      this.tournaments.change(tournaments, lines);
      if (pools.length === 0) return;
      const changed = new Map(pools.map((pool) => [pool.pool, pool]));
      this.pools = this.pools.map((pool) => changed.get(pool.pool) ?? pool);
    });
    this.connection.on('balance', ({ balance, available }) => {
      this.balance = balance;
      this.available = available;
    });
    this.connection.on('reality_check', (check) => (this.reality = check));
    this.connection.on('settings', applyStored);
  }

  /** Listens to what happens at the tables: for sounds and for players who listen instead of looking. */
  onChange(listener: (table: TableOfPlayer, change: TableChange) => void): void {
    this.#onChange = listener;
  }

  get currency(): string | null {
    return this.me?.currency ?? null;
  }

  /** What is shown: without a table, the lobby is. */
  get shown(): View {
    return this.view === 'tables' && this.tables.length === 0 ? 'lobby' : this.view;
  }

  get active(): TableOfPlayer | null {
    return this.tables.find((table) => table.id === this.activeId) ?? null;
  }

  /** The table whose decision expires first. */
  get urgent(): TableOfPlayer | null {
    const asked = this.tables.filter((table) => table.mustAct);
    return asked.reduce<TableOfPlayer | null>((first, table) => (endOf(table) < endOf(first) ? table : first), null);
  }

  /** Tables where the player sits out. */
  get absent(): TableOfPlayer[] {
    return this.tables.filter(({ seat }) => seat?.state === 'sitting_out');
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

  /** The keys move to a table. Its buttons rest for a moment: a press may be meant for the table before. */
  activate(id: string): void {
    if (id === this.activeId) return;
    this.activeId = id;
    this.active?.box.rest();
  }

  nextTable(): void {
    const at = this.tables.findIndex(({ id }) => id === this.activeId);
    const next = this.tables[(at + 1) % this.tables.length];
    if (next) this.activate(next.id);
  }

  /** Asks for a seat of this stake; `buyIn` 0 asks at the table. Returns why it was refused. */
  async joinPool(request: Omit<JoinPool, 'key'>): Promise<PoolJoined | Refusal> {
    try {
      const answer = await this.connection.ask('join_pool', { ...request, key: crypto.randomUUID() });
      if (!answer.ok) return answer.error;
      if (answer.available !== undefined) this.available = answer.available;
      this.lost = without(this.lost, answer.pool);
      if (answer.status === 'reserved') this.reserved.take(answer);
      else if (answer.table_id !== undefined) this.#play(answer.table_id);
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { code: 'unreachable', message: 'There was no answer.' };
    }
  }

  /** Buys in at a reserved seat. Returns why it was refused. */
  async sit(seat: ReservedSeat, amount: number, key: string): Promise<Refusal | null> {
    const refusal = await this.reserved.sit(seat, amount, key);
    if (refusal !== null) return refusal;
    this.reserved.free(seat.tableId);
    this.#play(seat.tableId);
    return null;
  }

  async leaveQueue(pool: string): Promise<void> {
    const answer = await this.connection.ask('leave_pool', { pool }).catch(() => null);
    if (answer?.ok) this.queued = without(this.queued, pool);
  }

  /** Looks at a tournament table without a seat. */
  watch(tableId: string): void {
    this.#play(tableId);
  }

  /** Comes back at all tables. */
  async comeBack(): Promise<void> {
    await this.connection.ask('sit_out', { table_id: null, when: 'now', on: false }).catch(() => undefined);
  }

  /** Takes a table the player has left from the window. */
  forget(table: TableOfPlayer): void {
    if (table.tournament !== null) void table.leave(); // who watches hears a table until then
    this.tables = this.tables.filter((other) => other !== table);
    if (this.activeId === table.id) this.activeId = this.tables[0]?.id ?? null;
  }

  /** The last hand of the table over its felt, or no longer. */
  async toggleLastHand(table: TableOfPlayer): Promise<void> {
    if (table.replay !== null) {
      table.replay = null;
      return;
    }
    if (table.mustAct) return; // the own turn needs the felt
    const id = table.lastHandId ?? (await pokerApi.lastHand(table.id).catch(() => null));
    if (id === null) return;
    const [{ HandReplay }, past] = await Promise.all([
      import('./handReplay.svelte'),
      pokerApi.hand(id).catch(() => null),
    ]);
    if (past === null) return;
    table.replay = new HandReplay(past, this.pools.find(({ pool }) => pool === past.pool) ?? null, table.table?.name ?? '');
  }

  async readOwn(): Promise<void> {
    this.own = await pokerApi.own();
  }

  heed(own: Responsible): void {
    this.halt = haltOf(own);
  }

  async seenReality(): Promise<void> {
    await api.realitySeen();
    this.reality = null;
  }

  #play(tableId: string): void {
    this.#sitAt(tableId);
    this.view = 'tables';
  }

  #sitAt(id: string): void {
    const known = this.tables.find((table) => table.id === id);
    if (known?.state === 'gone' || known?.watches) void known.join(); // back at a table that was not closed here
    if (known === undefined) {
      const table = new TableOfPlayer(id, this.connection, this.clock, (one, change) => this.#onChange(one, change));
      void table.join();
      this.tables = [...this.tables, table];
    }
    this.activeId = id;
  }

  #onSeat(seat: PokerSeat): void {
    if (seat.table_id === null) {
      if (seat.pool === null) return;
      if (seat.state === 'queued') this.queued = new Map(this.queued).set(seat.pool, seat);
      else {
        this.queued = without(this.queued, seat.pool);
        if (seat.reason !== null) this.lost = new Map(this.lost).set(seat.pool, seat.reason);
      }
      return;
    }
    if (seat.pool !== null) this.queued = without(this.queued, seat.pool);
    if (seat.state === 'reserved') {
      this.reserved.take(seat);
      return;
    }
    if (this.reserved.at(seat.table_id)) {
      this.reserved.free(seat.table_id);
      if (seat.state === 'gone' && seat.pool !== null) this.lost = new Map(this.lost).set(seat.pool, seat.reason ?? 'left');
    }
    const known = this.tables.find((table) => table.id === seat.table_id);
    if (known) known.onSeat(seat);
    else if (seat.state !== 'gone') this.#moveTo(seat);
  }

  /** A seat in a tournament: the first one, or one in the place of another. */
  #onMovedTable({ tournament_id, table_id, from_table_id }: MovedTable): void {
    const left = this.tables.find(({ id }) => id === from_table_id);
    const isActive = left === undefined || this.activeId === left.id;
    const before = this.activeId;
    this.#sitAt(table_id);
    const table = this.active!;
    if (this.view === 'tournament' || (this.view === 'lobby' && !this.isJoining)) this.view = 'tables';
    const isPast = ({ id, tournament, state, watches }: TableOfPlayer) =>
      id !== table_id && tournament === tournament_id && (state === 'gone' || watches);
    for (const past of this.tables.filter((one) => one !== left && isPast(one))) this.forget(past); // entered again
    if (left === undefined) return;
    table.movedFrom = left.table?.name ?? left.id;
    this.tables = this.tables.filter((one) => one !== table).map((one) => (one === left ? table : one));
    if (!isActive) this.activeId = before;
  }

  /** A new seat; in the place of the table that closed, if the player was moved from there. */
  #moveTo(seat: PokerSeat): void {
    const closed = this.tables.find(
      (table) => table.state === 'gone' && table.seat?.reason === 'table_closed' && table.seat.pool === seat.pool,
    );
    this.#sitAt(seat.table_id!);
    if (this.view === 'lobby' && !this.isJoining) this.view = 'tables'; // the player has waited for it
    if (closed === undefined) return;
    const table = this.active!;
    table.movedFrom = closed.table?.name ?? closed.id;
    this.tables = this.tables.filter((one) => one !== table).map((one) => (one === closed ? table : one));
  }

  async #opened(): Promise<void> {
    const me = await api.me();
    this.me = me;
    if (me.available === null) {
      this.presence = 'staff';
      return;
    }
    this.balance = me.balance ?? me.available;
    this.available = me.available;
    const answer = await this.connection.ask('lobby', {});
    if (!answer.ok) return;
    this.pools = answer.pools;
    this.kept = answer.kept;
    this.tournaments.take(answer);
    this.queued = new Map(answer.seats.flatMap((seat) => (seat.table_id === null && seat.pool ? [[seat.pool, seat]] : [])));
    const isReserved = ({ state }: PokerSeat) => state === 'reserved';
    const unknown = this.reserved.renew(answer.seats.filter(isReserved));
    const seated = new Set([...answer.seats.filter((seat) => !isReserved(seat)), ...answer.entries].flatMap(({ table_id }) => (table_id === null ? [] : [table_id])));
    this.tables.filter(({ id, watches }) => !seated.has(id) && !watches).forEach((table) => (table.state = 'gone'));
    for (const table of this.tables) if (table.state !== 'moved' && table.state !== 'gone') void table.join();
    for (const id of seated) if (!this.tables.some((table) => table.id === id)) this.#sitAt(id);
    this.presence = 'player';
    // The same request again says which buy-in is possible at a reserved seat.
    for (const pool of unknown) void this.joinPool({ pool, buy_in: 0, wait_for_bb: display.waits ?? true });
    // What the first view does without.
    void readStored().catch(() => undefined);
    void this.#readLimits().catch(() => undefined);
    void this.readOwn().catch(() => undefined);
  }

  async #readLimits(): Promise<void> {
    const own = await api.responsible();
    this.heed(own);
    const { now, session, reality_check } = own;
    const nothing = { since: now, elapsed: 0, staked: 0, returned: 0, net: 0 };
    if (reality_check.due) this.reality = session ?? nothing;
  }

  #refused(code: string | null): void {
    if (code === 'not_authenticated') this.#forget();
    else if (code === 'forbidden') this.presence = 'staff';
    else if (this.presence === 'asking') this.presence = 'unreachable';
  }

  #forget(): void {
    this.connection.close();
    this.tables = [];
    this.queued = this.lost = new Map();
    this.reserved.renew([]);
    this.tournaments.forget();
    this.me = this.activeId = this.own = this.halt = this.reality = null;
    forgetStored();
    this.presence = 'nobody';
  }
}

const endOf = (table: TableOfPlayer | null): number => table?.options?.deadline ?? Infinity;

function without<T>(places: ReadonlyMap<string, T>, pool: string): ReadonlyMap<string, T> {
  return new Map([...places].filter(([other]) => other !== pool));
}
