// The official JavaScript client, driven by the arguments; every line it prints is one thing that happened to it.
import { createRequire } from 'node:module';

const [modules, url, transports, token] = process.argv.slice(2);
const { io } = createRequire(`${modules}/`)('socket.io-client');
const say = (what, more = {}) => console.log(JSON.stringify({ what, ...more }));

const socket = io(`${url}/table`, {
  transports: JSON.parse(transports),
  auth: { token },
  reconnectionDelay: 50,
  reconnectionDelayMax: 50,
});
const transport = () => socket.io.engine.transport.name;

socket.on('connect_error', (error) => say('connect_error', { message: error.message, data: error.data ?? null }));
socket.on('disconnect', (reason) => say('disconnect', { reason }));
socket.on('news', (n) => say('message', { n }));
socket.on('mine', (n) => say('message', { n }));
socket.on('connect', async () => {
  say('connect', { sid: socket.id, transport: transport() });
  socket.io.engine.on('upgrade', () => say('upgrade', { transport: transport() }));
  say('ack', { answer: await socket.emitWithAck('echo', { text: 'ß €', list: [1, null, true] }) });
});
process.stdin.on('data', (chunk) => {
  for (const line of String(chunk).split('\n').filter(Boolean)) {
    if (line === 'quit') {
      socket.disconnect();
      setTimeout(() => process.exit(0), 50);
    } else if (line === 'transport') say('transport', { transport: transport() });
    else {
      const [name, data] = JSON.parse(line);
      socket.emit(name, data, (answer) => say('ack', { answer }));
    }
  }
});
