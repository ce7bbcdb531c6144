import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { sightHintOf, type Sight, type SightHint } from '../web/framing/sight';
import { badlyFramed, eightTires } from './testing/photos.fixture';
import { videoFrame } from './testing/frames.fixture';

const ROOT = join(__dirname, '../../..');
const SANDBOX = join(ROOT, 'libs/contracts/assets/sandbox');
const TREADS = ['front-left', 'rear-right', 'near-limit', 'below-limit', 'content-fails'];
/** Their treads take less than half of the outline. */
const SMALL_TREADS = ['front-right', 'rear-left', 'second-try'];
const WHEELS = ['front-left', 'front-right', 'rear-left', 'rear-right', 'unread'];

interface Scene {
  readonly image: Buffer;
  readonly asked: 'tread' | 'sidewall';
  readonly fault: SightHint | null;
}

const png = (image: sharp.Sharp): Promise<Buffer> => image.png({ compressionLevel: 0 }).toBuffer();

/** So much farther away, on the ground. */
const farther = async (image: Buffer, ground: Buffer): Promise<Buffer> =>
  png(sharp(ground).composite([{ input: await sharp(image).resize(200, 200).toBuffer(), left: 380, top: 300 }]));

async function scenes(): Promise<Scene[]> {
  const clear: Scene[] = [];
  for (const [names, asked] of [
    [TREADS, 'tread'],
    [WHEELS, 'sidewall'],
  ] as const)
    for (const name of names) clear.push({ image: await png(sharp(join(SANDBOX, `${asked}-${name}.jpg`))), asked, fault: null });
  const frames = await Promise.all((await eightTires()).map(videoFrame));
  frames.forEach((image, i) => clear.push({ image, asked: i % 2 === 0 ? 'tread' : 'sidewall', fault: null }));
  const { wall } = await badlyFramed();
  const small: Scene[] = [];
  for (const name of SMALL_TREADS)
    small.push({ image: await png(sharp(join(SANDBOX, `tread-${name}.jpg`))), asked: 'tread', fault: 'too_far' });
  for (const { image, asked } of clear)
    if (asked === 'sidewall') small.push({ image: await farther(image, wall), asked, fault: 'too_far' });
  const all = [...clear, ...small];
  for (const { image, asked, fault } of clear) {
    all.push({ image, asked: asked === 'tread' ? 'sidewall' : 'tread', fault: asked === 'tread' ? 'is_tread' : 'is_sidewall' });
    for (const turn of [90, 180, 270]) all.push({ image: await png(sharp(image).rotate(turn)), asked, fault });
  }
  for (const turn of [0, 90, 180, 270]) all.push({ image: await png(sharp(wall).rotate(turn)), asked: 'tread', fault: 'no_tire' });
  return all;
}

/** By the network of the page, in the WebAssembly of the page. */
async function sightsOf(images: readonly Buffer[]): Promise<Sight[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sights-'));
  try {
    const files = images.map((_, i) => join(folder, `${i}.png`));
    await Promise.all(images.map((image, i) => writeFile(files[i]!, image)));
    const program = [join(ROOT, 'deploy/typescript-hook.cjs'), join(__dirname, 'testing/see.fixture.ts'), ...files];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    return JSON.parse(stdout) as Sight[];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it('the network finds what is wrong with rendered frames, and little else', async () => {
  const all = await scenes();
  const sights = await sightsOf(all.map(({ image }) => image));
  const said = all.map(({ asked }, i) => sightHintOf(asked, sights[i]!));
  for (const hint of ['no_tire', 'is_sidewall', 'is_tread', 'too_far'] as const) {
    const there = all.filter(({ fault }) => fault === hint).length;
    const found = said.filter((one) => one === hint).length;
    const right = said.filter((one, i) => one === hint && all[i]!.fault === hint).length;
    process.stdout.write(`${hint.padEnd(11)} ${there} frames, said ${found} times, ${right} times right\n`);
    expect(right / there).toBeGreaterThanOrEqual(0.5);
    expect(right / Math.max(1, found)).toBeGreaterThanOrEqual(0.9);
  }
  const good = said.filter((_, i) => all[i]!.fault === null);
  process.stdout.write(`no fault    ${good.length} frames, ${good.filter(Boolean).length} with a hint\n`);
  expect(good.filter(Boolean).length / good.length).toBeLessThanOrEqual(0.05);
});
