// Node's socket.io as it comes, for the fan-out benchmark. Commands arrive as lines, each is answered with one.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { Server } from 'socket.io';

const payload = JSON.parse(process.argv[2]);
const http = createServer();
const table = new Server(http, { pingInterval: 600_000, pingTimeout: 600_000, maxHttpBufferSize: 16384 }).of('/table');
table.on('connection', (socket) => socket.join('all'));

let last = performance.now();
let stall = 0;
setInterval(() => {
  const now = performance.now();
  stall = Math.max(stall, now - last - 1);
  last = now;
}, 1);

const commands = {
  cast: () => {
    const began = process.hrtime.bigint();
    table.to('all').emit('round', payload);
    return String(began);
  },
  stall: () => {
    const longest = stall;
    stall = 0;
    return String(longest / 1000);
  },
  clients: () => String(table.sockets.size),
  settle: () => 'done',
};
createInterface({ input: process.stdin }).on('line', (line) => console.log(commands[line]()));
process.stdin.on('end', () => process.exit(0));
http.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => console.log(http.address().port));
