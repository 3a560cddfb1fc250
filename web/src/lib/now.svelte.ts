// A beat for whatever on a page shows time running. It beats only while somebody looks.
import { createSubscriber } from 'svelte/reactivity';
import { steadyNow } from './clock';

const beatMs = 100;

const subscribe = createSubscriber((update) => {
  const timer = setInterval(update, beatMs);
  return () => clearInterval(timer);
});

/** Now, as `steadyNow` counts; whatever reads it inside an effect or a template is renewed with every beat. */
export function ticking(): number {
  subscribe();
  return steadyNow();
}
