// The scripts that must arrive before a first table can be seen may not grow beyond a bound: this fails the build.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Kilobytes of script (gzip) that each page needs for its first table view. */
const kilobytesMax = { 'index.html': 60, 'poker.html': 90 };

function bytesOf(page) {
  const needed = new Set();
  const need = (file) => {
    if (needed.has(file)) return;
    needed.add(file);
    const text = readFileSync(`dist/assets/${file}`, 'utf8');
    for (const [, other] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) need(other);
  };
  for (const [, file] of readFileSync(`dist/${page}`, 'utf8').matchAll(/\/assets\/([\w.-]+\.js)/g)) need(file);
  return [...needed].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/assets/${file}`)).length, 0);
}

for (const [page, kilobytes] of Object.entries(kilobytesMax)) {
  const bytes = bytesOf(page);
  if (bytes === 0 || bytes > kilobytes * 1000) {
    console.error(`The first table view of ${page} needs ${bytes} bytes of script (gzip); at most ${kilobytes} kB are allowed.`);
    process.exit(1);
  }
}
