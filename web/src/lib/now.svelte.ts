// Shared ticking clock for all displays of running time. It ticks only while a display is mounted.
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
