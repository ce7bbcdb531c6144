import { eventually, type SmallS3, startSmallS3, tempDir } from '@tire/test-harness';
import { queryDatabase } from '@tire/test-harness/bench';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { PartnerClient } from '../client';
import { receiveCallbacks } from '../listeners';
import { type Sample, sampleImages } from '../samples';
import { type Stack, startStack } from '../stack';
import { REPOSITORY_ROOT, type StackFile } from '../stack-file';
import { CutLoad, measuredReport } from './cut-load';
import { type Direction, DIRECTIONS } from './link';
import { Links } from './links';

type Cut = readonly [link: string, directions: readonly Direction[], seconds: number];

const BETWEEN_SERVICES = [
  ...[
    'gateway-ledger',
    'gateway-content',
    'gateway-share',
    'gateway-assets',
    'ledger-assets',
    'ledger-content',
    'ledger-share',
    'assets-ledger',
  ],
  ...['inference-assets', 'content-ledger', 'share-ledger', 'share-content', 'share-assets'],
];
const TO_SERVERS = [
  ...['gateway-postgres', 'ledger-postgres', 'assets-postgres', 'content-postgres', 'share-postgres'],
  ...['ledger-nats', 'assets-nats', 'inference-nats', 'content-nats', 'share-nats'],
];
/** Both directions; no request arrives; requests arrive and no answer does. */
const WAYS: readonly (readonly Direction[])[] = [DIRECTIONS, ['requests'], ['answers']];
const EVERY: readonly Cut[] = [
  ...[...BETWEEN_SERVICES, ...TO_SERVERS].flatMap((link) => WAYS.map((way): Cut => [link, way, 12])),
  ['objects', DIRECTIONS, 60],
];
/** The length of a cut is what is tried, and no time that a test waits for. `npm run test:long -- network-cuts` makes every cut. */
const CUTS: readonly Cut[] = process.env['NETWORK_CUTS']
  ? EVERY
  : [
      ['gateway-ledger', ['answers'], 3],
      ['ledger-postgres', DIRECTIONS, 3],
    ];
const RECOVERED_WITHIN_MS = 180_000;
const BUCKET = 'cuts';

let folder: string;
let s3: SmallS3;
let stack: Stack;
let samples: Sample[];
let callbacks: Awaited<ReturnType<typeof receiveCallbacks>>;
let read: readonly [report: string, page: string];
const links = new Links();
const rows: string[] = [];

const file = (): StackFile => stack.file;
const published = async (id: string): Promise<string> => {
  const client = new PartnerClient(file(), file().keys.live);
  const done = await eventually(
    async () => {
      const report = await client.report(id);
      return report.publication_status === 'published' && report.analysis_status === 'complete' && report;
    },
    { timeoutMs: RECOVERED_WITHIN_MS, message: `report ${id} is not published` },
  );
  return done.links.share!;
};
const count = async (sql: string, ...params: unknown[]): Promise<number> =>
  (await queryDatabase<{ count: number }>(file(), 'tire_ledger', `SELECT count(*)::int AS count FROM ${sql}`, params))[0]!.count;

beforeAll(async () => {
  execFileSync(process.execPath, ['deploy/build.mjs'], { cwd: REPOSITORY_ROOT });
  folder = await tempDir();
  process.env['STACK_DIR'] = folder;
  s3 = await startSmallS3(BUCKET);
  const objects = await links.add('objects', s3.port);
  const { accessKey, secretKey } = s3;
  stack = await startStack({ links, s3: { endpoint: `http://127.0.0.1:${objects.port}`, bucket: BUCKET, accessKey, secretKey } });
  samples = await sampleImages(`${folder}/samples`);
  callbacks = await receiveCallbacks(file());
  const first = await measuredReport(file(), samples, randomUUID());
  read = [`${file().base_url}/reports/${first}`, await published(first)];
}, 300_000);

afterAll(async () => {
  if (process.env['NETWORK_CUTS']) console.log(rows.join('\n'));
  for (const name of links.names) links.get(name).heal();
  await callbacks?.close();
  await stack?.stop();
  await links.closeAll();
  await s3?.stop();
  await rm(folder, { recursive: true, force: true });
}, 120_000);

it('there is a link between every two processes that talk', () => {
  expect(links.names).toEqual([...BETWEEN_SERVICES, ...TO_SERVERS, 'objects'].sort());
});

it.each(CUTS)(
  'a cut of %s (%s) loses and doubles nothing, and reads and creations recover',
  async (name, directions, seconds) => {
    const before = await count('reports');
    const load = new CutLoad(file(), read);
    const inspections = [randomUUID(), randomUUID()];
    load.start();
    const early = measuredReport(file(), samples, inspections[0]!);
    await eventually(() => load.created.size > 0);
    const cutMs = performance.now();
    links.get(name).cut(directions);
    const late = measuredReport(file(), samples, inspections[1]!);
    // Both are awaited below; a failure before that must not end the process.
    for (const report of [early, late]) report.catch(() => undefined);
    await pause(seconds * 1_000);
    links.get(name).heal();
    const healedMs = performance.now();

    const ids = await Promise.all([early, late]);
    for (const id of ids) await published(id);
    const publishedMs = performance.now();
    await eventually(() => load.reads.filter(({ sentMs, status }) => sentMs > healedMs && status === 200).length > 10);
    await load.stop();

    const refused = load.reads.filter(({ status }) => status !== 200);
    // Only an answer that says that the caller may try again.
    expect([...new Set(refused.map(({ status }) => status))].filter((status) => status !== 503)).toEqual([]);
    const lastRefusedMs = Math.max(healedMs, ...refused.map(({ sentMs, ms }) => sentMs + ms));
    expect(await count('reports')).toBe(before + load.created.size + ids.length);
    expect(new Set(load.created.values()).size).toBe(load.created.size);
    expect(await count('analysis_revisions WHERE report_id = ANY($1)', ids)).toBe(ids.length);
    const calledBack = async (id: string) =>
      eventually(() => callbacks.received.some(({ body }) => body.includes(id)), { timeoutMs: RECOVERED_WITHIN_MS });
    for (const id of ids) await calledBack(id);
    const notified = callbacks.received.filter(({ body }) => ids.some((id) => body.includes(id)));
    expect(new Set(notified.map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length);

    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    const slowest = Math.max(...load.reads.map(({ ms }) => ms));
    rows.push(
      `| ${name} | ${directions.join(' and ')} | ${seconds} | ${percent(load.availability(cutMs, healedMs))} | ` +
        `${((lastRefusedMs - healedMs) / 1_000).toFixed(1)} | ${(slowest / 1_000).toFixed(1)} | ${((publishedMs - healedMs) / 1_000).toFixed(1)} | ${load.created.size} |`,
    );
  },
  RECOVERED_WITHIN_MS * 3,
);
