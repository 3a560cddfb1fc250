// The scripts that must arrive before the first table can be seen may not grow beyond a bound: this fails the build.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const kilobytesMax = 60;
const page = readFileSync('dist/index.html', 'utf8');
const needed = new Set();

function need(file) {
  if (needed.has(file)) return;
  needed.add(file);
  const text = readFileSync(`dist/assets/${file}`, 'utf8');
  for (const [, other] of text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)) need(other);
}

for (const [, file] of page.matchAll(/\/assets\/([\w.-]+\.js)/g)) need(file);
const bytes = [...needed].reduce((sum, file) => sum + gzipSync(readFileSync(`dist/assets/${file}`)).length, 0);
if (needed.size === 0 || bytes > kilobytesMax * 1000) {
  console.error(`The first table view needs ${bytes} bytes of script (gzip); at most ${kilobytesMax} kB are allowed.`);
  process.exit(1);
}
