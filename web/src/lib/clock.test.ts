import { expect, test, vi } from 'vitest';
import { ServerClock } from './clock';

test('the message that travelled least tells the server’s time best', () => {
  let local = 1_000;
  const clock = new ServerClock(() => local);
  clock.sync(5_900); // sent at 6,000 on the server's clock, it would have been there 100 ms earlier
  local = 2_000;
  clock.sync(6_990);
  expect(clock.now()).toBe(6_990);
  local = 3_000;
  clock.sync(7_500); // half a second on its way: no reason to turn the clock back
  expect(clock.now()).toBe(7_990);
});

test('a device whose clock runs fast is followed', () => {
  let local = 50_000;
  const clock = new ServerClock(() => local);
  clock.sync(60_000);
  local = 55_000; // five seconds too many from now on
  for (let i = 0; i < 20; i += 1) clock.sync(60_100);
  expect(clock.now()).toBe(60_100);
});

test('setting the clock of the device changes no deadline', () => {
  const clock = new ServerClock();
  const serverTime = Date.now();
  clock.sync(serverTime);
  vi.spyOn(Date, 'now').mockReturnValue(serverTime + 3_600_000);
  expect(clock.msUntil(serverTime + 10_000)).toBeGreaterThan(9_000);
  vi.restoreAllMocks();
});

test('nothing is left after the deadline', () => {
  const clock = new ServerClock(() => 1_000);
  clock.sync(2_000);
  expect(clock.msUntil(2_600)).toBe(600);
  expect(clock.msUntil(1_999)).toBe(0);
});
