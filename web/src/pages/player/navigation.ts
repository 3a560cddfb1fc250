// Navigation: the browser's BACK button, and the address, which follows the player. BACK closes an open panel, then
// leaves the tables for the lobby, and only then the site. Every level above the lobby has an entry in the browser's
// history.
import { read, write } from './address';
import type { PanelName } from './panels';
import type { PlayerSession } from './playerSession.svelte';

interface Entry {
  level: number;
}

/** Where the chat would cover the table it starts closed. The same as in `Chat.svelte`. */
const chatIsDocked = '(max-width: 1199px), (max-height: 639px)';

export class Navigation {
  /** Steps back that the page itself has asked for and that have not arrived yet. */
  #ownSteps = 0;
  /** The unknown table of an address for which the lobby was opened. */
  #unknown: string | null = null;

  constructor(
    private readonly session: PlayerSession,
    private readonly panel: () => PanelName | null,
    private readonly show: (panel: PanelName | null) => void,
    arrivedAt: string,
  ) {
    const { panel: named, round } = read(arrivedAt);
    if (named && !(named === 'chat' && matchMedia(chatIsDocked).matches)) show(named);
    session.replayed = round;
    if (entry() === null) history.replaceState({ level: 0 } satisfies Entry, '');
    addEventListener('popstate', () => this.#popped());
  }

  /** Called after every change of what is shown: brings entries, address and lobby in line with it. */
  follow(): void {
    const { tables, unknown } = this.session;
    const levels = this.#levels;
    if (this.#ownSteps === 0) this.#addEntries(levels);
    write(this.session.activeId, this.panel(), this.session.replayed);
    if (unknown === this.#unknown) return;
    this.#unknown = unknown;
    if (unknown !== null && tables.length > 0) this.show('lobby');
  }

  /** How many levels are open: tables and, over them, a panel. */
  get #levels(): number {
    return Number(this.session.tables.length > 0) + Number(this.panel() !== null);
  }

  /** Adds or removes entries until there are as many as levels. */
  #addEntries(levels: number): void {
    const entries = entry()?.level ?? 0;
    for (let level = entries + 1; level <= levels; level++) history.pushState({ level } satisfies Entry, '');
    if (entries <= levels) return;
    this.#ownSteps += 1;
    history.go(levels - entries);
  }

  #popped(): void {
    const at = entry();
    const isOwn = this.#ownSteps > 0;
    if (isOwn) this.#ownSteps -= 1;
    if (this.session.presence !== 'player') return; // the address counts once the player has come in
    if (at === null) this.#typed();
    else if (!isOwn && at.level < this.#levels) this.#back();
    this.follow();
  }

  /** Closes the uppermost level, or asks first and leaves it open. */
  #back(): void {
    if (this.panel() !== null) this.show(null);
    else this.session.leave(...this.session.tables);
  }

  /** Goes to an address typed or followed within the page: its entry has no level yet. */
  #typed(): void {
    const { table, panel, round } = read(location.hash);
    if (table && !this.session.isInLobby(table)) this.session.unknown = table;
    else if (table) void this.session.sit(table, false);
    this.show(panel);
    this.session.replayed = round;
  }
}

const entry = (): Entry | null => history.state as Entry | null;
