// Synthesised sounds: quiet ones for a card, a chip and a tick, and two notes for a win.
import type { Sound } from './sound';

export class Synthesis {
  readonly #context = new AudioContext();
  #noise: AudioBuffer | null = null;
  #volume = 1;

  play(sound: Sound, volume: number): void {
    const context = this.#context;
    if (context.state === 'suspended') void context.resume();
    this.#volume = volume;
    const now = context.currentTime;
    if (sound === 'card') this.#rustle(context, now, 2_600, 0.09, 0.35);
    if (sound === 'chip') this.#click(context, now);
    if (sound === 'tick') this.#note(context, now, 880, 0.05, 0.16, 'sine');
    if (sound === 'alert') this.#note(context, now, 520, 0.25, 0.2, 'triangle');
    if (sound === 'win') {
      this.#note(context, now, 659.3, 0.3, 0.22, 'triangle');
      this.#note(context, now + 0.14, 987.8, 0.5, 0.22, 'triangle');
    }
  }

  #fading(context: AudioContext, at: number, seconds: number, loudness: number): GainNode {
    const gain = context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(Math.max(0.0002, loudness * this.#volume), at + 0.006);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    gain.connect(context.destination);
    return gain;
  }

  #note(context: AudioContext, at: number, hertz: number, seconds: number, loudness: number, type: OscillatorType): void {
    const tone = context.createOscillator();
    tone.type = type;
    tone.frequency.value = hertz;
    tone.connect(this.#fading(context, at, seconds, loudness));
    tone.start(at);
    tone.stop(at + seconds);
  }

  #rustle(context: AudioContext, at: number, hertz: number, seconds: number, loudness: number): void {
    const source = context.createBufferSource();
    source.buffer = this.#noise ??= noise(context);
    const band = context.createBiquadFilter();
    band.type = 'bandpass';
    band.frequency.setValueAtTime(hertz, at);
    band.frequency.exponentialRampToValueAtTime(hertz / 3, at + seconds);
    source.connect(band).connect(this.#fading(context, at, seconds, loudness));
    source.start(at);
    source.stop(at + seconds);
  }

  #click(context: AudioContext, at: number): void {
    this.#rustle(context, at, 5_200, 0.03, 0.5);
    this.#note(context, at, 2_350, 0.045, 0.12, 'triangle');
    this.#note(context, at + 0.028, 3_100, 0.035, 0.08, 'triangle');
  }
}

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
