// Whether one of the player's own limits refuses every bet now, so that the chips can say so.
import type { Responsible } from './api';
import type { RefusalParams } from './protocol';

export interface Halt {
  code: 'limit_reached';
  message: string;
  params: RefusalParams;
}

/** The refusal that the next bet would get; null while some bet is possible. The service decides about each bet. */
export function haltOf({ limits, exclusion, currency }: Responsible): Halt | null {
  if (exclusion?.until === null) return halt({ reason: 'excluded_for_good' });
  if (exclusion) return halt({ reason: exclusion.kind === 'time_out' ? 'break' : 'excluded', until: exclusion.until });
  const used = limits.find(({ kind, remaining }) => kind !== 'deposit' && remaining === 0);
  if (!used) return null;
  const [amount, until] = [used.amount ?? 0, used.ends_at];
  if (used.kind === 'session') return halt({ reason: 'time_limit', minutes: amount, until });
  return halt({ reason: 'loss_limit', limit: amount, left: 0, until, currency });
}

const halt = (params: RefusalParams): Halt => ({ code: 'limit_reached', message: '', params });
