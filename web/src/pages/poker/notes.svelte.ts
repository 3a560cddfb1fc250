// Notes about other players. They stay in this browser, apart for each account: the service never receives them.

export const noteColours = ['#b9bab4', '#7be0aa', '#ffcb66', '#ff9a86', '#8fb8ff'] as const;

export interface Note {
  text: string;
  /** A place in `noteColours`. */
  colour: number;
}

const noteMax = 500;

class Notes {
  #account = $state<string | null>(null);
  #notes = $state.raw<Readonly<Record<string, Note>>>({});

  /** The notes of this account; of none, once nobody is signed in. */
  open(account: string | null): void {
    if (account === this.#account) return;
    this.#account = account;
    this.#notes = {};
    if (account === null) return;
    try {
      const found: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '{}');
      if (typeof found === 'object' && found !== null) this.#notes = found as Record<string, Note>;
    } catch {
      // What cannot be read is forgotten.
    }
  }

  of(name: string): Note | null {
    return this.#notes[name] ?? null;
  }

  /** Without a text the note is deleted. */
  write(name: string, { text, colour }: Note): void {
    const { [name]: _old, ...others } = this.#notes;
    this.#notes = text.trim() === '' ? others : { ...others, [name]: { text: text.trim().slice(0, noteMax), colour } };
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#notes));
    } catch {
      // A browser that keeps nothing forgets them with the page.
    }
  }

  get #key(): string {
    return `casino.poker.notes.${this.#account}`;
  }
}

export const notes = new Notes();
