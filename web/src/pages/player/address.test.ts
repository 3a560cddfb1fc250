import { expect, test } from 'vitest';
import { read } from './address';

test.each([
  ['', { table: '', panel: null, round: null }],
  ['#uth-1', { table: 'uth-1', panel: null, round: null }],
  ['#uth-1/help', { table: 'uth-1', panel: 'help', round: null }],
  ['#uth-1/history/r%2F1', { table: 'uth-1', panel: 'history', round: 'r/1' }],
  ['#/cashier', { table: '', panel: 'cashier', round: null }],
  ['#uth-1/help/r1', { table: 'uth-1', panel: 'help', round: null }],
  ['#uth-1/constructor/x', { table: 'uth-1', panel: null, round: null }],
  ['#%E0%A4%A/help', { table: '', panel: 'help', round: null }],
])('%s names what it names', (hash, shown) => {
  expect(read(hash)).toEqual(shown);
});
