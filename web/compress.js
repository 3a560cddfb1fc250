// Compresses the text files of dist/ for the browsers that accept it. A compressed file is named by the hash of its
// original, so the service never sends an old one for a new original.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = 'dist/compressed';
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const name of readdirSync('dist', { recursive: true })) {
  if (!/\.(css|html|js|svg)$/.test(name)) continue;
  const text = readFileSync(`dist/${name}`);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  for (const [suffix, body] of [['br', brotliCompressSync(text, quality)], ['gz', gzipSync(text, { level: 9 })]]) {
    if (body.length < text.length) writeFileSync(`${folder}/${hash}.${suffix}`, body);
  }
}
