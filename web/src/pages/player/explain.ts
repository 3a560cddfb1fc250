// Reason of each spot's outcome in words. Amounts and outcomes are the server's; this only names the rule.
import type { TableDetails } from '../../lib/api';
import type { Category, RoundResult } from '../../lib/protocol';
import type { Words } from '../../lib/i18n/en';
import { withArticle } from '../../lib/i18n/hands';
import type { SpotName } from './spots';

export interface Ended {
  result: RoundResult;
  category: Category | null;
  qualifies: boolean | null;
  /** Whether the hand was folded because time ran out. */
  isAutoFolded: boolean;
}

/** Paytables go from the best hand down: the last that pays more than its stake back is the least paid one. */
function leastPaid(table: Record<string, string> | undefined): Category | null {
  const paid = Object.entries(table ?? {}).filter(([, odds]) => odds !== 'lose' && odds !== 'push');
  return (paid.at(-1)?.[0] as Category | undefined) ?? null;
}

export function whyOf(spot: SpotName, { result, category, qualifies, isAutoFolded }: Ended, table: TableDetails | null, words: Words): string {
  const { outcome } = result.spots[spot];
  const { whys } = words.outcome;
  const named = (name: Category | null) => (name ? words.categories[name] : '');
  const least = (which: 'blind' | 'trips') => {
    const name = leastPaid(table?.paytables[which]);
    return name ? withArticle(name, words.categories[name].toLowerCase(), words.hands) : '';
  };
  const odds = (which: 'blind' | 'trips') => (category && table?.paytables[which][category]) || '1:1';
  if (outcome === 'none') return '';
  if (spot === 'trips') {
    return outcome === 'win'
      ? whys.pays(named(category), odds('trips'))
      : whys.tripsLose(least('trips'));
  }
  if (result.result === 'fold') return isAutoFolded ? words.decide.autoFoldedMore : words.decided.fold;
  if (result.result === 'tie') return whys.tie;
  if (spot === 'ante' && qualifies === false) return whys.noQualify;
  if (result.result === 'lose') return whys.beaten;
  if (spot !== 'blind') return whys.beats;
  return outcome === 'win'
    ? whys.pays(named(category), odds('blind'))
    : whys.blindPush(least('blind'));
}
