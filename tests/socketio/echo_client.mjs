// The official JavaScript client against the echo server. Prints one JSON object with all it received.
import { createRequire } from 'node:module';

const [modules, url, transports] = process.argv.slice(2);
const { io } = createRequire(`${modules}/`)('socket.io-client');
const options = { transports: JSON.parse(transports), forceNew: true, reconnection: false };
const plain = (value) => {
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return { bytes: [...value] };
  if (Array.isArray(value)) return value.map(plain);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]));
  return value;
};

async function exchange(namespace, auth) {
  const socket = io(url + namespace, { ...options, auth });
  const received = (name) => new Promise((resolve) => socket.once(name, (...args) => resolve(plain(args))));
  const found = { auth: await received('auth') };
  const back = received('message-back');
  socket.emit('message', 1, '2', { 3: [true] });
  found.back = await back;
  const none = received('message-back');
  socket.emit('message');
  found.none = await none;
  const acknowledged = (...args) => new Promise((resolve) => socket.emit(...args, (...ack) => resolve(plain(ack))));
  found.ack = await acknowledged('message-with-ack', 1, [null], '€');
  found.noArguments = await acknowledged('message-with-ack');
  const binary = received('message-back');
  socket.emit('message', Buffer.from([1, 2, 3]), { deep: [Buffer.alloc(0)] });
  found.binary = await binary;
  found.binaryAck = await acknowledged('message-with-ack', Buffer.from([4, 5]), 'text');
  found.transport = socket.io.engine.transport.name;
  socket.disconnect();
  return found;
}

const main = await exchange('/', undefined);
const custom = await exchange('/custom', { token: 'abc' });
const unknown = io(`${url}/random`, options);
const refusal = await new Promise((resolve) => unknown.on('connect_error', resolve));
unknown.disconnect();
console.log(JSON.stringify({ main, custom, refusal: { message: refusal.message, data: refusal.data ?? null } }));
process.exit(0);
