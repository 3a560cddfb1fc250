import type { Bets } from './protocol';

/** What a player puts down before the first card: ANTE, the equal BLIND, and TRIPS. */
export const initialStake = ({ ante, trips }: { ante: number; trips: number }): number => 2 * ante + trips;

/** Everything on the four spots. */
export const totalOf = ({ ante, blind, trips, play }: Bets): number => ante + blind + trips + play;
