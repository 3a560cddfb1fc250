// Verifier of proofs for single cards, independent of the service's own.
// leaf = SHA-256(salt, index as one byte, card as two ASCII characters); node = SHA-256(left, right); 64 leaves.
import type { Card } from './protocol';

export interface CardProof {
  index: number;
  card: Card;
  /** 64 hexadecimal digits, as every hash of the path; the lowest sibling comes first. */
  salt: string;
  path: readonly string[];
}

const depth = 6;
const cards = 52;
const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

async function hashOf(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', joined));
}

/** Whether the card was at that place of the deck when the root was published. Malformed proofs prove nothing. */
export async function isProven(root: string, { index, card, salt, path }: CardProof): Promise<boolean> {
  if (!Number.isInteger(index) || index < 0 || index >= cards || !/^[2-9TJQKA][cdhs]$/.test(card)) return false;
  if (path.length !== depth || ![salt, ...path].every(isHash)) return false;
  let found = await hashOf(bytesOf(salt), Uint8Array.of(index), new TextEncoder().encode(card));
  for (const [level, sibling] of path.entries()) {
    const isRight = ((index >> level) & 1) === 1;
    found = isRight ? await hashOf(bytesOf(sibling), found) : await hashOf(found, bytesOf(sibling));
  }
  return hex(found) === root;
}
