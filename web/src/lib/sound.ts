// Names and volumes of sounds. The synthesis is loaded when the first sound may be heard.
import type { Synthesis } from './synthesis';

export type Sound = 'card' | 'chip' | 'tick' | 'win' | 'alert';

class Sounds {
  /** 0 to 1. */
  volume = 0.8;
  muted = false;
  #synthesis: Promise<Synthesis> | null = null;

  /** A browser lets a page sound only after the visitor has touched it. */
  play(sound: Sound): void {
    if (this.muted || this.volume === 0 || !navigator.userActivation?.hasBeenActive) return;
    this.#synthesis ??= import('./synthesis').then(({ Synthesis }) => new Synthesis());
    void this.#synthesis.then((synthesis) => synthesis.play(sound, this.volume), () => undefined);
  }
}

export const sounds = new Sounds();
