// Session of one player: identity, money, and the tables they sit at, over one connection.
import { api, type Me, type PlayedRound, type Responsible } from '../../lib/api';
import { ServerClock, steadyNow } from '../../lib/clock';
import type { Refusal } from '../../lib/i18n/refusals';
import { Connection } from '../../lib/socket.svelte';
import type { LobbyTable, RealityCheck, TableServerEvents, TableClientEvents } from '../../lib/protocol';
import { change, forgetStored, applyStored, preferences, readStored } from '../../lib/preferences.svelte';
import type { Halt } from '../../lib/ownLimits';
import type { TableContext, TableEvent } from './tableContext';
import { Table } from './table.svelte';

/** asking: the session is being looked up; nobody: not signed in; staff: signed in, but not as a player. */
export type Presence = 'asking' | 'nobody' | 'player' | 'staff' | 'unreachable';

/** How a round ended at one of the player's tables. */
export type HiddenResult = Pick<PlayedRound, 'table_id' | 'game_number' | 'status' | 'staked' | 'returned'>;

/** What waits for the player's word: leaving these hands, which are still in play. */
export interface Leaving {
  hands: readonly Table[];
  go: () => void;
}

const remembering = 'casino.tables';
/** What a timer can wait for at most. */
const longestMs = 2 ** 31 - 1;

/** Within this time of a reading, which is longer than a settlement is revealed, a result may be in it already. */
const nearReadingMs = 5_000;

/** The tables of this window before it was reloaded, the one in the address last; else that one: `/#uth-1`. */
function rememberedTables(): string[] {
  const known: unknown = JSON.parse(sessionStorage.getItem(remembering) ?? '[]');
  const named = location.hash.slice(1).split('/')[0] ?? '';
  const others = Array.isArray(known) ? known.map(String).filter((id) => id !== named) : [];
  return [...others, named];
}

export class PlayerSession {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  balance = $state(0);
  available = $state(0);
  /** How often the socket has said something about money. */
  #heard = 0;
  lobby = $state.raw<readonly LobbyTable[]>([]);
  tables = $state.raw<readonly Table[]>([]);
  activeId = $state<string | null>(null);
  /** The table of an address that does not exist, until the lobby has said so. */
  unknown = $state<string | null>(null);
  /** Since when this session lasts, and what it has brought so far: every round, whatever device it was played on. */
  since = $state(steadyNow());
  net = $state(0);
  /** A reality check that waits for an answer: until then the server accepts no bet. */
  reality = $state.raw<RealityCheck | null>(null);
  leaving = $state.raw<Leaving | null>(null);
  /** The last result, until it is read. */
  hiddenResult = $state.raw<HiddenResult | null>(null);
  /** The round that the history opens with. */
  replayed = $state<string | null>(null);
  /** Why no bet is taken at the moment, by the player's own limits. */
  halt = $state.raw<Halt | null>(null);
  readonly clock = new ServerClock();
  readonly connection: Connection<TableServerEvents, TableClientEvents>;
  #withheld = $state(0);
  #sitsAtOnce = false;
  /** When the service last told the session's result; infinite while it is being asked. */
  #readAt = Infinity;
  #readings = 0;
  #isLimited = false;
  #onEvent: (table: Table, event: TableEvent) => void = () => undefined;

  constructor() {
    this.connection = new Connection<TableServerEvents, TableClientEvents>(
      '/table',
      () => this.#opened(),
      (refusal) => this.#refused(refusal?.code ?? null),
    );
    const table = (id: string) => this.tables.find((one) => one.id === id);
    this.connection.on('round', (round) => table(round.table_id)?.onRound(round));
    this.connection.on('seat', (seat) => table(seat.table_id)?.onSeat(seat));
    this.connection.on('chat', (line) => table(line.table_id)?.onChat(line));
    this.connection.on('notice', (notice) => table(notice.table_id)?.onNotice(notice));
    this.connection.on('table', (info) => table(info.table_id)?.onInfo(info));
    this.connection.on('moved', ({ table_id }) => table(table_id)?.onMoved());
    this.connection.on('result', (result) => {
      const here = table(result.table_id);
      if (here?.joinState === 'here') here.onResult(result);
      else void this.readSession(); // played on another device
    });
    this.connection.on('lobby', ({ tables }) => {
      const changed = new Map(tables.map((one) => [one.id, one]));
      this.lobby = this.lobby.map((one) => changed.get(one.id) ?? one);
    });
    this.connection.on('settings', applyStored);
    this.connection.on('reality_check', (check) => (this.reality = check));
    this.connection.on('balance', (money) => this.#hear(money));
  }

  /** Receives the events of a table: for sounds and screen readers. */
  onEvent(listener: (table: Table, event: TableEvent) => void): void {
    this.#onEvent = listener;
  }

  get active(): Table | null {
    return this.tables.find((table) => table.id === this.activeId) ?? null;
  }

  get currency(): string | null {
    return this.me?.currency ?? null;
  }

  /** The available amount, without pending bets and results that are not shown yet. */
  get shownMoney(): number {
    const pending = this.tables.reduce((sum, table) => sum + this.available - table.composer.left, 0);
    return this.available - pending - this.#withheld;
  }

  /** The table whose decision expires next. */
  get urgent(): Table | null {
    const asked = this.tables.filter((table) => table.mustDecide && table.deciding === null);
    return asked.reduce<Table | null>(
      (first, table) => ((table.round?.deadline ?? 0) < (first?.round?.deadline ?? Infinity) ? table : first),
      null,
    );
  }

  // Coming in and going out

  /** The socket knows whether the visitor is signed in; an HTTP request would log an error in the browser. */
  start(): void {
    this.presence = 'asking';
    this.connection.close();
    this.connection.open();
  }

  /** A guest sits down at once: there is nothing to choose before the first table. */
  async enter(how: () => Promise<unknown>, isGuest: boolean): Promise<void> {
    await how();
    this.#sitsAtOnce = isGuest;
    this.start();
  }

  async signOut(): Promise<void> {
    if (!this.#asksFirst(this.tables, () => void this.#signOut())) await this.#signOut();
  }

  async #signOut(): Promise<void> {
    await api.signOut().catch(() => undefined);
    history.replaceState(null, '', location.pathname); // the next user chooses a table
    this.forgetEverything();
  }

  forgetEverything(): void {
    this.tables.forEach((table) => table.close());
    this.connection.close();
    this.tables = [];
    this.leaving = this.hiddenResult = null;
    this.#remember();
    this.me = this.activeId = null;
    this.net = this.#withheld = 0;
    this.reality = this.halt = null;
    forgetStored();
    this.presence = 'nobody';
  }

  /** Subscribes to every change of a table. */
  async #followLobby(): Promise<void> {
    const answer = await this.connection.ask('lobby', {});
    if (answer.ok) this.lobby = answer.tables;
  }

  async tip(table: Table, amount: number, key: string): Promise<Refusal | null> {
    try {
      const answer = await this.connection.ask('tip', { table_id: table.id, amount, key });
      if (answer.ok) this.#hear(answer);
      return answer.ok ? null : answer.error;
    } catch {
      return { code: 'unreachable', message: '' }; // the same key again gives it once
    }
  }

  /** The server keeps the clock of a session, so that a reload does not reset it. Without an answer nothing changes. */
  async readSession(): Promise<void> {
    this.#readAt = Infinity;
    const reading = ++this.#readings;
    const own = await api.responsible().catch(() => null);
    if (own === null || reading !== this.#readings) return;
    this.#readAt = steadyNow();
    const { now, session, reality_check } = own;
    this.heed(own);
    this.since = steadyNow() - (session?.elapsed ?? 0);
    this.net = session?.net ?? 0;
    if (reality_check.due) {
      const nothing = { since: now, elapsed: 0, staked: 0, returned: 0, net: 0 };
      this.reality = session ?? nothing;
    }
  }

  /** What the player's own limits leave; asked for again when they next change by themselves. */
  heed(own: Responsible): void {
    this.#isLimited = own.limits.some(({ amount }) => amount !== null);
    void import('../../lib/ownLimits').then(({ haltOf }) => {
      this.halt = haltOf(own);
      const until = this.halt?.params.until;
      if (until) setTimeout(() => void this.readSession(), Math.min(until - own.now + 1_000, longestMs));
    });
  }

  async seenReality(): Promise<void> {
    await api.realitySeen();
    this.reality = null;
  }

  /** Takes over what the socket says about money. */
  #hear({ balance = this.balance, available }: { balance?: number; available: number }): void {
    this.balance = balance;
    this.available = available;
    this.#heard++;
  }

  /** Reads the account, again if the socket has said something meanwhile: nobody knows which of them is newer. */
  async #readMoney(): Promise<Me> {
    const heard = this.#heard;
    const me = await api.me();
    if (heard !== this.#heard) return this.#readMoney();
    this.balance = me.balance ?? 0;
    this.available = me.available ?? 0;
    return me;
  }

  async #welcome(): Promise<void> {
    const me = await this.#readMoney();
    this.me = me;
    if (me.balance === null || me.available === null) {
      this.presence = 'staff';
      return;
    }
    if (this.presence === 'player') return void (await Promise.all([this.#followLobby(), this.readSession()]));
    this.since = steadyNow();
    await Promise.all([this.#followLobby(), readStored(), this.readSession()].map((one) => one.catch(() => undefined)));
    const remembered = rememberedTables();
    for (const id of remembered) if (this.isInLobby(id)) void this.sit(id, true);
    const named = remembered.at(-1);
    if (named && this.lobby.length > 0 && !this.isInLobby(named)) this.unknown = named;
    const first = this.lobby.find((table) => table.status === 'open' && table.hands === 'shared') ?? this.lobby[0];
    if (this.#sitsAtOnce && this.tables.length === 0 && !named && first) void this.sit(first.id, true);
    this.#sitsAtOnce = false;
    this.presence = 'player';
  }

  // Tables

  isInLobby(id: string): boolean {
    return this.lobby.some((table) => table.id === id);
  }

  /** Sits down at a further table, or at this one instead of the active one. */
  async sit(id: string, beside: boolean): Promise<void> {
    const known = this.tables.find((table) => table.id === id);
    if (known) {
      this.activeId = id;
      return;
    }
    const leaving = beside ? null : this.active;
    if (leaving && this.#asksFirst([leaving], () => void this.#sit(id, leaving))) return;
    await this.#sit(id, leaving);
  }

  async #sit(id: string, leaving: Table | null): Promise<void> {
    const table = new Table(id, this.#contextOf(id));
    this.tables = leaving
      ? this.tables.map((one) => (one === leaving ? table : one))
      : [...this.tables, table];
    this.activeId = id;
    if (leaving) {
      this.#leave(leaving);
      if (preferences.sound.muted) change({ sound: { ...preferences.sound, muted: false } }); // the sound follows the table
    }
    this.#remember();
    if (this.connection.state === 'open') await table.join();
  }

  /** Leaves these tables; first the player is asked about hands still in play. */
  leave(...tables: readonly Table[]): void {
    const go = () => {
      this.tables = this.tables.filter((one) => !tables.includes(one));
      if (!this.active) this.activeId = this.tables[0]?.id ?? null;
      this.#remember();
      tables.forEach((table) => this.#leave(table));
    };
    if (!this.#asksFirst(tables, go)) go();
  }

  #asksFirst(tables: readonly Table[], go: () => void): boolean {
    const hands = tables.filter((table) => table.isInHand);
    if (hands.length > 0) this.leaving = { hands, go };
    return hands.length > 0;
  }

  /** Keeps the tables, so that a reload returns to them. */
  #remember(): void {
    sessionStorage.setItem(remembering, JSON.stringify(this.tables.map(({ id }) => id)));
  }

  #leave(table: Table): void {
    if (table.isInHand) void this.#tellWhenOver(table).catch(() => undefined);
    table.close();
    // Open bets were returned, and a table sends nothing after leaving. A disconnected player has left already.
    void this.connection.ask('leave', { table_id: table.id }).then(() => this.#readMoney()).catch(() => undefined);
  }

  #opened(): void {
    for (const table of this.tables) {
      if (table.joinState !== 'moved') void table.join();
    }
    void this.#welcome().catch(() => undefined);
  }

  /** Refused, or without a reply. */
  #refused(code: string | null): void {
    if (code === 'not_authenticated') this.forgetEverything();
    else if (code === 'forbidden') {
      this.presence = 'staff';
      void api.me().then((me) => (this.me = me)).catch(() => undefined); // so that they find their desk
    }
    else if (this.presence === 'asking') this.presence = 'unreachable';
  }

  #contextOf(id: string): TableContext {
    return {
      clock: this.clock,
      available: () => this.available,
      player: () => this.me?.id ?? '',
      ask: {
        join: async (message) => {
          const answer = await this.connection.ask('join', message);
          if (answer.ok) this.#hear(answer);
          return answer;
        },
        bet: async (message) => {
          const answer = await this.connection.ask('bet', message);
          if (answer.ok) this.#hear(answer);
          return answer;
        },
        decide: async (message) => {
          const answer = await this.connection.ask('decide', message);
          if (answer.ok) this.#hear(answer);
          return answer;
        },
        chat: (message) => this.connection.ask('chat', message),
      },
      withhold: (minor) => (this.#withheld += minor),
      announce: (event) => {
        const table = this.tables.find((one) => one.id === id);
        if (!table) return;
        if (event === 'corrected') void this.readSession();
        if (event === 'result' || event === 'cancelled') this.#tellResult(table);
        this.#onEvent(table, event);
      },
    };
  }

  #tellResult({ id, result, round }: Table): void {
    if (!result) return;
    const isCertain = steadyNow() - this.#readAt > nearReadingMs;
    if (isCertain && !this.#isLimited) this.net += result.returned - result.staked;
    else void this.readSession();
    this.hiddenResult = { ...result, game_number: round?.game_number ?? '', table_id: id };
  }

  /** The player is somewhere else when this hand ends. */
  async #tellWhenOver({ id, round }: Table): Promise<void> {
    const { absentResult } = await import('./absentResult');
    const isBack = () => this.presence !== 'player' || this.tables.some((table) => table.id === id);
    const game = await absentResult(round?.round_id ?? '', isBack);
    if (game === null) return;
    this.hiddenResult = game;
    await Promise.all([this.#readMoney(), this.readSession()]);
  }
}
