// One visit of one player: who they are, their money, the tables they sit at, all over one connection.
import { house, type LobbyTable, type Me } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import { Line } from '../../lib/line.svelte';
import type { TableHears, TableSends } from '../../lib/protocol';
import { Table, type Surroundings, type TableEvent } from './table.svelte';

/** asking: who the visitor is; nobody: not signed in; staff: signed in, but not as a player. */
export type Presence = 'asking' | 'nobody' | 'player' | 'staff' | 'unreachable';

export class Visit {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  balance = $state(0);
  available = $state(0);
  lobby = $state.raw<readonly LobbyTable[]>([]);
  tables = $state.raw<readonly Table[]>([]);
  activeId = $state<string | null>(null);
  /** Since when this visit lasts, and what it has brought so far. */
  since = $state(Date.now());
  net = $state(0);
  readonly clock = new ServerClock();
  readonly line: Line<TableHears, TableSends>;
  #withheld = $state(0);
  #onEvent: (table: Table, event: TableEvent) => void = () => undefined;

  constructor() {
    this.line = new Line<TableHears, TableSends>(
      '/table',
      () => this.#opened(),
      (refusal) => this.#refused(refusal?.code ?? null),
    );
    const table = (id: string) => this.tables.find((one) => one.id === id);
    this.line.on('round', (round) => table(round.table_id)?.hearRound(round));
    this.line.on('seat', (seat) => table(seat.table_id)?.hearSeat(seat));
    this.line.on('chat', (line) => table(line.table_id)?.hearChat(line));
    this.line.on('notice', (notice) => table(notice.table_id)?.hearNotice(notice));
    this.line.on('table', (news) => table(news.table_id)?.hearNews(news));
    this.line.on('moved', ({ table_id }) => table(table_id)?.hearMoved());
    this.line.on('result', (result) => {
      this.net += result.returned - result.staked;
      table(result.table_id)?.hearResult(result);
    });
    this.line.on('balance', ({ balance, available }) => {
      this.balance = balance;
      this.available = available;
    });
  }

  /** Hears what a table has to tell: for sounds and for those who listen instead of looking. */
  onEvent(hear: (table: Table, event: TableEvent) => void): void {
    this.#onEvent = hear;
  }

  get active(): Table | null {
    return this.tables.find((table) => table.id === this.activeId) ?? null;
  }

  get currency(): string | null {
    return this.me?.currency ?? null;
  }

  /** What the player can bet with, less what is just being put on the felt or still being told. */
  get shownMoney(): number {
    const pending = this.tables.reduce((sum, table) => sum + this.available - table.composer.left, 0);
    return this.available - pending - this.#withheld;
  }

  /** The table whose decision expires next. */
  get urgent(): Table | null {
    const asked = this.tables.filter((table) => table.isAsked && table.deciding === null);
    return asked.reduce<Table | null>(
      (first, table) => ((table.round?.deadline ?? 0) < (first?.round?.deadline ?? Infinity) ? table : first),
      null,
    );
  }

  // Coming in and going out

  /** The line knows who may come in; asking over HTTP would make the browser complain about a stranger. */
  start(): void {
    this.presence = 'asking';
    this.line.close();
    this.line.open();
    void this.readLobby();
  }

  async enter(how: () => Promise<unknown>): Promise<void> {
    await how();
    this.start();
  }

  async signOut(): Promise<void> {
    await house.signOut().catch(() => undefined);
    this.forgetEverything();
  }

  forgetEverything(): void {
    this.tables.forEach((table) => table.close());
    this.line.close();
    this.tables = [];
    this.me = this.activeId = null;
    this.net = this.#withheld = 0;
    this.presence = 'nobody';
  }

  async readLobby(): Promise<void> {
    // What the lobby said last is better than nothing.
    this.lobby = await house.tables().catch(() => this.lobby);
  }

  async #welcome(): Promise<void> {
    const me = await house.me();
    this.me = me;
    if (me.balance === null || me.available === null) {
      this.presence = 'staff';
      return;
    }
    this.balance = me.balance;
    this.available = me.available;
    if (this.presence !== 'player') this.since = Date.now();
    this.presence = 'player';
  }

  // Tables

  /** Sit down beside the tables already there, or instead of the active one. */
  async sit(id: string, beside: boolean): Promise<void> {
    const known = this.tables.find((table) => table.id === id);
    if (known) {
      this.activeId = id;
      return;
    }
    const table = new Table(id, this.#surroundings(id));
    const leaving = beside ? null : this.active;
    this.tables = leaving
      ? this.tables.map((one) => (one === leaving ? table : one))
      : [...this.tables, table];
    this.activeId = id;
    if (leaving) this.#leave(leaving);
    if (this.line.state === 'open') await table.join();
  }

  leave(table: Table): void {
    this.tables = this.tables.filter((one) => one !== table);
    if (this.activeId === table.id) this.activeId = this.tables[0]?.id ?? null;
    this.#leave(table);
  }

  #leave(table: Table): void {
    table.close();
    // Whoever is not connected has left already.
    void this.line.ask('leave', { table_id: table.id }).catch(() => undefined);
  }

  #opened(): void {
    for (const table of this.tables) {
      if (table.standing !== 'moved') void table.join();
    }
    void this.#welcome().catch(() => undefined);
  }

  /** Not let in, or nobody answers. */
  #refused(code: string | null): void {
    if (code === 'not_authenticated') this.forgetEverything();
    else if (code === 'forbidden') this.presence = 'staff';
    else if (this.presence === 'asking') this.presence = 'unreachable';
  }

  #surroundings(id: string): Surroundings {
    return {
      clock: this.clock,
      available: () => this.available,
      ask: {
        join: (message) => this.line.ask('join', message),
        bet: async (message) => {
          const answer = await this.line.ask('bet', message);
          if (answer.ok) this.available = answer.available;
          return answer;
        },
        decide: async (message) => {
          const answer = await this.line.ask('decide', message);
          if (answer.ok) this.available = answer.available;
          return answer;
        },
        chat: (message) => this.line.ask('chat', message),
      },
      withhold: (minor) => (this.#withheld += minor),
      tell: (event) => {
        const table = this.tables.find((one) => one.id === id);
        if (table) this.#onEvent(table, event);
      },
    };
  }
}
