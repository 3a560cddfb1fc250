// What only tables of tournaments show; fetched with the first of them.
export { default as HexaReveal } from './HexaReveal.svelte';
export { default as TableStrip } from './TableStrip.svelte';
export { default as TournamentEnd } from './TournamentEnd.svelte';
export { default as TournamentSeat } from './TournamentSeat.svelte';
