// Tournaments as this player sees them: rows of the lobby, lines, own entries, followed tournaments, and their news.
import type {
  HexaLine,
  HexaReveal,
  OwnEntry,
  PokerServerEvents,
  PokerLobby,
  PokerClientEvents,
  Refused,
  TournamentNews,
  TournamentRow,
  TournamentView,
} from '../../../lib/protocol';
import type { ServerClock } from '../../../lib/clock';
import type { Refusal } from '../../../lib/i18n/refusals';
import { NoAnswer, type Connection } from '../../../lib/socket.svelte';
import { pokerApi } from '../pokerApi';

type PokerConnection = Connection<PokerServerEvents, PokerClientEvents>;
type Money = { ok: true; available: number };

const isOver = ({ status }: TournamentRow): boolean => status === 'finished' || status === 'cancelled';
/** News of these kinds say how the tournament ended for the player. */
const endings: ReadonlySet<TournamentNews['kind']> = new Set(['eliminated', 'prize', 'ticket', 'finished', 'cancelled']);
/** An own view is asked for at most this often. */
const renewMs = 2_000;

/** How a tournament ended for the player; news of one end come one after another. */
export interface Ending {
  place: number | null;
  /** Prizes in money. */
  won: number;
  hasTicket: boolean;
  isCancelled: boolean;
}

export class OwnTournaments {
  rows = $state.raw<ReadonlyMap<string, TournamentRow>>(new Map());
  lines = $state.raw<ReadonlyMap<string, HexaLine>>(new Map());
  /** Entries that are not over. */
  entries = $state.raw<readonly OwnEntry[]>([]);
  /** Followed tournaments. */
  views = $state.raw<ReadonlyMap<string, TournamentView>>(new Map());
  /** Followed tournaments that the room does not know: they are over, or were never there. */
  gone = $state.raw<ReadonlySet<string>>(new Set());
  endings = $state.raw<ReadonlyMap<string, Ending>>(new Map());
  /** Draws of HexaPro games that wait for their first hand, by table. */
  reveals = $state.raw<ReadonlyMap<string, HexaReveal>>(new Map());
  /** The last news, until the player has seen it. */
  latest = $state.raw<TournamentNews | null>(null);
  readonly #connection: PokerConnection;
  readonly #clock: ServerClock;
  readonly #onMoney: (available: number) => void;
  readonly #followers = new Map<string, number>();
  readonly #renewing = new Set<string>();
  readonly #keys = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #commitments = new Set<string>();

  constructor(connection: PokerConnection, clock: ServerClock, onMoney: (available: number) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#onMoney = onMoney;
    connection.on('tournament', (view) => this.#onView(view));
    connection.on('tournament_news', (news) => this.#onNews(news));
    connection.on('hexa', (reveal) => this.#onReveal(reveal));
  }

  /** The lobby as it is when the connection opens. */
  take({ tournaments, lines, entries }: PokerLobby): void {
    this.rows = new Map(tournaments.map((row) => [row.tournament_id, row]));
    this.lines = new Map(lines.map((line) => [line.line, line]));
    lines.forEach(({ commitment }) => this.#commitments.add(commitment));
    this.#takeEntries(entries);
    for (const id of this.#followers.keys()) void this.#ask(id);
  }

  /** What has changed in the lobby. */
  change(tournaments: readonly TournamentRow[], lines: readonly HexaLine[]): void {
    if (tournaments.length > 0) {
      const rows = new Map(this.rows);
      for (const row of tournaments) {
        this.#names.set(row.tournament_id, row.name);
        if (isOver(row)) rows.delete(row.tournament_id);
        else rows.set(row.tournament_id, row);
      }
      this.rows = rows;
    }
    if (lines.length > 0) {
      lines.forEach(({ commitment }) => this.#commitments.add(commitment));
      this.lines = new Map([...this.lines, ...lines.map((line): [string, HexaLine] => [line.line, line])]);
    }
  }

  forget(): void {
    this.rows = this.lines = this.views = this.endings = this.reveals = new Map();
    this.entries = [];
    this.latest = null;
  }

  entryOf(id: string): OwnEntry | undefined {
    return this.entries.find(({ tournament_id }) => tournament_id === id);
  }

  nameOf(id: string): string {
    return this.rows.get(id)?.name ?? this.entryOf(id)?.name ?? this.#names.get(id) ?? '';
  }

  /** Whether this page had the fingerprint of the draw before the draw was revealed. */
  isWitnessed({ commitment }: HexaReveal): boolean {
    return this.#commitments.has(commitment);
  }

  /** From now on the tournament's changes are told; what it returns ends that. */
  follow(id: string): () => void {
    const count = this.#followers.get(id) ?? 0;
    this.#followers.set(id, count + 1);
    if (count === 0) void this.#ask(id);
    return () => {
      const left = (this.#followers.get(id) ?? 1) - 1;
      if (left > 0) this.#followers.set(id, left);
      else {
        this.#followers.delete(id);
        void this.#connection.ask('unfollow', { tournament_id: id }).catch(() => undefined);
      }
    };
  }

  /** Asks for the own part of a followed tournament, which changes are told without. */
  renew(id: string): void {
    if (!this.#followers.has(id) || this.#renewing.has(id)) return;
    this.#renewing.add(id);
    setTimeout(() => {
      this.#renewing.delete(id);
      if (this.#followers.has(id)) void this.#ask(id);
    }, renewMs);
  }

  async readEntries(): Promise<void> {
    this.#takeEntries((await pokerApi.entries().catch(() => ({ entries: this.entries }))).entries);
  }

  dismissReveal(tableId: string): void {
    this.reveals = new Map([...this.reveals].filter(([id]) => id !== tableId));
  }

  // Wishes of the player; each returns why it was refused

  async register(id: string, ticketId: string | null, amount: number): Promise<Refusal | null> {
    const pay = ticketId === null ? 'money' : 'ticket';
    const refusal = await this.#pay(`register ${id} ${ticketId} ${amount}`, (key) =>
      this.#connection.ask('register', { tournament_id: id, pay, ticket_id: ticketId, amount, key }),
    );
    await this.#entered(id, refusal);
    return refusal;
  }

  async reEnter(id: string): Promise<Refusal | null> {
    const refusal = await this.#pay(`re_enter ${id} ${this.entryOf(id)?.entry_id}`, (key) => this.#connection.ask('re_enter', { tournament_id: id, key }));
    await this.#entered(id, refusal);
    return refusal;
  }

  async unregister(entry: OwnEntry): Promise<Refusal | null> {
    const { entry_id } = entry;
    const refusal =
      entry.line === null
        ? await this.#pay(`unregister ${entry_id}`, (key) => this.#connection.ask('unregister', { entry_id, key }))
        : await this.#pay(`hexa_cancel ${entry_id}`, (key) => this.#connection.ask('hexa_cancel', { entry_id, key }));
    await this.readEntries();
    if (entry.tournament_id !== null) void this.#ask(entry.tournament_id);
    return refusal;
  }

  async buyChips(event: 'rebuy' | 'add_on', id: string): Promise<Refusal | null> {
    const refusal = await this.#pay(`${event} ${id}`, (key) => this.#connection.ask(event, { tournament_id: id, key }));
    await this.#entered(id, refusal);
    return refusal;
  }

  /** No rebuy: the place is final. */
  async decline(id: string): Promise<void> {
    await this.#connection.ask('decline', { tournament_id: id }).catch(() => undefined);
    await this.#ask(id);
  }

  async registerHexa(product: string, buyIn: number, games: number): Promise<Refusal | null> {
    const refusal = await this.#pay(`hexa_register ${product} ${buyIn} ${games}`, (key) =>
      this.#connection.ask('hexa_register', { product, buy_in: buyIn, games, key }),
    );
    await this.readEntries();
    return refusal;
  }

  /** A question without an answer is asked again with the same key, so that nothing is paid for twice. */
  async #pay(what: string, question: (key: string) => Promise<Money | Refused>): Promise<Refusal | null> {
    const key = this.#keys.get(what) ?? crypto.randomUUID();
    this.#keys.set(what, key);
    try {
      const answer = await question(key);
      this.#keys.delete(what);
      if (!answer.ok) return answer.error;
      this.#onMoney(answer.available);
      return null;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { code: 'unreachable', message: 'There was no answer.' };
    }
  }

  async #entered(id: string, refusal: Refusal | null): Promise<void> {
    if (refusal === null) {
      this.endings = new Map([...this.endings].filter(([other]) => other !== id));
      await Promise.all([this.readEntries(), this.#ask(id)]);
    }
  }

  async #ask(id: string): Promise<void> {
    if (!this.#followers.has(id)) return;
    const answer = await this.#connection.ask('follow', { tournament_id: id }).catch(() => null);
    if (answer?.ok) this.#onView(answer, true);
    else if (answer?.error.code === 'not_found') this.gone = new Set(this.gone).add(id);
  }

  #takeEntries(entries: readonly OwnEntry[]): void {
    for (const { tournament_id, name } of entries) if (tournament_id !== null) this.#names.set(tournament_id, name);
    this.entries = entries;
  }

  #onView(view: TournamentView, isOwn = false): void {
    const id = view.tournament.tournament_id;
    this.#clock.sync(view.server_time);
    this.#names.set(id, view.tournament.name);
    const own = isOwn ? view.own : (this.views.get(id)?.own ?? null);
    this.views = new Map(this.views).set(id, { ...view, own });
    const others = this.entries.filter((entry) => entry.tournament_id !== id);
    if (isOver(view.tournament)) this.entries = others;
    else if (isOwn && own !== null) this.entries = [...others, own];
  }

  #onNews(news: TournamentNews): void {
    const { tournament_id: id, kind } = news;
    // The end of a tournament says less than the own place in it.
    if (kind !== 'finished' || this.latest?.tournament_id !== id) this.latest = news;
    if (endings.has(kind)) {
      const known = this.endings.get(id) ?? { place: null, won: 0, hasTicket: false, isCancelled: false };
      this.endings = new Map(this.endings).set(id, {
        place: news.place ?? known.place,
        won: known.won + (kind === 'prize' || kind === 'cancelled' ? (news.amount ?? 0) : 0),
        hasTicket: known.hasTicket || kind === 'ticket',
        isCancelled: known.isCancelled || kind === 'cancelled',
      });
    }
    void this.readEntries();
    void this.#ask(id);
  }

  #onReveal(reveal: HexaReveal): void {
    this.reveals = new Map(this.reveals).set(reveal.table_id, reveal);
    void this.readEntries();
  }
}
