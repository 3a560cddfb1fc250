// How chips slide on the felt: a bet from its seat, into the pot at the end of a street, and from the pot to a winner.
// The felt shows the truth at once; a slide only says where the chips came from.
import type { TransitionConfig } from 'svelte/transition';
import { isMotionReduced } from '../../lib/motion';

const slideMs = 220;
/** How far a bet lies from the middle, as parts of the way to its seat; the styles of the felt say the same. */
const betAt = 0.62;

const slide = (css: (u: number) => string): TransitionConfig => ({
  duration: isMotionReduced() ? 0 : slideMs,
  css: (_t, u) => css(u),
});

const along = (x: string, y: string): string => `translate: calc(-50% + var(--x) * var(--rx) * ${x}) calc(-50% + var(--y) * var(--ry) * ${y})`;

export const fromSeat = (_node: Element): TransitionConfig => slide((u) => along(`${(1 - betAt) * u}`, `(1 - var(--bet-at)) * ${u}`));
export const toPot = (_node: Element): TransitionConfig => slide((u) => `${along(`${-betAt * u}`, `var(--bet-at) * ${-u}`)}; opacity: ${1 - u / 2}`);
export const fromPot = (_node: Element): TransitionConfig => slide((u) => along(`${-betAt * u}`, `var(--bet-at) * ${-u}`));
