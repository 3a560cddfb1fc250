// Plays one round with the official JavaScript client and prints everything that happened, a line of JSON each.
import { createRequire } from 'node:module';

const [modules, url, token, tableId, transports] = process.argv.slice(2);
const { io } = createRequire(`${modules}/`)('socket.io-client');
const say = (what, data) => console.log(JSON.stringify({ what, data }));

const socket = io(`${url}/table`, { auth: { token }, ...(transports ? { transports: JSON.parse(transports) } : {}) });
const ask = async (event, data) => {
  const answer = await socket.timeout(60_000).emitWithAck(event, { table_id: tableId, ...data });
  say(event, answer);
  return answer;
};
const answers = { deciding_preflop: 'check', deciding_flop: 'check', deciding_river: 'play_1x' };
let mine = null;

socket.on('connect_error', (error) => say('connect_error', { message: error.message, data: error.data ?? null }));
for (const event of ['seat', 'balance', 'table', 'notice']) socket.on(event, (data) => say(event, data));
socket.on('round', async (round) => {
  say('round', round);
  if (round.phase === 'betting' && mine === null) {
    mine = round.round_id;
    await ask('bet', { round_id: mine, ante: 500, trips: 100 });
  } else if (round.round_id === mine && answers[round.phase]) {
    await ask('decide', { round_id: mine, action: answers[round.phase], phase: round.phase });
  }
});
socket.on('result', async (result) => {
  say('result', result);
  await ask('leave', {});
  say('transport', socket.io.engine.transport.name);
  socket.disconnect();
});
socket.on('connect', () => ask('join', {}));
