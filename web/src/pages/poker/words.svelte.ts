// The words of the poker room in the language of the page. Others than English are fetched when somebody wants them.
import { lang, type LanguageCode } from '../../lib/language.svelte';
import { en, type PokerWords } from './i18n/en';

const others: Record<Exclude<LanguageCode, 'en'>, () => Promise<PokerWords>> = {
  da: async () => (await import('./i18n/da')).da,
  fr: async () => (await import('./i18n/fr')).fr,
};

class Words {
  w = $state.raw<PokerWords>(en);

  /** Speaks this language in the room and in everything the pages share. */
  async speak(code: LanguageCode): Promise<void> {
    const words = code === 'en' ? en : await others[code]();
    await lang.speak(code);
    this.w = words;
  }
}

export const words = new Words();
