import { expect, test } from 'vitest';
import stored from '../../../tests/vectors/card_proofs.json';
import { isProven, type CardProof } from './cardProofs';
import type { Card } from './protocol';

const vectors = stored as unknown as { name: string; root: string; proofs: CardProof[] }[];
const { root, proofs } = vectors[0]!;
const proof = proofs[13]!;

test.each(vectors)('$name: every proof of the shared vectors holds', async ({ root, proofs }) => {
  for (const one of proofs) expect(await isProven(root, one)).toBe(true);
});

test('another card, place, salt, hash or root proves nothing', async () => {
  const zeros = '0'.repeat(64);
  expect(await isProven(zeros, proof)).toBe(false);
  expect(await isProven(root, { ...proof, card: proofs[14]!.card })).toBe(false);
  expect(await isProven(root, { ...proof, index: 12 })).toBe(false);
  expect(await isProven(root, { ...proof, salt: zeros })).toBe(false);
  expect(await isProven(root, { ...proof, path: [zeros, ...proof.path.slice(1)] })).toBe(false);
});

test('malformed proofs prove nothing', async () => {
  for (const index of [-1, 52, 1.5, NaN]) expect(await isProven(root, { ...proof, index })).toBe(false);
  expect(await isProven(root, { ...proof, card: '1s' as Card })).toBe(false);
  expect(await isProven(root, { ...proof, salt: 'ab' })).toBe(false);
  expect(await isProven(root, { ...proof, path: proof.path.slice(1) })).toBe(false);
  expect(await isProven(root, { ...proof, path: proof.path.map(() => 'x') })).toBe(false);
});
