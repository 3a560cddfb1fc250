// Side panels. Each is loaded when it is opened for the first time, so that the table comes first.
import type { Component } from 'svelte';
import { lang } from '../../lib/language.svelte';
import type { Words } from '../../lib/i18n/en';
import type { PlayerSession } from './playerSession.svelte';

const contents = {
  results: () => import('./panels/Results.svelte'),
  history: () => import('./panels/History.svelte'),
  tip: () => import('./panels/Tip.svelte'),
  cashier: () => import('../../components/panels/Cashier.svelte'),
  limits: () => import('../../components/panels/Limits.svelte'),
  help: () => import('./panels/Help.svelte'),
  settings: () => import('./panels/Settings.svelte'),
  account: () => import('../../components/panels/Account.svelte'),
} satisfies Record<string, () => Promise<{ default: Component<PanelProps> }>>;

type SlidingPanel = keyof typeof contents;
export type PanelName = SlidingPanel | 'lobby' | 'add' | 'chat';

export interface PanelProps {
  session: PlayerSession;
  onclose: () => void;
  onopen: (panel: PanelName) => void;
}

export const titles: Record<SlidingPanel, (words: Words) => string> = {
  results: (words) => words.bar.results,
  history: (words) => words.bar.history,
  tip: (words) => words.bar.tip,
  cashier: (words) => words.bar.cashier,
  limits: (words) => words.bar.limits,
  help: (words) => words.help.title,
  settings: (words) => words.bar.settings,
  account: (words) => words.settings.account,
};

/** The trainer appears after a round if it is switched on; its texts are those of the panels. */
export const trainer = () => lang.withPanels(import('./Trainer.svelte'));

/** What else is fetched once it is wanted, with the words of the panels. */
export const fetchedChat = () => lang.withPanels(import('./Chat.svelte'));
export const fetchedReality = () => lang.withPanels(import('../../components/panels/Reality.svelte'));
export const fetchedLeaveQuestion = () => lang.withPanels(import('./LeaveQuestion.svelte'));
export const fetchedToast = () => lang.withPanels(import('./ResultToast.svelte'));

/** A panel together with what slides and with its words. */
export async function fetched(name: SlidingPanel) {
  const [side, panel] = await Promise.all([
    import('../../components/SidePanel.svelte'),
    contents[name](),
    lang.readPanels(),
  ]);
  return [side.default, panel.default as Component<PanelProps>] as const;
}
