// The tournament that is being typed, kept while the manager looks at other screens.
import type { Draft } from './tournamentDraft';

export const drafts = $state<{ tournament: Draft | null }>({ tournament: null });
