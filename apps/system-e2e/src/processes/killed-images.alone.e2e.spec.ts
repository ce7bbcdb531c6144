import type { UploadTarget } from '@tire/contracts/api';
import { slotId } from '@tire/kernel';
import { eventually } from '@tire/test-harness';
import { randomUUID } from 'node:crypto';
import type { Api } from '../api/api';
import { ImageHost } from '../images/image-host';
import { connectionLost, kill, mayBeKilled, pause } from './killing';
import { freshTargets, put, registration, settled, targetOf, TREADS } from '../reports/reports';
import { apiWith, command, newKey, newProject, systemReady } from '../world';

/** A thorough run uses 100. */
const ROUNDS = Number(process.env['E2E_KILL_ROUNDS'] ?? 2);
/** A kill may miss the registrations of a round, which end within some milliseconds. Further rounds follow until one was hit. */
const ROUNDS_MAX = ROUNDS + 6;
/** The slots with an image, of the four that the template requires. Measuring takes most of the time, so a long run uses one for each mode. */
const PHOTOGRAPHED = TREADS.slice(0, ROUNDS > 20 ? 1 : TREADS.length);
const FIRST = TREADS[0]!;
const WHOLE = { analysis_status: 'complete', publication_status: 'published' };
const ENDED = PHOTOGRAPHED.length === TREADS.length ? WHOLE : { analysis_status: 'awaiting_images' };
const KILLED_WITHIN_MS = 150;
/** The broker redelivers the messages of a killed process after half a minute. The images of many rounds are measured in sequence. */
const RECOVERED_WITHIN_MS = 120_000 + ROUNDS * 5_000;
const DAY_MS = 86_400_000;
const template = 'tire_4t_0s';

let host: ImageHost;
let project: string;
let api: Api;
let folder: string;
let refused: number;

/** Retries until the response is 2xx, because a killed service is still starting. */
const done = <T>(ask: () => Promise<{ done: T }>): Promise<T> => eventually(async () => (await ask()).done, { timeoutMs: 60_000 });

async function byAddresses(round: number): Promise<string> {
  const images = PHOTOGRAPHED.map((entry) => ({
    ...entry,
    source: { url: host.image(entry.slot, pathOf(round, slotId(entry.slot))) },
  }));
  const headers = { 'idempotency-key': randomUUID() };
  return (await done(() => api.create({ template, images }, headers))).report_id;
}

const pathOf = (round: number, name: string) => `/${folder}/${round}/${name}.jpg`;

/** Uploads the images, and one more that is never registered. */
async function byUpload(): Promise<{ report: string; targets: UploadTarget[] }> {
  const headers = { 'idempotency-key': randomUUID() };
  const created = await done(() => api.create({ template }, headers));
  const [never] = await eventually(() => freshTargets(api, created.report_id, [FIRST]));
  const targets = PHOTOGRAPHED.map((entry) => targetOf(created.upload_targets!, entry));
  for (const target of [...targets, never!]) await eventually(async () => (await put(target)) === 200);
  return { report: created.report_id, targets };
}

/** Retries after 503, as the specification requires of partners. */
async function register(report: string, targets: readonly UploadTarget[]): Promise<void> {
  const body = { images: targets.map(registration) };
  await eventually(
    async () => {
      const answer = await api.call('registerImages', { report, body }).catch(connectionLost);
      if (answer && answer.status < 300) return true;
      refused += 1;
      if (answer && !answer.error.retryable) throw new Error(answer.text);
      await pause(50);
      return false;
    },
    { timeoutMs: 60_000 },
  );
}

/** In every second round the process is killed while it waits for a host, otherwise at a random moment after the creation. */
async function killedRound(round: number): Promise<string[]> {
  await mayBeKilled('assets');
  const { report, targets } = await byUpload();
  const release = round % 2 === 0 ? host.hold(pathOf(round, slotId(FIRST.slot))) : () => undefined;
  const fetched = await byAddresses(round);
  if (round % 2 === 0) await eventually(() => host.requests(pathOf(round, slotId(FIRST.slot))) > 0);
  const registering = register(report, targets);
  await pause(Math.random() * KILLED_WITHIN_MS);
  kill('assets');
  release();
  await registering;
  return [report, fetched];
}

beforeAll(async () => {
  await systemReady();
  host = await ImageHost.open();
});

/** Anew for a repeated test, whose objects and requests are counted. */
beforeEach(async () => {
  project = await newProject('live');
  api = apiWith((await newKey(project, 'report:*')).key);
  folder = randomUUID();
  refused = 0;
});

afterAll(async () => {
  await systemReady();
  await host?.close();
});

it(
  `assets is killed during fetches and registrations, at least ${ROUNDS} times: no image is lost, no slot is stuck, no object is left over`,
  async () => {
    const reports: string[] = [];
    let rounds = 0;
    for (; rounds < ROUNDS || (refused === 0 && rounds < ROUNDS_MAX); rounds++) reports.push(...(await killedRound(rounds)));
    for (const report of reports) {
      const after = await settled(api, report, RECOVERED_WITHIN_MS);
      expect(after).toMatchObject(ENDED);
    }
    const images = reports.length * PHOTOGRAPHED.length;
    const again = host.requests(`/${folder}/`) - images / 2;
    const later = ['--project', project, '--json', '--as-of', new Date(Date.now() + 3 * DAY_MS).toISOString()];
    const cleaned = await command<{ unrecorded: number; copy: number }>('assets', ['clean', ...later]);
    expect(cleaned.copy).toBeGreaterThanOrEqual(images / 2);
    expect(cleaned.unrecorded).toBeGreaterThanOrEqual(rounds);
    // One image of each slot remains.
    const orphans = { unrecorded: 0, copy: 0, replaced: 0 };
    const left = { objects: images, rows: images, foreign: 0, orphans, missing: 0, names: [] };
    expect(await command('assets', ['check', ...later])).toEqual(left);
    // Otherwise no kill hit a request.
    expect(Math.min(again, refused)).toBeGreaterThan(0);
    console.info(`${rounds} kills, ${images} images: ${again} fetched and ${refused} registrations tried again, none lost, none left over`);
  },
  ROUNDS * 60_000 + RECOVERED_WITHIN_MS + 60_000,
);
