import { median } from '@tire/test-harness/bench';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { PartnerClient, upload } from '../client';
import type { Caller, NeighbourRow, NeighbourWorld } from './neighbour';

const ROUNDS = 3;
const ATTACKS = 4;
const TEXT_CHUNKS = 300;
const TEXT_BYTES = 4 * 1024 * 1024;
const TYPE_AND_END_BYTES = 12;
const CHECKSUM_BYTES = 4;

/** The image as a PNG whose text chunks a decoder would unpack into 1.2 GB. */
async function bomb(image: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const plain = await sharp(image).png().toBuffer();
  const typed = Buffer.concat([Buffer.from('zTXta\0\0', 'latin1'), deflateSync(Buffer.alloc(TEXT_BYTES))]);
  const chunk = Buffer.alloc(typed.length + 2 * CHECKSUM_BYTES);
  chunk.writeUInt32BE(typed.length - CHECKSUM_BYTES, 0);
  typed.copy(chunk, CHECKSUM_BYTES);
  chunk.writeUInt32BE(crc32(typed), chunk.length - CHECKSUM_BYTES);
  const texts = Array.from({ length: TEXT_CHUNKS }, () => chunk);
  return new Uint8Array(Buffer.concat([plain.subarray(0, -TYPE_AND_END_BYTES), ...texts, plain.subarray(-TYPE_AND_END_BYTES)]));
}

/** The address of the PDF of a new report, of which nothing was requested yet. */
async function published(world: NeighbourWorld, caller: Caller, changed?: Uint8Array<ArrayBuffer>): Promise<string> {
  const client = new PartnerClient(world.stack, caller.key);
  const { report_id, share_url, upload_targets = [] } = await client.create({ template: 'tire_4t_0s' });
  const samples = world.samples.map((sample, index) => (index === 0 && changed ? { ...sample, bytes: changed } : sample));
  await Promise.all(upload_targets.map((target) => upload(target, samples)));
  await client.json('POST', `/reports/${report_id}/images`, {
    images: upload_targets.map(({ asset_id, module_type, slot }) => ({ asset_id, module_type, slot })),
  });
  const { publication_status: status } = await client.finished(report_id);
  if (status !== 'published') throw new Error('A report of the bench was not published');
  return `${share_url}.pdf`;
}

async function loaded(url: string): Promise<{ ms: number; failed: number }> {
  const beganMs = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  return { ms: performance.now() - beganMs, failed: response.status === 200 ? 0 : 1 };
}

async function publishedOfAttacker(world: NeighbourWorld, changed: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const attacks: string[] = [];
  while (attacks.length < ATTACKS) attacks.push(await published(world, world.attacker, changed));
  return attacks;
}

export const row: NeighbourRow = {
  number: 5,
  attack: '4 PDFs at once, each with a PNG of 300 text chunks of 4 MB',
  async prepare(world) {
    const changed = await bomb(world.samples[0]!.bytes);
    return async () => Promise.all((await publishedOfAttacker(world, changed)).map(loaded));
  },
  async measure(world) {
    const changed = await bomb(world.samples[0]!.bytes);
    await loaded(await published(world, world.victim));
    const alone: number[] = [];
    const beside: { ms: number; failed: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [mine, others] = [await published(world, world.victim), await published(world, world.victim)];
      const attacks = await publishedOfAttacker(world, changed);
      alone.push((await loaded(others)).ms);
      const attacking = attacks.map(loaded);
      beside.push(await loaded(mine));
      await Promise.all(attacking);
    }
    return {
      aloneMs: median(alone),
      besideMs: median(beside.map(({ ms }) => ms)),
      goal: 2,
      failedForVictim: beside.reduce((sum, { failed }) => sum + failed, 0),
      memory: { mib: await world.peakRssMib('share'), limitMib: await world.limitMib('share') },
    };
  },
};
