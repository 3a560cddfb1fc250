import { beforeEach, describe, expect, test } from 'vitest';
import { Composer, type Amounts, type NotStored, type Stored } from './composer.svelte';

const limits = { ante_min: 200, ante_max: 5_000, trips_min: 100, trips_max: 1_000 };

/** A server that replies when the test says so. */
class FakeServer {
  available = 100_000;
  sent: Amounts[] = [];
  #answers: ((answer: Stored | NotStored | null) => void)[] = [];
  #stored: Amounts = { ante: 0, trips: 0 };

  send = (_round: string, amounts: Amounts): Promise<Stored | NotStored | null> => {
    this.sent.push(amounts);
    return new Promise((answer) => this.#answers.push(answer));
  };

  async accept(): Promise<void> {
    const amounts = this.sent.at(-1)!;
    this.available -= 2 * (amounts.ante - this.#stored.ante) + amounts.trips - this.#stored.trips;
    this.#stored = amounts;
    await this.#answer({ ok: true, bets: amounts, available: this.available });
  }

  refuse = (code: string) => this.#answer({ ok: false, error: { code, message: code } });
  silence = () => this.#answer(null);

  async #answer(answer: Stored | NotStored | null): Promise<void> {
    this.#answers.shift()!(answer);
    await Promise.resolve();
    await Promise.resolve();
  }
}

let server: FakeServer;
let composer: Composer;

beforeEach(() => {
  server = new FakeServer();
  composer = new Composer(server.send, () => limits, () => server.available);
  composer.sync('r1', true, { ante: 0, trips: 0 });
});

describe('chips on spots', () => {
  test('a chip is pending until the server has stored it', async () => {
    composer.place('ante', 500);
    expect(server.sent).toEqual([{ ante: 500, trips: 0 }]);
    expect([composer.wanted.ante, composer.stored.ante, composer.isPending]).toEqual([500, 0, true]);
    expect(composer.left).toBe(99_000);
    await server.accept();
    expect([composer.stored.ante, composer.isPending, composer.left]).toEqual([500, false, 99_000]);
  });

  test('one bet travels at a time and the newest amounts win', async () => {
    composer.place('ante', 500);
    composer.place('ante', 500);
    composer.place('trips', 100);
    composer.place('ante', 500);
    expect(server.sent).toHaveLength(1);
    await server.accept();
    expect(server.sent.at(-1)).toEqual({ ante: 1_500, trips: 100 });
    await server.accept();
    expect(server.sent).toHaveLength(2);
    expect(composer.stored).toEqual({ ante: 1_500, trips: 100 });
  });

  test('TRIPS waits for an ANTE', () => {
    composer.place('trips', 100);
    expect(composer.hint).toEqual({ kind: 'ante_first', spot: 'trips' });
    expect(server.sent).toEqual([]);
  });

  test('a chip adds up to the maximum and says so there', () => {
    composer.place('ante', 4_000);
    composer.place('ante', 2_500);
    expect(composer.wanted.ante).toBe(5_000);
    expect(composer.hint).toEqual({ kind: 'maximum', spot: 'ante', amount: 5_000 });
    composer.place('ante', 100);
    expect(composer.wanted.ante).toBe(5_000);
  });

  test('chips below the minimum wait on the felt and are not sent', async () => {
    composer.place('ante', 100);
    expect(server.sent).toEqual([]);
    expect(composer.missing('ante')).toBe(100);
    composer.place('ante', 100);
    expect(server.sent).toEqual([{ ante: 200, trips: 0 }]);
  });

  test('only what the balance covers twice can go on the ANTE', () => {
    server.available = 900;
    expect([composer.affords(500), composer.affords(100)]).toEqual([false, true]);
    composer.place('ante', 500);
    expect(composer.hint).toEqual({ kind: 'funds', spot: 'ante' });
    expect(composer.wanted.ante).toBe(0);
  });
});

describe('a refusal', () => {
  test('gives the chips back with the reason', async () => {
    composer.place('ante', 500);
    await server.accept();
    composer.place('ante', 500);
    await server.refuse('limit_reached');
    expect(composer.wanted).toEqual({ ante: 500, trips: 0 });
    expect(composer.hint).toMatchObject({ kind: 'refused', spot: 'ante', error: { code: 'limit_reached' } });
  });

  test('of amounts that are not wanted any more lets the newest be tried', async () => {
    composer.place('ante', 2_500);
    composer.undo();
    composer.place('ante', 500);
    await server.refuse('limit_reached');
    expect(server.sent.at(-1)).toEqual({ ante: 500, trips: 0 });
    await server.accept();
    expect(composer.stored.ante).toBe(500);
  });
});

describe('UNDO, REPEAT and DOUBLE', () => {
  test('UNDO takes back the last one, held down it clears all', async () => {
    composer.place('ante', 500);
    await server.accept();
    composer.place('trips', 100);
    await server.accept();
    composer.undo();
    expect(server.sent.at(-1)).toEqual({ ante: 500, trips: 0 });
    await server.accept();
    composer.clear();
    expect(server.sent.at(-1)).toEqual({ ante: 0, trips: 0 });
    await server.accept();
    expect([composer.canUndo, composer.left]).toEqual([false, 100_000]);
  });

  test('UNDO survives a pause, and the seat taken over by another device and back', async () => {
    composer.place('ante', 500);
    await server.accept();
    composer.place('ante', 500);
    await server.accept();
    composer.sync('r1', false, { ante: 1_000, trips: 0 }); // paused
    expect(composer.canUndo).toBe(false);
    composer.sync('r1', true, { ante: 1_000, trips: 0 });
    composer.dropPending(); // the seat is elsewhere
    composer.sync('r1', true, { ante: 1_000, trips: 0 });
    composer.undo();
    expect(composer.wanted).toEqual({ ante: 500, trips: 0 });
  });

  test('UNDO takes back what another device has placed, in one step', () => {
    composer.sync('r1', true, { ante: 500, trips: 100 });
    composer.undo();
    expect(composer.wanted).toEqual({ ante: 0, trips: 0 });
    expect(composer.canUndo).toBe(false);
  });

  test('UNDO brings no bet back that was returned', async () => {
    composer.place('ante', 500);
    await server.accept();
    composer.place('ante', 500);
    await server.accept();
    composer.dropPending();
    composer.sync('r1', true, { ante: 0, trips: 0 });
    expect(composer.canUndo).toBe(false);
    expect(composer.canRepeat).toBe(true);
  });

  test('REPEAT brings the last round’s bets back, only before the first chip', async () => {
    expect(composer.canRepeat).toBe(false);
    composer.place('ante', 500);
    composer.place('trips', 100);
    await server.accept();
    await server.accept();
    composer.sync('r2', true, { ante: 0, trips: 0 });
    expect(composer.canRepeat).toBe(true);
    composer.repeat();
    expect(server.sent.at(-1)).toEqual({ ante: 500, trips: 100 });
    expect(composer.canRepeat).toBe(false);
    composer.sync('r3', true, { ante: 0, trips: 0 });
    composer.place('ante', 500);
    expect(composer.canRepeat).toBe(false);
  });

  test('DOUBLE doubles every bet, each up to its maximum', async () => {
    composer.place('ante', 1_000);
    composer.place('trips', 800);
    composer.double();
    expect(composer.wanted).toEqual({ ante: 2_000, trips: 1_000 });
  });

  test('DOUBLE needs a balance that covers doubling all', async () => {
    server.available = 3_000;
    composer.place('ante', 1_000);
    await server.accept();
    expect(composer.canDouble).toBe(false);
    composer.double();
    expect(composer.hint).toEqual({ kind: 'funds', spot: null });
    expect(composer.wanted.ante).toBe(1_000);
  });
});

describe('when the state changes while a message is pending', () => {
  test('what was not stored when betting closed comes back and is shown', async () => {
    composer.place('ante', 500);
    await server.accept();
    composer.place('ante', 500);
    composer.sync('r1', false, { ante: 500, trips: 0 });
    await server.refuse('betting_closed');
    expect(composer.wanted).toEqual({ ante: 500, trips: 0 });
    expect(composer.hint).not.toBeNull();
    composer.place('ante', 500);
    expect(composer.wanted.ante).toBe(500);
  });

  test('a bet below the minimum comes back and is told as that', async () => {
    composer.place('ante', 100);
    composer.sync('r1', false, { ante: 0, trips: 0 });
    expect([composer.wanted.ante, composer.hint]).toEqual([0, { kind: 'below', spot: 'ante', amount: 200 }]);
    // Where nobody has bet, the next betting time follows at once.
    composer.sync('r1', true, { ante: 0, trips: 0 });
    composer.place('ante', 100);
    composer.sync('r2', true, { ante: 0, trips: 0 });
    expect([composer.wanted.ante, composer.hint]).toEqual([0, { kind: 'below', spot: 'ante', amount: 200 }]);
  });

  test('after a lost connection the table says how things stand', async () => {
    composer.place('ante', 500);
    await server.silence();
    composer.dropPending();
    composer.sync('r1', true, { ante: 500, trips: 0 });
    expect([composer.wanted.ante, composer.stored.ante]).toEqual([500, 500]);
    composer.place('ante', 500);
    expect(server.sent.at(-1)).toEqual({ ante: 1_000, trips: 0 });
  });

  test('an answer of the last round changes nothing in this one', async () => {
    composer.place('ante', 500);
    composer.sync('r2', true, { ante: 0, trips: 0 });
    await server.accept();
    expect([composer.wanted.ante, composer.stored.ante]).toEqual([0, 0]);
  });
});
