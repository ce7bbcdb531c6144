import { eventually } from '@tire/test-harness';
import { Client } from 'pg';
import { type AssetsPeer, startAssetsPeer } from '../testing/assets.fixture';
import { took } from '../testing/many-reports';
import { projectWithWaiting } from '../testing/waiting-slots';
import { startWorld, type World } from '../testing/world';

/** `npm run test:long -- waiting-work` sets 200,000. */
const WAITING = Number(process.env['WORK_WAITING'] ?? 2_000);
const PROJECTS = 10;
const PER_REPORT = 4;
/** What each project has waiting, and all of them together. */
const OF_PROJECT = Math.ceil(WAITING / PROJECTS / PER_REPORT) * PER_REPORT;
const ALL = PROJECTS * OF_PROJECT;
const FAILED = { $case: 'errorCode', value: 'tread_not_found' } as const;

let assets: AssetsPeer;
let world: World;
let locking: Client;
let projects: string[];

/** Nothing is handed out before `handOut`, because another session has the lock of the kind. */
async function start(treads: number): Promise<{ handOut: () => Promise<void> }> {
  assets = await startAssetsPeer();
  world = await startWorld({ assetsUrl: assets.address, workersHold: { treads } });
  locking = new Client({ connectionString: world.ownerUrl });
  await locking.connect();
  await locking.query(`SELECT pg_advisory_lock(hashtextextended('tire.tread', 3))`);
  projects = [];
  while (projects.length < PROJECTS) projects.push(await projectWithWaiting(world, OF_PROJECT, 'analyzing'));
  return { handOut: () => locking.end() };
}

afterEach(async () => {
  await locking?.end();
  await world?.stop();
  await assets?.close();
});

const treads = () => world.received.analyzeTread;
/** What KEDA reads. It counts the pieces that workers have too. */
const figure = async () => (await world.waiting.read()).find(({ kind }) => kind === 'tire.tread')!.count;

const handedTo = (messages: readonly { projectId: string }[]) =>
  projects.map((project) => messages.filter(({ projectId }) => projectId === project).length);

it(`hands out evenly to ${PROJECTS} projects, and the figure of waiting slots is exact after each result`, async () => {
  const { handOut } = await start(1);
  expect(await figure()).toBe(ALL);
  await handOut();
  await treads().arrived(1);
  const results = 10 * PROJECTS;
  for (let ended = 0; ended < results; ended += 1) {
    await world.publishFinished(treads().messages[ended]!, FAILED);
    treads().release();
    await treads().arrived(ended + 2);
    await eventually(async () => (await figure()) === ALL - ended - 1, { message: `not ${ALL - ended - 1} after ${ended + 1} results` });
  }
  const counts = handedTo(treads().messages.slice(0, results));
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
}, 600_000);

it('hands out as many as workers ask for, evenly, and each once', async () => {
  const room = Math.min(1_000, ALL / 2);
  const { handOut } = await start(room);
  const readMs = await took(figure);
  await handOut();
  const beganMs = performance.now();
  await treads().arrived(room);
  const perSecond = room / ((performance.now() - beganMs) / 1_000);
  if (process.env['WORK_WAITING']) {
    console.log(`${ALL} wait: ${perSecond.toFixed(0)} pieces a second are handed out; the figure is read in ${readMs.toFixed(0)} ms`);
  }
  const handed = treads().messages.slice(0, room);
  expect(new Set(handed.map(({ analysisId }) => analysisId)).size).toBe(room);
  const counts = handedTo(handed);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
}, 600_000);
