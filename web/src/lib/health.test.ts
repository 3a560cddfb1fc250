import { expect, test } from 'vitest';
import { askHealth } from './health';

const answering = (body: string, status = 200): typeof fetch => () => Promise.resolve(new Response(body, { status }));

test('a service that says ok is up', async () => {
  expect(await askHealth(answering('{"status":"ok"}'))).toBe('up');
});

test.each([
  ['an error status', answering('{"status":"ok"}', 503)],
  ['another status word', answering('{"status":"starting"}')],
  ['no JSON', answering('<html>')],
  ['null', answering('null')],
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])('%s is not reachable', async (_, fetcher) => {
  expect(await askHealth(fetcher)).toBe('unreachable');
});
