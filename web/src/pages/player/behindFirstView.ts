// Parts of the page that the first view does without, fetched together behind it.
export { Announcer } from './announcer.svelte';
export { Keys } from './keys';
export { Navigation } from './navigation';
