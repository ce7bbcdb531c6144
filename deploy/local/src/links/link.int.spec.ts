import { eventually } from '@tire/test-harness';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Link } from './link';

let server: Server;
let link: Link;
/** What the server has received. It answers each byte with the same byte. */
let received: string;
const sockets: Socket[] = [];

beforeEach(async () => {
  received = '';
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      socket.write(chunk);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  link = await Link.to((server.address() as AddressInfo).port);
});

afterEach(async () => {
  await link.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

async function client() {
  const socket = connect(link.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  const caller = { socket, answered: '', ended: false };
  socket.on('data', (chunk: Buffer) => (caller.answered += chunk.toString())).on('end', () => (caller.ended = true));
  await once(socket, 'connect');
  return caller;
}

/** A second connection over an uncut link shows that what was sent before had the time to arrive. */
async function roundTrip(): Promise<void> {
  const other = await Link.to((server.address() as AddressInfo).port);
  const socket = connect(other.port, '127.0.0.1');
  socket.write('.');
  await once(socket, 'data');
  socket.destroy();
  await other.close();
}

it('a cut of both directions holds back bytes, and they arrive after it', async () => {
  const caller = await client();
  caller.socket.write('a');
  await eventually(() => caller.answered === 'a');
  link.cut();
  caller.socket.write('b');
  await roundTrip();
  expect([received.replaceAll('.', ''), caller.answered, caller.ended]).toEqual(['a', 'a', false]);
  link.heal();
  await eventually(() => caller.answered === 'ab');
  expect(received.replaceAll('.', '')).toBe('ab');
});

it('a cut of answers lets requests arrive', async () => {
  const caller = await client();
  caller.socket.write('a');
  await eventually(() => caller.answered === 'a');
  link.cut(['answers']);
  caller.socket.write('b');
  await eventually(() => received.includes('b'));
  await roundTrip();
  expect(caller.answered).toBe('a');
  link.heal();
  await eventually(() => caller.answered === 'ab');
});

it('the end of a connection does not pass a cut', async () => {
  const caller = await client();
  caller.socket.write('a');
  await eventually(() => caller.answered === 'a');
  link.cut(['answers']);
  sockets.at(-1)!.destroy();
  await roundTrip();
  expect(caller.ended).toBe(false);
  link.heal();
  await eventually(() => caller.ended);
});

it('a new connection reaches the server after the cut', async () => {
  link.cut(['answers']);
  const caller = await client();
  caller.socket.write('a');
  await roundTrip();
  expect(received.replaceAll('.', '')).toBe('');
  link.heal();
  await eventually(() => caller.answered === 'a');
});

it('counts bytes of each direction, and HTTP requests by method', async () => {
  const caller = await client();
  caller.socket.write('PUT /bucket/object HTTP/1.1\r\n\r\n');
  await eventually(() => caller.answered.endsWith('\r\n\r\n'));
  expect(link.httpRequests).toEqual({ PUT: 1 });
  expect(link.bytes).toEqual({ requests: 31, answers: 31 });
});
