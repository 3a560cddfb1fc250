// The language of the pages: chosen by the visitor, else by the browser. English is always there; the others are
// fetched when somebody wants them.
import { money, signedMoney } from './money';
import type { Problem } from './protocol';
import { en, type Noticed, type Refusable, type Words } from './words/en';
import type { PanelWords } from './words/panels.en';

/** Limits, chips and bets of a table say no currency: the player's page writes all its amounts the same way. */
const tableDecimals = 2;

export type LanguageCode = 'en' | 'da' | 'fr';
export const languages: Record<LanguageCode, string> = { en: 'English', da: 'Dansk', fr: 'Français' };

const others: Record<Exclude<LanguageCode, 'en'>, () => Promise<Words>> = {
  da: async () => (await import('./words/da')).da,
  fr: async () => (await import('./words/fr')).fr,
};

const ofPanels: Record<LanguageCode, () => Promise<{ default: PanelWords }>> = {
  en: () => import('./words/panels.en'),
  da: () => import('./words/panels.da'),
  fr: () => import('./words/panels.fr'),
};

function isLanguage(code: string): code is LanguageCode {
  return code in languages;
}

/** The first language of the browser that the house speaks. */
export function preferred(wishes: readonly string[]): LanguageCode {
  return wishes.map((wish) => wish.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

class Language {
  code = $state<LanguageCode>('en');
  /** Every sentence of the pages, in the language chosen. */
  w = $state.raw<Words>(en);

  #panels = $state.raw<PanelWords | null>(null);

  /** The sentences of the panels, once `readPanels` has fetched them. */
  get p(): PanelWords {
    if (this.#panels === null) throw new Error('The words of the panels are not here yet.');
    return this.#panels;
  }

  async readPanels(): Promise<void> {
    this.#panels = (await ofPanels[this.code]()).default;
  }

  /** Digits and dates as people write them where this language is spoken. */
  get locale(): string {
    return navigator.languages.find((tag) => tag.startsWith(this.code)) ?? (this.code === 'en' ? 'en-GB' : this.code);
  }

  async speak(code: LanguageCode): Promise<void> {
    if (code === this.code) return;
    const words = code === 'en' ? en : await others[code]();
    const panels = this.#panels && (await ofPanels[code]()).default;
    this.code = code;
    this.w = words;
    this.#panels = panels;
    document.documentElement.lang = code;
  }

  money(minor: number, currency: string | null = null): string {
    return money(minor, this.locale, currency, tableDecimals);
  }

  signed(minor: number, currency: string | null = null): string {
    return signedMoney(minor, this.locale, currency, tableDecimals);
  }

  /** A name and what it stands for. */
  named(name: string, what: string): string {
    return `${name}${this.code === 'fr' ? '\u00a0' : ''}: ${what}`;
  }

  /** Why something was refused. The house's own English sentence says more than a translation of its code. */
  reason(problem: { code: Problem['code'] | string; message: string }): string {
    return this.w.refusals?.[problem.code as Refusable] ?? problem.message;
  }

  /** What the house tells; the detail is the incident, the round or the minutes it speaks of, or who tips whom. */
  notice({ code, text }: { code: string; text: string }): string {
    const tip = /^(.+) tips (.+)\. Thank you!$/.exec(text);
    const detail = tip ? `${tip[1]} → ${tip[2]}` : (/(?:Incident|Round|for) ([\d:-]+)/.exec(text)?.[1] ?? '');
    return this.w.notices?.[code as Noticed]?.(detail) ?? text;
  }
}

export const lang = new Language();
