import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Hint } from '../web/hints/hints';
import { edgeWidthOf } from '../web/hints/sharpness';
import {
  again,
  FAULTS,
  hashOfPhoto,
  hintFor,
  laplacianVarianceOf,
  looksOf,
  plainFrames,
  videoFrame,
  withGrain,
} from './testing/frames.fixture';

/** Photographs of tires in this repository, and in the folder of the variable, which may hold folders. */
const APPS = join(__dirname, '../..');
const OWN = [
  ...['front_left', 'front_right', 'rear_left', 'rear_right'].map((name) => `inference/assets/samples/${name}.jpg`),
  ...['inference/models/sidewall/golden.jpg', 'share/src/testing/tire.jpg'],
].map((name) => join(APPS, name));
const FOLDER = process.env['CAPTURE_PHOTOS'];
const photos = (): string[] =>
  FOLDER === undefined
    ? OWN
    : readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(jpe?g|png)$/.test(name))
        .map((name) => join(FOLDER, name));

/** A smaller photograph is no picture of a camera. */
const WIDTH_MIN = 900;

async function framesOfPhotos(): Promise<Buffer[]> {
  const frames = await Promise.all(photos().map(videoFrame));
  const widths = await Promise.all(frames.map(async (frame) => (await sharp(frame).metadata()).width));
  return frames.filter((_, i) => widths[i]! >= WIDTH_MIN);
}

interface Case {
  readonly fault: Hint | null;
  readonly said: Hint | null;
}

async function casesOf(frames: readonly Buffer[]): Promise<Case[]> {
  const cases: Case[] = [];
  const hashes: string[] = [];
  for (const frame of frames) {
    cases.push({ fault: null, said: await hintFor(frame, hashes) });
    for (const [fault, degrees] of Object.entries(FAULTS))
      for (const put of degrees) cases.push({ fault: fault as Hint, said: await hintFor(await put(frame)) });
    const hash = await hashOfPhoto(frame);
    cases.push({ fault: 'same_photo', said: await hintFor(await again(frame), [hash]) });
    hashes.push(hash);
  }
  for (const plain of await plainFrames()) cases.push({ fault: 'no_tire', said: await hintFor(plain) });
  return cases;
}

const HINTS = ['too_dark', 'too_bright', 'no_tire', 'same_photo', 'blurred'] as const;

/** How often a hint is right, and how many of its faults it finds. */
function rowOf(cases: readonly Case[], hint: Hint) {
  const said = cases.filter((one) => one.said === hint);
  const there = cases.filter((one) => one.fault === hint);
  const both = said.filter((one) => one.fault === hint).length;
  return { hint, frames: there.length, precision: both / Math.max(1, said.length), recall: both / Math.max(1, there.length) };
}

describe('hints on frames of tires with a fault put in', () => {
  it('are right, and find the faults', async () => {
    const frames = await framesOfPhotos();
    const cases = await casesOf(frames);
    const rows = HINTS.map((hint) => rowOf(cases, hint));
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(8);
    const good = cases.filter(({ fault }) => fault === null);
    const quiet = good.filter(({ said }) => said === null).length;
    process.stdout.write(
      rows
        .map(
          ({ hint, frames: of, precision, recall }) =>
            `${hint.padEnd(11)} ${String(of).padStart(4)} frames, precision${percent(precision)}, recall${percent(recall)}\n`,
        )
        .join('') +
        `no fault    ${String(good.length).padStart(4)} frames, without a hint${percent(quiet / good.length)}: ${good
          .map(({ said }) => said)
          .filter(Boolean)
          .join(' ')}\n`,
    );
    if (FOLDER !== undefined) return;
    for (const { precision, recall } of rows) expect(Math.min(precision, recall)).toBeGreaterThanOrEqual(0.8);
    expect(quiet).toBe(good.length);
  });

  it('one limit for the width of edges serves with grain and without; none for the variance of the Laplacian does', async () => {
    const { edges, laplacian } = await separations(await framesOfPhotos());
    process.stdout.write(
      `sharp from blurred at the best limit, with and without grain: width of edges ${edges.toFixed(3)}, variance of the Laplacian ${laplacian.toFixed(3)}\n`,
    );
    expect(edges).toBeGreaterThan(laplacian);
  });
});

/** The mean share of right decisions, of sharp and of blurred frames, at the best limit that could be chosen for each of the two measures. */
async function separations(frames: readonly Buffer[]): Promise<{ edges: number; laplacian: number }> {
  const samples: { readonly isBlurred: boolean; readonly edges: number; readonly laplacian: number }[] = [];
  for (const frame of frames)
    for (const put of [null, FAULTS.blurred[1]])
      for (const grain of [0, 5]) {
        const { parts } = await looksOf(await withGrain(put ? await put(frame) : frame, grain));
        const widths = parts.map(edgeWidthOf).filter((width) => width !== null);
        const edges = widths.length > 0 ? Math.min(...widths) : Number.POSITIVE_INFINITY;
        samples.push({ isBlurred: put !== null, edges, laplacian: -Math.max(...parts.map(laplacianVarianceOf)) });
      }
  const [clear, blurred] = [samples.filter((one) => !one.isBlurred), samples.filter((one) => one.isBlurred)];
  const best = (measure: 'edges' | 'laplacian') =>
    Math.max(
      ...samples.map(({ [measure]: limit }) => {
        const right = clear.filter((one) => one[measure] <= limit).length / clear.length;
        return (right + blurred.filter((one) => one[measure] > limit).length / blurred.length) / 2;
      }),
    );
  return { edges: best('edges'), laplacian: best('laplacian') };
}
