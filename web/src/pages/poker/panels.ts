// The panels that slide over the poker tables. Each is fetched when it is opened for the first time.
import type { Component } from 'svelte';
import type { AccountPanelProps } from '../../components/panels/ownAccount';
import { lang } from '../../lib/language.svelte';

const contents = {
  cashier: () => import('../../components/panels/Cashier.svelte'),
  limits: () => import('../../components/panels/Limits.svelte'),
  account: () => import('../../components/panels/Account.svelte'),
  settings: () => import('./panels/Settings.svelte'),
} satisfies Record<string, () => Promise<{ default: Component<AccountPanelProps> | Component }>>;

export type PanelName = keyof typeof contents;
export const panelNames = Object.keys(contents) as PanelName[];

/** A panel with the sentences it says. */
export const fetched = async (name: PanelName): Promise<Component<AccountPanelProps>> =>
  (await lang.withPanels(contents[name]() as Promise<{ default: Component<AccountPanelProps> }>));

export const fetchedReality = () => lang.withPanels(import('../../components/panels/Reality.svelte'));
