// One visit of one player: who they are, their money, the tables they sit at, all over one connection.
import { house, type Me } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import { Line } from '../../lib/line.svelte';
import type { LobbyTable, RealityCheck, Refused, TableHears, TableSends } from '../../lib/protocol';
import { forgetStored, heard, readStored } from './preferences.svelte';
import type { Surroundings, TableEvent } from './surroundings';
import { Table } from './table.svelte';

/** asking: who the visitor is; nobody: not signed in; staff: signed in, but not as a player. */
export type Presence = 'asking' | 'nobody' | 'player' | 'staff' | 'unreachable';

const remembering = 'casino.tables';

/** The tables of this window before it was loaded anew; else the one the address names: `/#uth-1`. */
function rememberedTables(): string[] {
  const known: unknown = JSON.parse(sessionStorage.getItem(remembering) ?? '[]');
  const named = decodeURIComponent(location.hash.slice(1));
  return Array.isArray(known) && known.length > 0 ? known.map(String) : [named];
}

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
  /** A reminder that waits for an answer: until then the house takes no bet. */
  reality = $state.raw<RealityCheck | null>(null);
  readonly clock = new ServerClock();
  readonly line: Line<TableHears, TableSends>;
  #withheld = $state(0);
  #sitsAtOnce = false;
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
      table(result.table_id)?.hearResult(result);
    });
    this.line.on('lobby', ({ tables }) => {
      const changed = new Map(tables.map((one) => [one.id, one]));
      this.lobby = this.lobby.map((one) => changed.get(one.id) ?? one);
    });
    this.line.on('settings', heard);
    this.line.on('reality_check', (check) => (this.reality = check));
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
  }

  /** A guest sits down at once: nobody should have to choose before having seen a table. */
  async enter(how: () => Promise<unknown>, isGuest: boolean): Promise<void> {
    await how();
    this.#sitsAtOnce = isGuest;
    this.start();
  }

  async signOut(): Promise<void> {
    await house.signOut().catch(() => undefined);
    history.replaceState(null, '', location.pathname); // whoever comes next chooses a table anew
    this.forgetEverything();
  }

  forgetEverything(): void {
    this.tables.forEach((table) => table.close());
    this.line.close();
    this.tables = [];
    this.#remember();
    this.me = this.activeId = null;
    this.net = this.#withheld = 0;
    this.reality = null;
    forgetStored();
    this.presence = 'nobody';
  }

  /** From then on every change of a table is heard. */
  async #followLobby(): Promise<void> {
    const answer = await this.line.ask('lobby', {});
    if (answer.ok) this.lobby = answer.tables;
  }

  async tip(table: Table, amount: number, key: string): Promise<Refused['error'] | null> {
    try {
      const answer = await this.line.ask('tip', { table_id: table.id, amount, key });
      if (answer.ok) this.available = answer.available;
      return answer.ok ? null : answer.error;
    } catch {
      return { code: 'internal', message: 'There was no answer. Give it again: it is given once.' };
    }
  }

  /** The house keeps the clock of a session, so that loading the page anew does not set it back. */
  async readSession(): Promise<void> {
    const { now, session, reality_check } = await house.responsible();
    this.since = session ? Date.now() - session.elapsed : Date.now();
    this.net = session?.net ?? 0;
    if (reality_check.due) {
      const nothing = { since: now, elapsed: 0, staked: 0, returned: 0, net: 0 };
      this.reality = session ?? nothing;
    }
  }

  async seenReality(): Promise<void> {
    await house.realitySeen();
    this.reality = null;
  }

  async #readMoney(): Promise<void> {
    const { balance, available } = await house.me();
    this.balance = balance ?? 0;
    this.available = available ?? 0;
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
    if (this.presence === 'player') return void (await Promise.all([this.#followLobby(), this.readSession()]));
    this.since = Date.now();
    await Promise.all([this.#followLobby(), readStored(), this.readSession()].map((one) => one.catch(() => undefined)));
    const remembered = rememberedTables().filter((id) => this.lobby.some((table) => table.id === id));
    for (const id of remembered) void this.sit(id, true);
    const first = this.lobby.find((table) => table.status === 'open' && table.hands === 'shared') ?? this.lobby[0];
    if (this.#sitsAtOnce && remembered.length === 0 && first) void this.sit(first.id, true);
    this.#sitsAtOnce = false;
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
    this.#remember();
    if (this.line.state === 'open') await table.join();
  }

  leave(table: Table): void {
    this.tables = this.tables.filter((one) => one !== table);
    if (this.activeId === table.id) this.activeId = this.tables[0]?.id ?? null;
    this.#remember();
    this.#leave(table);
  }

  /** So that a page that is loaded anew comes back to the same tables. */
  #remember(): void {
    sessionStorage.setItem(remembering, JSON.stringify(this.tables.map(({ id }) => id)));
  }

  #leave(table: Table): void {
    table.close();
    // Open bets came back, and a table one has left does not tell. Whoever is not connected has left already.
    void this.line.ask('leave', { table_id: table.id }).then(() => this.#readMoney()).catch(() => undefined);
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
    else if (code === 'forbidden') {
      this.presence = 'staff';
      void house.me().then((me) => (this.me = me)).catch(() => undefined); // so that they find their desk
    }
    else if (this.presence === 'asking') this.presence = 'unreachable';
  }

  #surroundings(id: string): Surroundings {
    return {
      clock: this.clock,
      available: () => this.available,
      ask: {
        join: async (message) => {
          const answer = await this.line.ask('join', message);
          if (answer.ok) ({ balance: this.balance, available: this.available } = answer);
          return answer;
        },
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
        if (!table) return;
        if (event === 'result' && table.result) this.net += table.result.returned - table.result.staked;
        if (event === 'corrected') void this.readSession().catch(() => undefined);
        this.#onEvent(table, event);
      },
    };
  }
}
