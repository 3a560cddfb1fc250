// Filters of the schedule. They are kept while the page is open, so that they still hold after a look at a tournament.
import type { TournamentRow } from '../../../lib/protocol';
import { speedOf } from './texts';

export const noFilter = { when: 'now' as 'now' | 'finished', type: '', game: '', price: '', speed: '', guaranteed: false, mine: false };
export const filter = $state({ ...noFilter });

export const lowTo = 500;
export const middleTo = 2_000;
const prices: Record<string, (total: number) => boolean> = {
  free: (total) => total === 0,
  low: (total) => total > 0 && total <= lowTo,
  middle: (total) => total > lowTo && total <= middleTo,
  high: (total) => total > middleTo,
};

export const isFiltered = (): boolean => Object.entries(filter).some(([name, value]) => name !== 'when' && value !== noFilter[name as keyof typeof noFilter]);

export const clearFilter = (): void => void Object.assign(filter, { ...noFilter, when: filter.when });

/** Whether a tournament passes the filters, apart from those that concern the player. */
export const passes = (row: Pick<TournamentRow, 'features' | 'game' | 'structure' | 'price' | 'guarantee'>): boolean =>
  (filter.type === '' || row.features.some((feature) => feature === filter.type)) &&
  (filter.game === '' || row.game === filter.game) &&
  (filter.speed === '' || speedOf(row) === filter.speed) &&
  (filter.price === '' || prices[filter.price]!(row.price.total)) &&
  (!filter.guaranteed || row.guarantee > 0);
