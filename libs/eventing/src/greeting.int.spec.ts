import { freePort, startNats } from '@tire/test-harness';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { reachableServers } from './greeting';

it('finds the servers that send their first line, by name and by address', async () => {
  const nats = await startNats();
  const silent = createServer((socket) => socket.on('error', () => undefined));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const port = (silent.address() as AddressInfo).port;
  const greeting = [`127.0.0.1:${nats.port}`, `localhost:${nats.port}`, `[::ffff:127.0.0.1]:${nats.port}`];
  const others = [`127.0.0.1:${port}`, `127.0.0.1:${await freePort()}`, 'nowhere.invalid:4222'];
  expect(await reachableServers([...others, ...greeting], 5_000)).toEqual(greeting);
  silent.close();
  await nats.stop();
});
