// Browser BACK button: it closes an open panel, then leaves the tables for the lobby, and only then the site. Every
// level above the lobby has an entry in the browser's history.

interface Entry {
  level: number;
}

export class BackButton {
  /** Steps back that the page itself has asked for and that have not arrived yet. */
  #ownSteps = 0;

  constructor(
    /** How many levels are open: tables and, over them, a panel. */
    private readonly levels: () => number,
    /** Closes the uppermost level, or asks first and leaves it open. */
    private readonly onback: () => void,
    /** Goes to an address typed or followed within the page: its entry has no level yet. */
    private readonly ontyped: () => void,
  ) {
    if (entry() === null) history.replaceState({ level: 0 } satisfies Entry, '');
    addEventListener('popstate', () => this.#popped());
  }

  /** Adds or removes entries until there are as many as levels. */
  follow(): void {
    if (this.#ownSteps > 0) return;
    const [levels, entries] = [this.levels(), entry()?.level ?? 0];
    for (let level = entries + 1; level <= levels; level++) history.pushState({ level } satisfies Entry, '');
    if (entries <= levels) return;
    this.#ownSteps += 1;
    history.go(levels - entries);
  }

  #popped(): void {
    const at = entry();
    if (this.#ownSteps > 0) this.#ownSteps -= 1;
    else if (at === null) this.ontyped();
    else if (at.level < this.levels()) this.onback();
    this.follow();
  }
}

const entry = (): Entry | null => history.state as Entry | null;
