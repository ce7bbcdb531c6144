import { median } from '@tire/test-harness/bench';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { PartnerClient } from '../client';
import type { NeighbourRow, NeighbourWorld } from './neighbour';
import { medianOf, reportEnded, type Timed } from './timing';

const READS = { attacker: 160, victim: 96 };
const ROUNDS = 5;
/** Four bytes in an address, and six in JSON. */
const [WIDE, CONTROL] = ['\u{1f600}', '\u0001'];
const URL_LENGTH = 2_048;

/** The attacker's image host: it answers addresses of any length. */
async function serveAnyLength({ stack, samples, imagesOrigin }: NeighbourWorld): Promise<() => void> {
  const [cert, key] = await Promise.all([readFile(stack.tls.cert), readFile(stack.tls.key)]);
  const images = new Map(samples.map(({ path, bytes }) => [path, bytes]));
  const server = createServer({ cert, key, maxHeaderSize: 128 * 1_024 }, (request, response) => {
    const bytes = images.get(request.url!.split('?', 1)[0]!)!;
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
  });
  const { hostname, port } = new URL(imagesOrigin);
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Creates a report as large as the API allows: long addresses and ids, full metadata, and measured treads. */
async function largeReport(client: PartnerClient, world: NeighbourWorld): Promise<string> {
  const close = await serveAnyLength(world);
  const images = world.samples.map(({ slot, path }) => {
    const address = `${world.imagesOrigin}${path}?`;
    const url = address + WIDE.repeat(URL_LENGTH - address.length);
    return { module_type: 'tire', slot, source: { url, client_asset_id: CONTROL.repeat(128) } };
  });
  const metadata = { text: 'x'.repeat(16_000) };
  const { report_id } = await client.create({ template: 'tire_4t_4s', images, metadata, external_vehicle_id: CONTROL.repeat(128) });
  await reportEnded(client, report_id, 0);
  close();
  return report_id;
}

async function isRead(client: PartnerClient, reportId: string): Promise<boolean> {
  const answer = await client.call('GET', `/reports/${reportId}`);
  await answer.arrayBuffer();
  return answer.ok;
}

const reads = (count: number, client: PartnerClient, reportId: string): Promise<boolean[]> =>
  Promise.all(Array.from({ length: count }, () => isRead(client, reportId)));

export const row: NeighbourRow = {
  number: 8,
  attack: `${READS.attacker} reads of the largest report at once`,
  async prepare(world) {
    const client = new PartnerClient(world.stack, world.attacker.key);
    const large = await largeReport(client, world);
    return () => reads(READS.attacker, client, large);
  },
  async measure(world: NeighbourWorld) {
    const [victim, attacker] = [world.victim, world.attacker].map(({ key }) => new PartnerClient(world.stack, key)) as [
      PartnerClient,
      PartnerClient,
    ];
    const { report_id: small } = await victim.create({ template: 'tire_4t_0s' });
    const large = await largeReport(attacker, world);
    const { byteLength } = await (await attacker.call('GET', `/reports/${large}`)).arrayBuffer();
    console.log(`The large report has ${byteLength} bytes`);
    const measure = (): Promise<Timed> => medianOf(1, async () => (await reads(READS.victim, victim, small)).every(Boolean));
    await measure();
    const alone: Timed[] = [];
    for (let round = 0; round < ROUNDS; round += 1) alone.push(await measure());
    const beside: number[] = [];
    let failed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const attack = reads(READS.attacker, attacker, large);
      const beganMs = performance.now();
      const answers = await reads(READS.victim, victim, small);
      beside.push(performance.now() - beganMs);
      failed += answers.filter((ok) => !ok).length;
      await attack;
    }
    return { aloneMs: median(alone.map(({ ms }) => ms)), besideMs: median(beside), goal: 2, failedForVictim: failed };
  },
};
