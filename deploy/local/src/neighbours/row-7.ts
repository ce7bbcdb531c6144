import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { PartnerClient } from '../client';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { medianOf, type Timed } from './timing';

const CONNECTIONS = 2_050;
const AT_ONCE = 50;
const ROUNDS = 40;

/** A creation and a read of it. */
async function createAndRead(client: PartnerClient): Promise<boolean> {
  const created = await client.call('POST', '/reports', { template: 'tire_4t_0s' });
  const { report_id } = (await created.json()) as { report_id?: string };
  return created.ok && (await client.call('GET', `/reports/${report_id}`)).ok;
}

/** Counts the answers to the attacker by their first line. */
function count(answers: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].map(([answer, times]) => `${times} x ${answer}`).join(', ');
}

const measure = (world: NeighbourWorld): Promise<Timed> => {
  const client = new PartnerClient(world.stack, world.victim.key);
  return medianOf(ROUNDS, () => createAndRead(client));
};

async function halfBody({ baseUrl, attacker }: NeighbourWorld, answers: string[]): Promise<Socket> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.once('data', (data: Buffer) => void answers.push(data.toString().split('\r\n', 1)[0]!));
  await once(socket, 'connect');
  const head = [`POST ${pathname}/reports HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${attacker.key}`];
  socket.write([...head, 'Content-Type: application/json', 'Content-Length: 1000', '', '{"template":'].join('\r\n'));
  return socket;
}

async function connected(world: NeighbourWorld, answers: string[]): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < CONNECTIONS)
    sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => halfBody(world, answers)))));
  return sockets;
}

export const row: NeighbourRow = {
  number: 7,
  attack: `${CONNECTIONS} connections of one key that send half a body`,
  prepare: async (world) => async () => {
    const sockets = await connected(world, []);
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
  },
  async measure(world) {
    await measure(world);
    const alone = await measure(world);
    const answers: string[] = [];
    const sockets = await connected(world, answers);
    const beside = await measure(world);
    for (const socket of sockets) socket.destroy();
    console.log(`Answers to the attacker: ${count(answers)}`);
    return { aloneMs: alone.ms, besideMs: beside.ms, goal: 2, failedForVictim: beside.failed };
  },
};
