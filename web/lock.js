// Renews package-lock.json and takes the maintainers' funding links out of it: the lock names versions and hashes, no host.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

execFileSync('npm', ['install', '--package-lock-only', '--silent', '--no-audit', '--no-fund'], { stdio: 'inherit' });
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
for (const entry of Object.values(lock.packages)) delete entry.funding;
writeFileSync('package-lock.json', JSON.stringify(lock, null, 2) + '\n');
