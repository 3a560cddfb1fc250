// The panels that slide over the felt. Each is fetched when it is opened for the first time: the table comes first.
import type { Component } from 'svelte';
import type { Words } from '../../lib/words/en';
import type { Visit } from './visit.svelte';

export type PanelName = 'lobby' | 'add' | 'chat' | 'results' | 'history' | 'tip' | 'cashier' | 'limits' | 'help' | 'settings';
export type PanelProps = { visit: Visit; onclose: () => void };

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
  help: () => import('./panels/Help.svelte'),
  settings: () => import('./panels/Settings.svelte'),
};
