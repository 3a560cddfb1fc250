// Language of the pages: chosen by the visitor, else by the browser. English is always loaded, the others on demand.
import { money, signedMoney } from './money';
import type { ChatLine, Notice } from './protocol';
import { en, type Words } from './i18n/en';
import type { Narrate } from './i18n/notices';
import type { PanelWords } from './i18n/panels.en';
import type { Explain, Refusal } from './i18n/refusals';

/** Limits, chips and bets of a table say no currency: the player's page writes all its amounts the same way. */
const tableDecimals = 2;

export type LanguageCode = 'en' | 'da' | 'fr';
export const languages: Record<LanguageCode, string> = { en: 'English', da: 'Dansk', fr: 'Français' };

const others: Record<Exclude<LanguageCode, 'en'>, () => Promise<Words>> = {
  da: async () => (await import('./i18n/da')).da,
  fr: async () => (await import('./i18n/fr')).fr,
};

const ofPanels: Record<LanguageCode, () => Promise<{ default: PanelWords }>> = {
  en: () => import('./i18n/panels.en'),
  da: () => import('./i18n/panels.da'),
  fr: () => import('./i18n/panels.fr'),
};

function isLanguage(code: string): code is LanguageCode {
  return code in languages;
}

/** The browser's first language that the pages have. */
export function preferred(preferences: readonly string[]): LanguageCode {
  return preferences.map((preference) => preference.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

class Language {
  code = $state<LanguageCode>('en');
  /** Every sentence of the pages, in the language chosen. */
  w = $state.raw<Words>(en);

  #panels = $state.raw<PanelWords | null>(null);
  /** Until the sentences have arrived, the service's own English one is shown. */
  #explain = $state.raw<Explain>((refusal) => refusal.message);
  #narrate = $state.raw<Narrate>(() => undefined);

  /** The sentences of the panels, once `readPanels` has fetched them. */
  get p(): PanelWords {
    if (this.#panels === null) throw new Error('The words of the panels are not here yet.');
    return this.#panels;
  }

  async readPanels(): Promise<void> {
    this.#panels = (await ofPanels[this.code]()).default;
  }

  /** A component that is fetched once it is wanted, together with the sentences of the panels. */
  async withPanels<M>(found: Promise<{ default: M }>): Promise<M> {
    await this.readPanels();
    return (await found).default;
  }

  /** Fetches the sentences of refusals and notices, which the first view does without. */
  async readRefusals(): Promise<void> {
    const code = this.code;
    const [{ explainIn }, { narrateIn }] = await Promise.all([import('./i18n/refusals'), import('./i18n/notices')]);
    const explain = await explainIn(code);
    if (code === this.code) [this.#explain, this.#narrate] = [explain, narrateIn(code)];
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
    await this.readRefusals();
  }

  money(minor: number, currency: string | null = null): string {
    return money(minor, this.locale, currency, tableDecimals);
  }

  signed(minor: number, currency: string | null = null): string {
    return signedMoney(minor, this.locale, currency, tableDecimals);
  }

  /** A name and its meaning. */
  named(name: string, what: string): string {
    return `${name}${this.code === 'fr' ? '\u00a0' : ''}: ${what}`;
  }

  /** Why something was refused. */
  reason(refusal: Refusal): string {
    return refusal.code === 'unreachable' ? this.w.states.gone : this.#explain(refusal, this.locale);
  }

  /** Text of a notice; for an unknown code, the service's English sentence. */
  notice(sent: Notice | ChatLine): string {
    const amount = sent.amount === undefined ? '' : money(sent.amount, this.locale, sent.currency ?? null);
    return this.#narrate(sent.code ?? '', sent, amount) ?? sent.text;
  }
}

export const lang = new Language();
