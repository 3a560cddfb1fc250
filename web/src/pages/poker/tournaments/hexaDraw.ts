// Checks in the browser that a revealed draw is the one whose fingerprint was published before its players registered.
import type { HexaReveal } from '../../../lib/protocol';

/** The fingerprint is SHA-256 of `secret:number`. */
export async function fitsFingerprint({ secret, number, commitment }: Pick<HexaReveal, 'secret' | 'number' | 'commitment'>): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${secret}:${number}`));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex === commitment;
}
