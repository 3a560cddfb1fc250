import { expect, test } from 'vitest';
import type { OwnLimit, Responsible } from './api';
import { haltOf } from './ownLimits';

const limit = (kind: OwnLimit['kind'], amount: number | null, remaining: number | null): OwnLimit => ({
  kind, period: 'day', amount, used: null, remaining, ends_at: 9_000, pending: null,
});
const own = (limits: OwnLimit[], exclusion: Responsible['exclusion'] = null): Responsible => ({
  now: 1, currency: 'EUR', limits, exclusion, reality_check: { minutes: null, due: false }, session: null,
  policy: { operator: '', url: '', help_lines: [] },
});

test.each([
  [own([limit('loss', null, null), limit('session', 60, 1), limit('deposit', 100, 0)]), null],
  [own([limit('session', 60, 0)]), { reason: 'time_limit', minutes: 60, until: 9_000 }],
  [own([limit('loss', 500, 0)]), { reason: 'loss_limit', limit: 500, left: 0, until: 9_000, currency: 'EUR' }],
  [own([], { kind: 'time_out', until: 7 }), { reason: 'break', until: 7 }],
  [own([], { kind: 'self_exclusion', until: 7 }), { reason: 'excluded', until: 7 }],
  [own([], { kind: 'self_exclusion', until: null }), { reason: 'excluded_for_good' }],
])('%o keeps bets away for its reason', (refusal, params) => {
  expect(haltOf(refusal)?.params ?? null).toEqual(params);
});
