// The words of the poker room in the language of the page. Others than English are fetched when somebody wants them.
import { lang, type LanguageCode } from '../../lib/language.svelte';
import { en, type PokerWords } from './i18n/en';
import type { TournamentWords } from './i18n/tournaments.en';

const others: Record<Exclude<LanguageCode, 'en'>, () => Promise<PokerWords>> = {
  da: async () => (await import('./i18n/da')).da,
  fr: async () => (await import('./i18n/fr')).fr,
};

const ofTournaments: Record<LanguageCode, () => Promise<{ tournamentWords: TournamentWords }>> = {
  en: () => import('./i18n/tournaments.en'),
  da: () => import('./i18n/tournaments.da'),
  fr: () => import('./i18n/tournaments.fr'),
};

class Words {
  w = $state.raw<PokerWords>(en);
  #tournaments = $state.raw<TournamentWords | null>(null);

  /** The words of tournaments, once `withTournaments` has fetched them. */
  get t(): TournamentWords {
    if (this.#tournaments === null) throw new Error('The words of tournaments are not here yet.');
    return this.#tournaments;
  }

  /** What is fetched once it is wanted, together with the words of tournaments. */
  async withTournaments<M>(found: Promise<M>): Promise<M> {
    this.#tournaments ??= (await ofTournaments[lang.code]()).tournamentWords;
    return found;
  }

  /** Speaks this language in the room and in everything the pages share. */
  async speak(code: LanguageCode): Promise<void> {
    const words = code === 'en' ? en : await others[code]();
    const tournaments = this.#tournaments && (await ofTournaments[code]()).tournamentWords;
    await lang.speak(code);
    this.w = words;
    this.#tournaments = tournaments;
  }
}

export const words = new Words();
