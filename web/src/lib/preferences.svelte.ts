// Preferences of the player: the settings stored in the profile, the same on every device except for the mute switch.
// Before sign-in they are kept on the device.
import { api } from './api';
import type { Settings } from './protocol';

const kept = 'casino.settings';
const storeAfterMs = 300;
const atFirst: Settings = {
  chat_shown: true,
  video_quality: 'auto',
  voice: { muted: false, volume: 80 },
  sound: { muted: false, volume: 80 },
  view: 'immersive',
  language: null,
  reduced_motion: false,
  trainer: false,
  decision_keys: false,
};

function remembered(): Settings {
  try {
    return { ...atFirst, ...(JSON.parse(localStorage.getItem(kept) ?? '{}') as Partial<Settings>) };
  } catch {
    return atFirst; // what cannot be read is forgotten
  }
}

function remember(): void {
  try {
    localStorage.setItem(kept, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

export const preferences = $state<Settings>(remembered());
let isStored = false;
let storing: ReturnType<typeof setTimeout> | undefined;

/** The stored settings, changed on this device or another. */
export function applyStored(settings: Settings): void {
  if (storing !== undefined) return; // what is changed here is newer
  const { muted } = preferences.sound;
  Object.assign(preferences, settings, { sound: { ...settings.sound, muted } });
  remember();
}

/** Loads the user's settings after sign-in; a language chosen before stays. */
export async function readStored(): Promise<void> {
  const { language } = preferences;
  applyStored(await api.settings());
  isStored = true;
  if (preferences.language === null && language !== null) change({ language });
}

export function forgetStored(): void {
  isStored = false;
}

export function change(changes: Partial<Settings>): void {
  Object.assign(preferences, changes);
  remember();
  if (!isStored) return;
  clearTimeout(storing);
  storing = setTimeout(() => {
    storing = undefined;
    // Kept on the device in any case; the profile follows with the next change.
    void api.changeSettings($state.snapshot(preferences)).catch(() => undefined);
  }, storeAfterMs);
}
