// How this player likes the page. Kept on this device, so that a visitor without an account has them too.

export type View = 'immersive' | 'classic';
export type VideoQuality = 'auto' | 'high' | 'low';

export interface Preferences {
  language: 'en' | 'da' | 'fr' | null;
  view: View;
  sound: number;
  soundMuted: boolean;
  voice: number;
  voiceMuted: boolean;
  chat: boolean;
  video: VideoQuality;
}

const kept = 'casino.preferences';
const atFirst: Preferences = {
  language: null,
  view: 'immersive',
  sound: 0.6,
  soundMuted: false,
  voice: 0.8,
  voiceMuted: false,
  chat: true,
  video: 'auto',
};

function remembered(): Preferences {
  try {
    return { ...atFirst, ...(JSON.parse(localStorage.getItem(kept) ?? '{}') as Partial<Preferences>) };
  } catch {
    return atFirst; // what cannot be read is forgotten
  }
}

export const preferences = $state<Preferences>(remembered());

export function change(changes: Partial<Preferences>): void {
  Object.assign(preferences, changes);
  try {
    localStorage.setItem(kept, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still plays.
  }
}
