// The panels that slide over the felt. Each is fetched when it is opened for the first time: the table comes first.
import type { Component } from 'svelte';
import { lang } from '../../lib/language.svelte';
import type { Words } from '../../lib/words/en';
import type { Visit } from './visit.svelte';

export type PanelName = 'lobby' | 'add' | 'chat' | 'results' | 'history' | 'tip' | 'cashier' | 'limits' | 'help' | 'settings';
export interface PanelProps {
  visit: Visit;
  onclose: () => void;
  onopen: (panel: PanelName) => void;
}

export const titles: Record<PanelName, (words: Words) => string> = {
  lobby: (words) => words.lobby.title,
  add: (words) => words.lobby.add,
  chat: (words) => words.chat.title,
  results: (words) => words.results.title,
  history: (words) => words.bar.history,
  tip: (words) => words.bar.tip,
  cashier: (words) => words.bar.cashier,
  limits: (words) => words.bar.limits,
  help: (words) => words.help.title,
  settings: (words) => words.settings.title,
};

type Fetched = () => Promise<{ default: Component<PanelProps> }>;

export const contents: Partial<Record<PanelName, Fetched>> = {
  results: () => import('./panels/Results.svelte'),
  history: () => import('./panels/History.svelte'),
  tip: () => import('./panels/Tip.svelte'),
  cashier: () => import('./panels/Cashier.svelte'),
  limits: () => import('./panels/Limits.svelte'),
  help: () => import('./panels/Help.svelte'),
  settings: () => import('./panels/Settings.svelte'),
};

/** A panel together with its words. */
export async function fetched(content: Fetched | undefined): ReturnType<Fetched> {
  const [panel] = await Promise.all([content!(), lang.readPanels()]);
  return panel;
}
