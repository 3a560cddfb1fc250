// Why each spot ended as it did, in words. The amounts and outcomes are the server's; this only names the rule.
import type { TableDetails } from '../../lib/api';
import type { Category, RoundResult } from '../../lib/protocol';
import type { Words } from '../../lib/words/en';
import type { SpotName } from './spots';

interface Ended {
  result: RoundResult;
  category: Category | null;
  qualifies: boolean | null;
}

/** Paytables go from the best hand down: the last that pays more than its stake back is the least paid one. */
function leastPaid(table: Record<string, string> | undefined): Category | null {
  const paid = Object.entries(table ?? {}).filter(([, odds]) => odds !== 'lose' && odds !== 'push');
  return (paid.at(-1)?.[0] as Category | undefined) ?? null;
}

export function whyOf(spot: SpotName, { result, category, qualifies }: Ended, table: TableDetails | null, words: Words): string {
  const { outcome } = result.spots[spot];
  const { whys } = words.outcome;
  const named = (name: Category | null) => (name ? words.categories[name] : '');
  const odds = (which: 'blind' | 'trips') => (category && table?.paytables[which][category]) || '1:1';
  if (outcome === 'none') return '';
  if (spot === 'trips') {
    return outcome === 'win'
      ? whys.pays(named(category), odds('trips'))
      : whys.tripsLose(named(leastPaid(table?.paytables.trips)).toLowerCase());
  }
  if (result.result === 'fold') return whys.folded;
  if (result.result === 'tie') return whys.tie;
  if (spot === 'ante' && qualifies === false) return whys.noQualify;
  if (result.result === 'lose') return whys.beaten;
  if (spot !== 'blind') return whys.beats;
  return outcome === 'win'
    ? whys.pays(named(category), odds('blind'))
    : whys.blindPush(named(leastPaid(table?.paytables.blind)).toLowerCase());
}
