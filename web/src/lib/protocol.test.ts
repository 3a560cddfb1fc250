import type { Socket } from 'socket.io-client';
import { describe, expect, it, vi } from 'vitest';
import type { HostServerEvents, HostClientEvents, TableServerEvents, TableClientEvents } from './protocol';

// What is proven here is proven by the type checker: the generated types fit the client's own.
describe('the types of the protocol', () => {
  const line = { on: vi.fn(), emit: vi.fn() };

  it('let a page receive and send only existing events', () => {
    const table = line as unknown as Socket<TableServerEvents, TableClientEvents>;
    table.on('round', ({ phase, board }) => [phase === 'settled', board.map((card): string => card)]);
    table.emit('bet', { table_id: 't', round_id: 'r', ante: 500, trips: 0 }, (answer): string | number =>
      answer.ok ? answer.bets.play : answer.error.code,
    );
    const host = line as unknown as Socket<HostServerEvents, HostClientEvents>;
    host.on('host', ({ round, totals }) => [round.seats?.length, totals.ante]);
    expect(line.on).toHaveBeenCalledTimes(2);
  });

  it('let a page say nothing else', () => {
    const table = line as unknown as Socket<TableServerEvents, TableClientEvents>;
    // @ts-expect-error there is no such action
    table.emit('decide', { table_id: 't', round_id: 'r', action: 'play_5x' }, () => undefined);
    // @ts-expect-error there is no such event
    table.emit('begin', { table_id: 't' }, () => undefined);
    // @ts-expect-error an amount is a number
    table.emit('bet', { table_id: 't', round_id: 'r', ante: '5', trips: 0 }, () => undefined);
    expect(line.emit).toHaveBeenCalled();
  });
});
